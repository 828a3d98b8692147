// The parts of the overlay, each drawn from its document. In a preview it is drawn elsewhere.

import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Hourglass } from "../base/glass.js";
import { Rules, Seat, SeatMark } from "../base/parts.js";
import { t } from "../base/words.js";

function Turn({ doc }) {
  if (!doc.step) return null;
  const acting = doc.standings.filter(line => line.acts);
  const all = acting.length > 1 && acting.length === doc.standings.length;
  return html`
    <section class="part turn">
      <h2>${all ? html`${acting.map(line => html`<${SeatMark} key=${line.seat} seat=${line} />`)} ${t("Everybody")}`
        : acting.map(line => html`<${Seat} key=${line.seat} seat=${line} />`)}</h2>
      <p>${doc.step.title}${doc.round ? " · " + t("Round {n}", { n: doc.round }) : ""}</p>
    </section>`;
}

function Timer({ doc }) {
  const { timer } = doc;
  const runs = timer && timer.kind === "glass" && timer.stage === "running" && timer.end != null;
  return runs ? html`<${Hourglass} device=${timer} kind="part timer" />` : null;
}

const MEANINGS = {
  "confirmed": ["confirmed", "✓"], "inconclusive": ["waiting", "…"], "out-of-sync": ["differs", "≠"],
  "degraded": ["waiting", "…"], "ruled": ["byhand", "✎"], "back": ["byhand", "↶"], "set": ["byhand", "✎"],
  "begin": ["idle", "▸"],
};

function Said({ doc, brief }) {
  if (doc.review) return html`
    <section class="part said byhand"><p class="stamp"><span aria-hidden="true">⚖</span> ${t("Review")}</p>
      <h2>${t("The judges are looking at this.")}</h2></section>`;
  if (doc.over && doc.winner) return html`
    <section class="part said confirmed"><p class="stamp"><span aria-hidden="true">★</span> ${t("The game is over")}</p><h2>${doc.winner}</h2></section>`;
  const { verdict } = doc;
  if (verdict == null) return null;
  const [meaning, sign] = MEANINGS[verdict.outcome];
  return html`
    <section class=${"part said " + meaning}>
      <p class="stamp"><span aria-hidden="true">${sign}</span> ${verdict.stamp}</p>
      <h2>${verdict.headline}</h2>
      ${!brief && verdict.sentences.map(each => html`<p key=${each}>${each}</p>`)}
      ${verdict.reason && html`<p>${verdict.reason}</p>`}
      <${Rules} rules=${verdict.rules} />
    </section>`;
}

function Standings({ doc }) {
  const ranked = [...doc.standings].sort((a, b) => a.rank - b.rank || a.seat - b.seat);
  const all = doc.standings.every(line => line.acts);
  return html`
    <section class="part standings"><ol>${ranked.map(line => html`
      <li key=${line.seat} class=${line.acts && !all ? "acts" : ""}>
        <p class="name"><${Seat} seat=${line} /> <span class="badges">${line.badges.join(" · ")}</span></p>
        <p class="facts">${line.facts.map(([name, value]) => html`<span key=${name}>${name} <b>${value}</b></span>`)}</p>
      </li>`)}</ol></section>`;
}

const PARTS = { turn: Turn, timer: Timer, verdict: Said, standings: Standings };

// What would not fit the picture is told in brief; whatever is still too much is drawn smaller, since
// nothing may be cut.
function useFit(node) {
  const [brief, setBrief] = useState(false);
  const size = useRef(1);
  const over = () => node.current.scrollHeight > node.current.clientHeight + 1;
  const draw = part => {
    size.current = part;
    node.current.style.setProperty("--fit", part);
  };
  function fit() {
    draw(1);
    if (!brief && over()) {
      setBrief(true);
      return;
    }
    while (over() && size.current > 0.5) draw(size.current - 0.04);
  }
  useLayoutEffect(fit);
  return [brief, () => setBrief(false)];
}

export function Overlay({ doc, lost, values }) {
  const { parts, theme, scale, side, unknown } = values;
  const node = useRef(null);
  const [brief, whole] = useFit(node);
  // Another verdict may be shorter.
  const said = doc && doc.verdict && doc.verdict.headline;
  useLayoutEffect(whole, [said]);
  const shown = doc && doc.match && lost === null;
  return html`
    <div ref=${node} class=${["overlay", theme, side].join(" ")} style=${{ "--size": 24 * scale + "px" }}>
      ${unknown.length > 0 && html`<p class="part wrong">${t("The overlay does not know {what}: see /overlay/help.", { what: unknown.join(", ") })}</p>`}
      ${lost !== null && html`<p class="part again" role="status"><i></i> ${t("Reconnecting …")}</p>`}
      ${shown && parts.map(name => html`<${PARTS[name]} key=${name} doc=${doc} brief=${brief} />`)}
    </div>`;
}
