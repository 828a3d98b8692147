// Matches on record: all of them, or the one that `?match=` names.

import { html, render, useEffect, useState } from "../vendor/preact.js";
import { access } from "../base/act.js";
import { Navigation } from "../base/parts.js";
import { lang, t, wordsReady } from "../base/words.js";
import { Match } from "./match.js";
import { Matches } from "./matches.js";

const chosen = new URLSearchParams(location.search).get("match");
// While files are still being read, and while a match is being played.
const SOON_MS = 700, LATER_MS = 20000, AGAIN_MS = 3000;

// What a route tells, asked again as often as it makes sense: [document, why there is none].
function useTold(path) {
  const [told, setTold] = useState(null);
  const [why, setWhy] = useState("");
  useEffect(() => {
    let timer = 0, stopped = false;
    async function load() {
      let wait = AGAIN_MS;
      try {
        const answer = await fetch(`${path}?lang=${lang}`, { cache: "no-store" });
        const doc = await answer.json();
        if (stopped) return;
        setWhy(answer.ok ? "" : doc.text || t("This page can’t be shown."));
        if (answer.ok) setTold(doc);
        // What is not there will not come.
        if (!answer.ok && answer.status < 500) return;
        wait = doc.read < doc.of ? SOON_MS : doc.open ? LATER_MS : 0;
      } catch {
        if (stopped) return;
        setWhy(t("The referee does not answer. Trying again …"));
      }
      if (wait) timer = setTimeout(load, wait);
    }
    load();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [path]);
  return [told, why];
}

function useAccess() {
  const [may, setMay] = useState("watch");
  useEffect(() => { access().then(setMay); }, []);
  return may;
}

function Page() {
  const [told, why] = useTold(chosen === null ? "/api/history" : "/api/history/" + encodeURIComponent(chosen));
  const may = useAccess();
  return html`
    <header><${Navigation} here="/history" /></header>
    <main class="grid">
      ${why && html`<p class="note differs" role="alert">${why}</p>`}
      ${!told && !why && html`<p class="soft" role="status">${t("Reading …")}</p>`}
      ${told && (chosen === null ? html`<${Matches} told=${told} />` : html`<${Match} match=${told} judges=${may === "judge"} />`)}
    </main>`;
}

await wordsReady;
document.title = t("History");
render(html`<${Page} />`, document.getElementById("history"));
