// What was counted of a match, each thing as a plot and as numbers.

import { html } from "../vendor/preact.js";
import { Seat } from "../base/parts.js";
import { t } from "../base/words.js";
import { length, number } from "./format.js";
import { Bar, Lines } from "./plots.js";

// What changes over the rounds: lines, and beside them the numbers that they are drawn from.
const Level = ({ measure, players }) => html`
  <figure class="card level">
    <figcaption><h3>${measure.words}</h3></figcaption>
    <${Lines} measure=${measure} players=${players} />
    <div class="wide-table" tabindex="0" role="region" aria-label=${measure.words}>
      <table class="numbers">
        <thead><tr><th scope="col">${t("Round")}</th>${measure.rounds.map(round => html`<th scope="col" class="number" key=${round}>${round || t("Start")}</th>`)}</tr></thead>
        <tbody>${players.map((player, seat) => html`
          <tr key=${seat}><th scope="row"><${Seat} seat=${player} /></th>
            ${measure.seats[seat].rounds.map((value, k) => html`<td class="number" key=${k}>${value}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
  </figure>`;

const Legend = ({ parts }) => parts.length > 0 && html`
  <ul class="legend">${parts.map((words, k) => html`<li key=${k}><span class=${"swatch part-" + k % 5} aria-hidden="true"></span>${words}</li>`)}</ul>`;

// What adds up: a bar for each player, in parts if it has some; the table is the plot.
function Sum({ measure, players, each }) {
  const most = Math.max(1, ...measure.seats.map(seat => seat.total));
  const per = seat => each && each.seats[seat].total > 0 ? measure.seats[seat].total / each.seats[seat].total : null;
  return html`
    <figure class="card">
      <figcaption><h3>${measure.words}</h3></figcaption>
      <${Legend} parts=${measure.parts} />
      <table class="bars">
        <thead class=${measure.parts.length || each ? "" : "only-read"}><tr>
          <th scope="col"><span class="only-read">${t("Player")}</span></th>
          <th aria-hidden="true"></th>
          <th scope="col" class="number">${t("Total")}</th>
          ${measure.parts.map((words, k) => html`<th scope="col" class="number" key=${k}><span class=${"swatch part-" + k % 5} aria-hidden="true"></span><span class="only-read">${words}</span></th>`)}
          ${each && html`<th scope="col" class="number">${t("for each: {what}", { what: each.words })}</th>`}
        </tr></thead>
        <tbody>${players.map((player, seat) => html`
          <tr key=${seat}>
            <th scope="row"><${Seat} seat=${player} /></th>
            <td class="plot" aria-hidden="true"><${Bar} values=${measure.parts.length ? measure.seats[seat].parts : [measure.seats[seat].total]} most=${most} /></td>
            <td class="number"><b>${measure.seats[seat].total}</b></td>
            ${measure.seats[seat].parts.map((value, k) => html`<td class="number" key=${k}>${value}</td>`)}
            ${each && html`<td class="number">${number(per(seat))}</td>`}
          </tr>`)}</tbody>
      </table>
    </figure>`;
}

const SIGNS = { "confirmed": "✓", "ruled": "✎", "inconclusive": "…", "out-of-sync": "≠", "degraded": "⚠", "corrected": "✎" };
const MEANINGS = { "confirmed": "confirmed", "ruled": "byhand", "inconclusive": "waiting", "out-of-sync": "differs", "degraded": "waiting", "corrected": "byhand" };

function Outcomes({ outcomes }) {
  const most = Math.max(1, ...outcomes.map(each => each.times));
  return html`
    <figure class="card">
      <figcaption><h3>${t("How the referee ruled")}</h3></figcaption>
      <table class="bars"><tbody>${outcomes.map(each => html`
        <tr key=${each.outcome}>
          <th scope="row"><span class=${"stamp plain " + MEANINGS[each.outcome]}><span class="sign" aria-hidden="true">${SIGNS[each.outcome]}</span>${each.words}</span></th>
          <td class="plot" aria-hidden="true"><${Bar} values=${[each.times]} most=${most} meaning=${MEANINGS[each.outcome]} /></td>
          <td class="number"><b>${each.times}</b></td>
        </tr>`)}</tbody></table>
    </figure>`;
}

// The bar is the usual time, the thin line behind it the longest.
function Steps({ steps }) {
  const most = Math.max(1, ...steps.map(each => each.longest));
  return html`
    <figure class="card">
      <figcaption><h3>${t("How long the steps took")}</h3>
        <p class="soft small">${t("The bar is the usual time (half took longer), the thin line the longest.")}</p></figcaption>
      <table class="bars">
        <thead><tr><th scope="col">${t("Step")}</th><th aria-hidden="true"></th>
          <th scope="col" class="number">${t("usual")}</th><th scope="col" class="number">${t("longest")}</th><th scope="col" class="number">${t("times")}</th></tr></thead>
        <tbody>${steps.map(each => html`
          <tr key=${each.title}>
            <th scope="row">${each.title}</th>
            <td class="plot" aria-hidden="true"><${Bar} values=${[each.median]} most=${most} line=${each.longest} /></td>
            <td class="number"><b>${length(each.median)}</b></td>
            <td class="number">${length(each.longest)}</td>
            <td class="number">${each.times}</td>
          </tr>`)}</tbody>
      </table>
    </figure>`;
}

export function Statistics({ match }) {
  const { measures, players } = match;
  const of = key => measures.find(each => each.key === key);
  const levels = measures.filter(each => each.level);
  const sums = measures.filter(each => !each.level && each.seats.some(seat => seat.total > 0));
  return html`
    <section class="grid" aria-labelledby="statistics">
      <h2 id="statistics">${t("Statistics")}</h2>
      <div class="figures">
        ${levels.map(each => html`<${Level} key=${each.key} measure=${each} players=${players} />`)}
        ${sums.map(each => html`<${Sum} key=${each.key} measure=${each} players=${players} each=${each.per ? of(each.per) : null} />`)}
        <${Outcomes} outcomes=${match.outcomes} />
        ${match.steps.length > 0 && html`<${Steps} steps=${match.steps} />`}
      </div>
    </section>`;
}
