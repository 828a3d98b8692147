// What players do by hand: the next thing as a button, all the rest behind one.

import { html, useState } from "../vendor/preact.js";
import { decider } from "../base/act.js";
import { Choices } from "../base/choices.js";
import { Answer, Dialog } from "../base/parts.js";
import { t } from "../base/words.js";

const MAIN = ["start", "stop", "done"];

// What is asked before a deed is done; null: nothing.
export function questionOf(deed) {
  if (deed.do === "undo") return { title: t("Take it back?"), text: deed.hint, yes: t("Take it back"), why: false };
  if (!deed.why && deed.do !== "record-right") return null;
  return { title: deed.words, text: deed.hint, yes: deed.words, why: deed.why };
}

const allowed = (each, may) => !each.judge || may === "judge";

function Deed({ deed, kind, onPress }) {
  return html`
    <button type="button" class=${kind} data-do=${deed.do} onClick=${() => onPress(deed)}>
      <span>${deed.words}</span>${deed.hint && html`<small>${deed.hint}</small>`}
    </button>`;
}

// Beside the instruction: what is done in most rounds, one tap away.
export function MainDeeds({ doc, may, answer, onPress, onMore }) {
  const main = doc.by_hand.deeds.filter(deed => MAIN.includes(deed.do) && allowed(deed, may));
  return html`
    <div class="deeds main">
      ${main.map((deed, k) => html`<${Deed} key=${deed.do} deed=${{ ...deed, hint: "" }} kind=${k ? "" : "primary"} onPress=${onPress} />`)}
      ${doc.apart && html`<button type="button" onClick=${onMore}>${t("Decide …")}</button>`}
    </div>
    <${Answer} answer=${answer} />`;
}

function Written({ example, onPress }) {
  const [text, setText] = useState("");
  const submit = event => {
    event.preventDefault();
    onPress({ do: "enter", text: text.trim() });
  };
  return html`
    <details>
      <summary>${t("Enter a move as text")}</summary>
      <form class="row" onSubmit=${submit}>
        <label class="field">${t("Move")}
          <input class="notation" value=${text} onInput=${event => setText(event.target.value)} placeholder=${example}
            autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="400" required /></label>
        <button>${t("Enter the move")}</button>
      </form>
    </details>`;
}

const Recent = ({ recent }) => html`
  <details>
    <summary>${t("What happened last")}</summary>
    <ol class="recent">${recent.map(({ state, words, holds }) => html`
      <li key=${state} class=${holds ? "" : "back"}><span>${words}</span>${!holds && html` <small>(${t("taken back")})</small>`}</li>`)}</ol>
  </details>`;

function Everything({ doc, may, answer, onPress, onName }) {
  const { due, rivals, choices, undo, example } = doc.by_hand;
  const deeds = doc.by_hand.deeds.filter(deed => allowed(deed, may));
  const held = doc.by_hand.deeds.length > deeds.length;
  const nothing = !doc.over && !doc.apart && !deeds.length && !choices.length;
  const enter = each => onPress({ do: "enter", text: each.text });
  const [, draw] = useState(0);
  const rename = async () => {
    await onName();
    draw(n => n + 1);
  };
  return html`
    ${doc.review && html`<p class="note waiting">${t("The judges are looking at this. Everything stands as it was.")}</p>`}
    ${due && html`<p class="due">${due.join(" ")}</p>`}
    ${rivals.length > 0 && html`<p class="due">${t("Which was it?")}</p><div class="deeds"><${Choices} choices=${rivals} onPick=${enter} /></div>`}
    ${doc.apart && html`<p class="note differs">${t("Verdicts pause until the table and the record agree. Put the table right, or decide:")}</p>`}
    <div class="deeds">${deeds.map((deed, k) => html`<${Deed} key=${deed.do} deed=${deed} kind=${k ? "" : "primary"} onPress=${onPress} />`)}</div>
    ${choices.length > 0 && html`<div class="deeds"><${Choices} choices=${choices} onPick=${enter} /></div>`}
    ${nothing && html`<p class="due">${t("Enter below what happened.")}</p>`}
    ${undo && allowed(undo, may) && html`
      <div class="deeds"><${Deed} deed=${{ do: "undo", to: undo.to, words: t("Undo"), hint: undo.words }} kind="" onPress=${onPress} /></div>`}
    <${Answer} answer=${answer} />
    <${Written} example=${example} onPress=${onPress} />
    <${Recent} recent=${doc.recent} />
    <p class="row soft"><span>${t("Who decides:")} <b>${decider() || t("not said yet")}</b></span>
      <button type="button" onClick=${rename}>${t("Change")}</button></p>
    ${(held || doc.apart) && may !== "judge" && html`<p class="soft">${t("What overrules a reading or the rules is decided on the judge’s page.")} <a href="/judge">${t("Judge")}</a></p>`}`;
}

// In a dialog, where the camera sees most of what happens.
export const ByHand = ({ onClose, ...given }) => html`
  <${Dialog} title=${t("By hand")} onClose=${onClose}>
    <p class="instruction small-instruction">${given.doc.step ? given.doc.step.instruction : t("The game is over")}</p>
    <${Everything} ...${given} />
  <//>`;

// On the page itself, where no camera does.
export const AllByHand = given => html`
  <section class="card all-by-hand" aria-label=${t("By hand")} tabindex="0">
    <p class="soft">${t("No camera is used: what happens is entered by hand.")}</p>
    <${Everything} ...${given} />
  </section>`;
