// The zones of the table over its picture, to be confirmed by a look.

import { html } from "../vendor/preact.js";
import { t } from "../base/words.js";
import { Live, middle, points } from "./parts.js";

function Zones({ zones, size }) {
  const unit = size[0] / 100;
  return zones.map(({ name, title, outline }) => {
    const [x, y] = middle(outline);
    return html`<g key=${name} class="zone"><polygon points=${points(outline)} stroke-width=${unit / 3} />
      <text x=${x} y=${y} font-size=${1.7 * unit}>${title}</text></g>`;
  });
}

export function Table({ doc }) {
  const { table, camera, settings } = doc;
  if (settings.camera === "none" || !table.zones)
    return html`<p><a href="#camera">${t("Choose a camera")}</a></p>`;
  return html`
    <p>${t("Lay out the boards. The outlines must lie on them in the picture; where one does not, push the board, or uncover the markers that are printed on it.")}</p>
    <${Live} camera=${camera.chosen} size=${table.size} alt=${t("The table with its zones as the camera sees it")}><${Zones} zones=${table.zones} size=${table.size} /><//>
    <ul class="checklist">${table.boards.map(each => html`
      <li key=${each.name} class=${each.found ? "done" : "todo"}>
        <span class="sign" aria-hidden="true">${each.found ? "✓" : "○"}</span>
        <span><b>${each.title}</b> ${each.found ? t("found by its markers") : t("not seen: its usual place is assumed")}</span>
      </li>`)}</ul>
    <details><summary>${t("A bought copy of the game")}</summary>
      <p>${t("Its boards have no markers. Print the kit's markers, stick the small ones into the corners of your own boards, and type in the sizes under Edition. Zones can't be drawn by hand yet: without markers play by hand, the match works the same.")}</p></details>`;
}
