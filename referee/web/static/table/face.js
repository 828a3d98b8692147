// Which face a tile shows: the second of the two taps that correct a reading.

import { html } from "../vendor/preact.js";
import { asRead, Dialog, FaceDrawing, faceWords } from "../base/parts.js";
import { t } from "../base/words.js";

export function FaceDialog({ tile, doc, onPick, onClose }) {
  const { faces } = doc.by_hand;
  // What it may be comes first.
  const order = [...new Set([...tile.rivals, ...faces])].filter(face => faces.includes(face));
  return html`
    <${Dialog} title=${t("What does this tile show?")} onClose=${onClose}>
      <p>${t("It is read as {what}.", { what: asRead(tile, doc.goods) })}</p>
      <div class="faces">${order.map(label => html`
        <button type="button" key=${label} value=${label} onClick=${() => onPick(label)}>
          <${FaceDrawing} label=${label} goods=${doc.goods} /><span>${faceWords(label, doc.goods)}</span>
        </button>`)}</div>
      <div class="deeds"><button type="button" onClick=${onClose}>${t("Cancel")}</button></div>
    <//>`;
}
