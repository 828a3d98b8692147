// Any move, any position, any note: what a person enters when nothing else will do.

import { html, useState } from "../vendor/preact.js";
import { t } from "../base/words.js";
import { Position } from "./position.js";

function Move({ doc, deeds }) {
  const [text, setText] = useState("");
  const [refused, setRefused] = useState(null);
  const from = doc.state;
  const back = { words: t("Take it back"), press: () => deeds.undo(from, text) };

  async function enter(event) {
    event.preventDefault();
    const move = text.trim();
    const accepted = await deeds.act({ do: "enter", text: move }, { words: t("Recorded: {what}", { what: move }), back });
    setRefused(accepted ? null : move);
    if (accepted) setText("");
  }
  async function overrule() {
    const move = text.trim();
    const accepted = await deeds.act({ do: "enter", text: move, overrule: true }, {
      words: t("Recorded against the rules: {what}", { what: move }), back,
      question: {
        title: t("It stands even if the rules forbid it?"), lines: [t("On record will be: {what}", { what: move })],
        yes: t("It stands"), why: "must", reasons: ["agreed", "seen", "misread"],
      },
    });
    if (!accepted) return;
    setRefused(null);
    setText("");
  }
  return html`
    <section class="card" aria-labelledby="enter-move">
      <h3 id="enter-move">${t("Enter a move")}</h3>
      <form class="grid" onSubmit=${enter}>
        <label class="field">${t("Move, in the game’s notation")}
          <input class="notation" name="move" value=${text} onInput=${event => { setText(event.target.value); setRefused(null); }} placeholder=${doc.by_hand.example}
            autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="400" required /></label>
        ${doc.by_hand.example && html`<p class="soft small">${t("Such as: {example}", { example: doc.by_hand.example })}</p>`}
        <div class="deeds">
          <button class="primary">${t("Enter the move")}</button>
          <button type="button" data-do="overrule" disabled=${!text.trim()} onClick=${overrule}>
            <span>${t("It stands even if the rules forbid it …")}</span></button>
        </div>
        ${refused && refused === text.trim() && html`<p class="note differs">${deeds.done && !deeds.done.accepted ? deeds.done.text : ""}</p>`}
      </form>
    </section>`;
}

function Note({ deeds }) {
  const [text, setText] = useState("");
  async function write(event) {
    event.preventDefault();
    if (await deeds.act({ do: "note", text: text.trim() }, { words: t("The note is on record.") })) setText("");
  }
  return html`
    <section class="card" aria-labelledby="write-note">
      <h3 id="write-note">${t("Write a note")}</h3>
      <form class="grid" onSubmit=${write}>
        <label class="field">${t("For the record; it changes nothing")}
          <textarea name="note" rows="2" value=${text} onInput=${event => setText(event.target.value)} maxlength="2000" required></textarea></label>
        <div class="deeds"><button>${t("Put it on record")}</button></div>
      </form>
    </section>`;
}

export const ByHand = ({ doc, deeds, names, start }) => html`
  <${Move} doc=${doc} deeds=${deeds} />
  <${Position} doc=${doc} deeds=${deeds} names=${names} start=${start} />
  <${Note} deeds=${deeds} />`;
