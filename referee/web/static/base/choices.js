// Moves to pick from, as buttons; of one kind, such as "Build …", more than a few become a list.
//   <${Choices} choices=${by_hand.choices} onPick=${choice => …} more=${true} />
//     more: picking one is followed by a question, and the buttons say so

import { html, useState } from "../vendor/preact.js";
import { t } from "./words.js";

const MANY = 4;

export function Choices({ choices, onPick, more }) {
  const [picked, setPicked] = useState({});
  const kinds = new Map();
  for (const each of choices) {
    const kind = each.words.split(" ", 1)[0];
    kinds.set(kind, [...(kinds.get(kind) || []), each]);
  }
  return [...kinds].flatMap(([kind, some]) => {
    if (some.length <= MANY)
      return some.map(each => html`<button type="button" key=${each.text} onClick=${() => onPick(each)}>${each.words}${more ? " …" : ""}</button>`);
    const at = Math.min(picked[kind] || 0, some.length - 1);
    return html`
      <span class="pick" key=${kind}>
        <select aria-label=${t("Moves to choose from: {kind}", { kind })} value=${String(at)}
            onChange=${event => setPicked({ ...picked, [kind]: Number(event.target.value) })}>
          ${some.map((each, k) => html`<option key=${each.text} value=${String(k)}>${each.words}</option>`)}
        </select>
        <button type="button" onClick=${() => onPick(some[at])}>${t("Enter this")}</button>
      </span>`;
  });
}
