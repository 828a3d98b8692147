// The parts of the overlay, each drawn from its document. In a preview it is drawn elsewhere.

import { html } from "../vendor/preact.js";
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

function Said({ doc }) {
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
      ${verdict.sentences.map(each => html`<p key=${each}>${each}</p>`)}
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

export function Overlay({ doc, lost, values }) {
  const { parts, theme, scale, side, unknown } = values;
  const shown = doc && doc.match && lost === null;
  return html`
    <div class=${["overlay", theme, side].join(" ")} style=${{ fontSize: 24 * scale + "px" }}>
      ${unknown.length > 0 && html`<p class="part wrong">${t("The overlay does not know {what}: see /overlay/help.", { what: unknown.join(", ") })}</p>`}
      ${lost !== null && html`<p class="part again" role="status"><i></i> ${t("Reconnecting …")}</p>`}
      ${shown && parts.map(name => html`<${PARTS[name]} key=${name} doc=${doc} />`)}
    </div>`;
}
