// What the judge does: each deed says before what it will do, asks for a reason where it decides
// against somebody, and says after it what was done, and how to take it back.
//   const deeds = useDeeds(doc)
//   deeds.act(deed, { words, question, back })
//     words: what is told when it is done. question: { title, lines, yes, why, reasons }: asked
//     before; why: "must" | "may" | "" says whether a reason is wanted. back: { words, press } takes
//     it back; without it the deed says so itself.
//   deeds.undo(to, words)     back to the position that a state was
//   deeds.shown               dialogs, to be drawn once
//   deeds.done                what was done last: { accepted, text, words, back } | null

import { html, useRef, useState } from "../vendor/preact.js";
import { command, decider, setDecider, take } from "../base/act.js";
import { Dialog } from "../base/parts.js";
import { t } from "../base/words.js";

// What people say most often, so that nobody has to type while others wait.
export const REASONS = {
  seen: () => t("I saw it myself."),
  agreed: () => t("All players agree."),
  misread: () => t("The camera misread it."),
  slip: () => t("It was entered by mistake."),
  looking: () => t("The judge looks at it."),
  asked: () => t("A player asked for it."),
};

// What can't have been meant for another button that stood there before: it has a dialog or a place
// of its own. The server still refuses a correction of a state that is gone.
const AT_ONCE = ["note", "review", "resume", "correct"];
async function atOnce(seen, deed, naming, asking) {
  if (!decider()) setDecider(await naming());
  const reason = asking ? await asking() : "";
  return reason === null ? { accepted: false, text: "" } : command(seen, reason ? { ...deed, reason } : deed);
}

export function useDeeds(doc) {
  const [asked, setAsked] = useState(null);
  const [done, setDone] = useState(null);
  const newest = useRef(doc);
  newest.current = doc;

  const put = question => new Promise(answer => setAsked({ ...question, answer }));
  const answer = value => {
    setAsked(null);
    asked.answer(value);
  };

  async function act(deed, { words, question, back } = {}) {
    const seen = newest.current;
    const naming = () => put({ name: true });
    const asking = question && (() => put(question));
    const told = AT_ONCE.includes(deed.do) ? await atOnce(seen, deed, naming, asking)
      : await take(seen, deed, { naming, question: asking });
    if (told.accepted || told.text) setDone({ ...told, words, back: told.accepted ? back : null });
    return told.accepted;
  }

  // An undo is taken back as well: by going to where it came from.
  function undo(to, words) {
    const from = newest.current.state;
    return act({ do: "undo", to }, {
      words: t("Taken back: {what}", { what: words }),
      question: {
        title: t("Take it back?"), lines: [words, t("Everything since then is taken back too. It stays on record.")],
        yes: t("Take it back"), why: "must", reasons: ["slip", "misread", "agreed"],
      },
      back: { words: t("Restore it"), press: () => undo(from, t("the taking back")) },
    });
  }

  const rename = () => put({ name: true }).then(name => name && setDecider(name));

  const shown = asked && (asked.name
    ? html`<${Naming} onAnswer=${answer} />` : html`<${Question} ...${asked} onAnswer=${answer} />`);
  return { act, undo, rename, shown, done, dismiss: () => setDone(null), say: setDone };
}

function Question({ title, lines = [], yes, why, reasons = [], onAnswer }) {
  const [reason, setReason] = useState("");
  const submit = event => {
    event.preventDefault();
    onAnswer(reason.trim());
  };
  return html`
    <${Dialog} title=${title} onClose=${() => onAnswer(null)}>
      <form class="grid question" onSubmit=${submit}>
        ${lines.filter(Boolean).map(line => html`<p key=${line}>${line}</p>`)}
        ${why && html`
          <label class="field">${why === "must" ? t("Why") : t("Why (if you like)")}
            <input name="reason" value=${reason} onInput=${event => setReason(event.target.value)} required=${why === "must"} autocomplete="off" maxlength="400" /></label>
          <div class="reasons">${reasons.map(key => html`
            <button type="button" key=${key} aria-pressed=${reason === REASONS[key]()} onClick=${() => setReason(REASONS[key]())}>${REASONS[key]()}</button>`)}</div>`}
        <div class="deeds">
          <button class="primary yes">${yes}</button>
          <button type="button" onClick=${() => onAnswer(null)}>${t("Cancel")}</button>
        </div>
      </form>
    <//>`;
}

function Naming({ onAnswer }) {
  const [name, setName] = useState(decider());
  const submit = event => {
    event.preventDefault();
    onAnswer(name.trim());
  };
  return html`
    <${Dialog} title=${t("Who judges on this device?")} onClose=${() => onAnswer("")}>
      <p>${t("The name goes on record with everything that is decided here.")}</p>
      <form class="grid" onSubmit=${submit}>
        <label class="field">${t("Your name")}
          <input name="by" value=${name} onInput=${event => setName(event.target.value)} autocomplete="nickname" maxlength="60" required /></label>
        <div class="deeds"><button class="primary">${t("This is me")}</button></div>
      </form>
    <//>`;
}

// At the foot of the page until the next deed: what was done, and the way back.
export function Done({ deeds }) {
  const { done } = deeds;
  const good = done && done.accepted;
  return html`
    <div class=${"done" + (done ? good ? " good" : " wrong" : "")} role="status">
      ${done && html`
        <p><span aria-hidden="true">${good ? "✓" : "✗"}</span> ${good ? done.words || t("Done.") : done.text}${good && done.text ? " " + done.text : ""}</p>
        ${done.back && html`<button type="button" class="back" onClick=${done.back.press}>↶ ${done.back.words}</button>`}
        <button type="button" class="quiet" aria-label=${t("Close")} onClick=${deeds.dismiss}>✕</button>`}
    </div>`;
}
