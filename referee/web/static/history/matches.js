// All matches, and how people did in them.

import { html } from "../vendor/preact.js";
import { Seat } from "../base/parts.js";
import { plural, t } from "../base/words.js";
import { address, length, moment, number, rounds } from "./format.js";

export function stateOf(match, open) {
  if (match.trouble && !match.players.length) return ["differs", "✗", t("can’t be read")];
  if (match.finished) return ["confirmed", "✓", t("finished")];
  if (match.ended) return ["idle", "■", t("ended early")];
  return open ? ["byhand", "▶", t("being played")] : ["waiting", "…", t("not finished")];
}

export function State({ match, open }) {
  const [meaning, sign, words] = stateOf(match, open);
  return html`<span class=${"stamp " + meaning}><span class="sign" aria-hidden="true">${sign}</span>${words}</span>`;
}

export const Players = ({ match }) => html`
  <ul class="players">${match.players.map(player => html`
    <li key=${player.seat}><${Seat} seat=${player} />${player.won && html`<span class="won"><span aria-hidden="true">♛</span> ${t("won")}</span>`}</li>`)}</ul>`;

function Line({ match, open }) {
  const facts = match.players.length ? [match.round > 0 ? rounds(match.round) : "", match.lasted ? length(match.lasted) : ""] : [];
  return html`
    <li class="card match">
      <div class="stamped">
        <h3><a href=${address(match.id)}>${moment(match.begun)}</a></h3>
        <${State} match=${match} open=${open} />
      </div>
      ${match.title && html`<p class="soft small">${[match.title, ...facts].filter(Boolean).join(" · ")}</p>`}
      <${Players} match=${match} />
      ${match.trouble && html`<p class="small trouble"><b>${match.id}:</b> ${match.trouble}</p>`}
    </li>`;
}

const Game = ({ game }) => html`
  <div class="card">
    <h3>${game.title}</h3>
    <p class="soft small">${t("Averages are of finished matches.")}</p>
    <div class="wide-table" tabindex="0" role="region" aria-label=${game.title}><table>
      <thead><tr>
        <th scope="col">${t("Name")}</th>
        <th scope="col" class="number">${t("Matches")}</th>
        <th scope="col" class="number">${t("Won")}</th>
        ${game.measures.map(each => html`<th scope="col" class="number" key=${each.key}>${t("ø {what}", { what: each.words })}</th>`)}
      </tr></thead>
      <tbody>${game.people.map(person => html`
        <tr key=${person.name}>
          <th scope="row">${person.name}</th>
          <td class="number">${person.games}</td>
          <td class="number">${t("{won} of {all}", { won: person.wins, all: person.finished })}</td>
          ${person.averages.map((each, k) => html`<td class="number" key=${k}>${number(each)}</td>`)}
        </tr>`)}</tbody>
    </table></div>
  </div>`;

export const Matches = ({ told }) => html`
  <h1>${t("History")}</h1>
  ${told.read < told.of && html`
    <label class="reading">${t("Reading the matches: {read} of {of}", { read: told.read, of: told.of })}
      <progress max=${told.of} value=${told.read} /></label>`}
  ${told.of === 0 && html`<p class="card">${t("No match has been played here yet.")}</p>`}
  ${told.matches.length > 0 && html`
    <section class="grid" aria-labelledby="matches">
      <h2 id="matches">${plural(told.matches.length, "One match", "{n} matches")}</h2>
      <ul class="matches">${told.matches.map(match => html`<${Line} key=${match.id} match=${match} open=${match.id === told.open} />`)}</ul>
    </section>`}
  ${told.games.length > 0 && html`
    <section class="grid" aria-labelledby="people">
      <h2 id="people">${t("People")}</h2>
      ${told.games.map(game => html`<${Game} key=${game.title} game=${game} />`)}
    </section>`}`;
