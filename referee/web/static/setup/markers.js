// The markers around the table: which are seen, which are not, and why that may be.

import { html } from "../vendor/preact.js";
import { t } from "../base/words.js";
import { Live, middle, points } from "./parts.js";

function Drawn({ list, size }) {
  const unit = size[0] / 100;
  return html`
    ${list.filter(each => each.seen).map(each => {
      const [x, y] = middle(each.outline);
      return html`<g key=${each.id} class="seen"><polygon points=${points(each.outline)} stroke-width=${unit / 3} />
        <text x=${x} y=${y + unit} font-size=${2.6 * unit}>${each.id}</text></g>`;
    })}
    ${list.filter(each => each.expected).map(each => html`
      <g key=${each.id} class="unseen"><circle cx=${each.expected[0]} cy=${each.expected[1]} r=${2.4 * unit} stroke-width=${unit / 3} />
        <text x=${each.expected[0]} y=${each.expected[1] + unit} font-size=${2.6 * unit}>${each.id}?</text></g>`)}`;
}

export function Markers({ doc }) {
  const { markers, camera, settings } = doc;
  if (settings.camera === "none" || !markers.list)
    return html`<p><a href="#camera">${t("Choose a camera")}</a></p>`;
  return html`
    <p>${t("Print the markers at 100 %, lay them around the table as the guide shows, flat and this way up, and stick them down.")}
      ${" "}<a href="/kit">${t("Print the kit")}</a></p>
    <${Live} camera=${camera.chosen} size=${markers.size} alt=${t("The table with its markers as the camera sees it")}><${Drawn} list=${markers.list} size=${markers.size} /><//>
    <h2>${t("{n} of {all} markers are seen", { n: markers.count, all: markers.list.length })}</h2>
    <ul class="checklist">${markers.list.map(each => html`
      <li key=${each.id} class=${each.seen ? "done" : "wrong"}>
        <span class="sign" aria-hidden="true">${each.seen ? "✓" : "!"}</span>
        <span><b>${t("Marker {id}", { id: each.id })}</b> ${each.where}${each.seen ? html`<span class="only-read">: ${t("seen")}</span>`
          : html`<small>${each.hint || t("Not seen: is it in the picture, flat, uncovered and in even light?")}</small>`}</span>
      </li>`)}</ul>`;
}
