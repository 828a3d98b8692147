// What lies in the centre, and what must remain there.

import { html } from "../vendor/preact.js";
import { rooted } from "../base/parts.js";
import { t } from "../base/words.js";
import { Fit } from "./fit.js";

const MOST_PIPS = 14;

function Good({ good, demand }) {
  const known = good.left != null;
  const settled = known && demand > 0;
  const enough = settled && good.left >= demand;
  const pips = Math.min(Math.max(demand, good.left), MOST_PIPS);
  return html`
    <li class=${"good" + (settled ? enough ? " enough" : " short" : "")}>
      <img src=${rooted(good.art)} alt="" />
      <div>
        <b>${good.name}</b> ${settled && html`<span class="say">${enough ? "✓ " + t("enough") : "✗ " + t("too few")}</span>`}
        ${settled && html`<div class="pips" aria-hidden="true">${Array.from({ length: pips }, (_, k) => html`<i key=${k} class=${k < good.left ? "on" : ""}></i>`)}</div>`}
      </div>
      <span class="number">${known ? good.left : "?"}${demand > 0 && html`<small> / ${demand}</small>`}</span>
    </li>`;
}

export function Goods({ doc }) {
  const { goods, demand } = doc;
  // As long as nothing is known or demanded, the picture says more.
  if (!demand && goods.every(good => good.left == null)) return null;
  return html`
    <section class="card goods" aria-label=${t("What remains in the centre")}>
      <${Fit} name=${t("What remains in the centre")}>
      <h2>${demand ? t("Of each must remain in the centre") : t("What lies in the centre")} ${demand > 0 && html`<span class="number">${demand}</span>`}</h2>
      ${doc.camera && html`<ul>${goods.map(good => html`<${Good} key=${good.name} good=${good} demand=${demand} />`)}</ul>`}
      <//>
    </section>`;
}
