// One match: how it ended, what was counted, and what happened.

import { html, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { Answer, Dialog } from "../base/parts.js";
import { t } from "../base/words.js";
import { address, length, moment, rounds } from "./format.js";
import { Players, State } from "./matches.js";
import { Plain, Story } from "./story.js";
import { Statistics } from "./statistics.js";

function Head({ match }) {
  const facts = [match.title, match.round > 0 && rounds(match.round), match.lasted > 0 && length(match.lasted)];
  return html`
    <section class="card head grid">
      <div class="stamped"><h1>${moment(match.begun)}</h1><${State} match=${match} open=${match.open} /></div>
      <p class="soft">${facts.filter(Boolean).join(" · ")}</p>
      ${match.winner && html`<p class="winner">${match.winner}</p>`}
      <${Players} match=${match} />
      ${match.trouble && html`<p class="note differs">${match.trouble}</p>`}
    </section>`;
}

// What only whoever gave the PIN may do.
function Keeping({ match }) {
  const [asks, setAsks] = useState(false);
  const [answer, setAnswer] = useState(null);
  const url = form => `/api/history/${encodeURIComponent(match.id)}/export?form=${form}`;

  async function remove() {
    setAsks(false);
    try {
      const told = await ask(`/api/history/${encodeURIComponent(match.id)}/delete`, { match: match.id });
      if (told.deleted) location.replace(address(null));
      else setAnswer({ accepted: false, text: told.text || t("That did not work.") });
    } catch {
      setAnswer({ accepted: false, text: t("The referee does not answer. Trying again …") });
    }
  }

  return html`
    <section class="card grid" aria-labelledby="keeping">
      <h2 id="keeping">${t("Export and delete")}</h2>
      <p class="soft">${t("Without names, those who played or decided are called “player 1” or “judge 1”.")}</p>
      <div class="deeds">
        <a class="button" href=${url("json")} download>${t("JSON without names")}</a>
        <a class="button" href=${url("csv")} download>${t("CSV without names")}</a>
        <a class="button" href=${url("json") + "&names=true"} download>${t("JSON with names")}</a>
        <a class="button" href=${url("csv") + "&names=true"} download>${t("CSV with names")}</a>
        ${!match.open && html`<button type="button" class="danger" onClick=${() => setAsks(true)}>${t("Delete this match …")}</button>`}
      </div>
      <${Answer} answer=${answer} />
      ${asks && html`
        <${Dialog} title=${t("Delete this match?")} onClose=${() => setAsks(false)}>
          <p>${t("The match and all its pictures are deleted. Nobody can bring them back.")}</p>
          <div class="deeds">
            <button type="button" class="danger" onClick=${remove}>${t("Delete it for good")}</button>
            <button type="button" onClick=${() => setAsks(false)}>${t("Cancel")}</button>
          </div>
        <//>`}
    </section>`;
}

export const Match = ({ match, judges }) => html`
  <p><a class="button" href=${address(null)}>${t("← All matches")}</a></p>
  <${Head} match=${match} />
  ${match.measures.length > 0 && html`<${Statistics} match=${match} />`}
  ${match.rounds.length > 0 && html`<${Story} match=${match} />`}
  ${match.plain.length > 0 && html`<${Plain} lines=${match.plain} />`}
  ${judges ? html`<${Keeping} match=${match} />`
    : html`<p class="soft">${t("Whoever has the judge’s PIN can export or delete this match:")} <a href=${"/login?to=" + encodeURIComponent(address(match.id))}>${t("Log in")}</a></p>`}`;
