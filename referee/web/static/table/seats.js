// The players: what each has, and what lies in their castle.

import { html } from "../vendor/preact.js";
import { rooted, Seat } from "../base/parts.js";
import { plural, t } from "../base/words.js";

const Crown = () => html`
  <svg class="crown" viewBox="0 0 24 24" role="img" aria-label=${t("first in rank")}><path d="M2 7l5 5 5-8 5 8 5-5-2 12H4z" /></svg>`;

function Castle({ castle, goods }) {
  if (!goods.length) return null;
  if (castle == null) return html`<p class="castle soft">${t("not read yet")}</p>`;
  const lying = castle.goods.map((n, k) => ({ n, good: goods[k] })).filter(({ n }) => n);
  const none = !lying.length && !castle.down && !castle.unread;
  return html`
    <p class="castle">
      ${lying.map(({ n, good }) => html`<span key=${good.name}><img src=${rooted(good.art)} alt=${good.name} /> ${n}</span>`)}
      ${castle.down > 0 && html`<em>${plural(castle.down, "one tile face down", "{n} tiles face down")}</em>`}
      ${castle.unread > 0 && html`<em>${plural(castle.unread, "one tile not read", "{n} tiles not read")}</em>`}
      ${none && html`<em>${t("no tiles here")}</em>`}
    </p>`;
}

function Card({ line, goods, camera, acts }) {
  return html`
    <li class=${"card seat" + (acts ? " acts" : "")} style=${{ "--seat": line.colour }}>
      <h3><${Seat} seat=${line} /> ${line.rank === 1 && html`<${Crown} />`}
        ${acts && html`<span class="badge turn">▶ ${t("acts")}</span>`}
        ${line.badges.map(badge => html`<span class="badge" key=${badge}>${badge}</span>`)}</h3>
      <dl>${line.facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${camera && html`<${Castle} castle=${line.castle} goods=${goods} />`}
    </li>`;
}

export function Seats({ doc }) {
  const ranked = doc.lines.map((line, k) => [line, k]).sort(([a, i], [b, k]) => a.rank - b.rank || i - k);
  // Where everybody acts, nobody stands out.
  const all = doc.lines.every(line => line.acts);
  return html`
    <ul class="seats" aria-label=${t("Players")}>
      ${ranked.map(([line, k]) => html`<${Card} key=${k} line=${line} goods=${doc.goods} camera=${doc.camera} acts=${line.acts && !all} />`)}
    </ul>`;
}
