// What happened, round by round.

import { html } from "../vendor/preact.js";
import { Evidence, Finding, Rules } from "../base/parts.js";
import { plural, t } from "../base/words.js";
import { clock } from "./format.js";

// What an entry is: an accent, a sign and a word.
const OUTCOMES = {
  "confirmed": () => ["confirmed", "✓", t("confirmed")],
  "ruled": () => ["byhand", "✎", t("decided by people")],
  "inconclusive": () => ["waiting", "…", t("not yet")],
  "out-of-sync": () => ["differs", "≠", t("table and record differ")],
  "degraded": () => ["waiting", "⚠", t("camera unfit")],
};
const KINDS = {
  undo: () => ["byhand", "↶", t("taken back")],
  position: () => ["byhand", "✎", t("decided by people")],
  correction: () => ["byhand", "✎", t("decided by people")],
  decision: () => ["byhand", "✎", t("decided by people")],
  review: () => ["byhand", "❄", t("review")],
  resume: () => ["byhand", "❄", t("review")],
};
const PLAIN = () => ["idle", "ℹ", t("note")];

const stampOf = entry => (OUTCOMES[entry.outcome] || KINDS[entry.kind] || PLAIN)();

function Entry({ entry, match }) {
  const [meaning, sign, words] = stampOf(entry);
  const pictures = entry.evidence.map(each => ({ ...each, url: `api/history/${encodeURIComponent(match)}/evidence/${each.name}.jpg` }));
  return html`
    <li class=${"entry " + meaning + (entry.gone ? " gone" : "")}>
      <div class="stamped">
        <span class=${"stamp " + meaning}><span class="sign" aria-hidden="true">${sign}</span>${words}${entry.gone ? " · " + t("taken back since") : ""}</span>
        <span class="soft small">${entry.by} · <time>${clock(entry.at)}</time></span>
      </div>
      <p class="said"><b>${entry.words}</b> <${Rules} rules=${entry.rules} /></p>
      ${entry.sentences.map(text => html`<p>${text}</p>`)}
      ${entry.missing.map(text => html`<p class="missing">${text}</p>`)}
      ${entry.findings.map(each => html`<${Finding} finding=${each} />`)}
      ${entry.reason && html`<p><span class="soft">${t("Reason:")}</span> ${entry.reason}</p>`}
      <${Evidence} pictures=${pictures} />
    </li>`;
}

const title = round => round > 0 ? t("Round {n}", { n: round }) : t("Before the first round");

const Round = ({ told, match, open }) => html`
  <details class="card round" open=${open}>
    <summary><h3>${title(told.round)}</h3> <span class="soft">${plural(told.entries.length, "one entry", "{n} entries")}</span></summary>
    <ol class="entries">${told.entries.map(entry => html`<${Entry} key=${entry.seq} entry=${entry} match=${match} />`)}</ol>
  </details>`;

export const Story = ({ match }) => html`
  <section class="grid" aria-labelledby="story">
    <h2 id="story">${t("What happened")}</h2>
    ${match.rounds.map((each, k) => html`
      <${Round} key=${each.round} told=${each} match=${match.id} open=${k === match.rounds.length - 1} />`)}
  </section>`;

// A match whose rules are not known here.
export const Plain = ({ lines }) => html`
  <section class="card grid" aria-labelledby="plain">
    <h2 id="plain">${t("What happened")}</h2>
    <ol class="entries">${lines.map(line => html`
      <li class="entry" key=${line.seq}><span class="soft small">${line.by} · <time>${clock(line.at)}</time></span><p>${line.words}</p></li>`)}</ol>
  </section>`;
