// How each part of the referee is: its heartbeat, its figures, and what to do.

import { html, useEffect, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { lang, t } from "../base/words.js";

const EVERY_MS = 2000;
const STATES = {
  good: () => ["✓", t("works"), "confirmed"], doubtful: () => ["!", t("look at it"), "waiting"],
  bad: () => ["✗", t("does not work"), "differs"], absent: () => ["–", t("not there"), "idle"],
};
const RANK = ["bad", "doubtful", "good", "absent"];
const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 4 });

const shown = value => value == null || value === "" ? "–" : typeof value === "number" ? number.format(value) : String(value);

function Part({ part }) {
  const [sign, words, kind] = STATES[part.state]();
  return html`
    <details class=${"card part " + kind} open=${part.state === "bad" || undefined}>
      <summary>
        <span class=${"stamp " + kind}><span class="sign" aria-hidden="true">${sign}</span> ${words}</span>
        <b>${part.title}</b>
        <span class="says">${part.says}</span>
        ${part.beat_s != null && html`<span class="soft small beat">${t("{n} s ago", { n: number.format(part.beat_s) })}</span>`}
      </summary>
      ${part.remedy && html`<p class="remedy">→ ${part.remedy}</p>`}
      <table><tbody>${part.values.map(([name, value]) => html`
        <tr key=${name}><th scope="row">${name}</th><td class="number">${shown(value)}</td></tr>`)}</tbody></table>
    </details>`;
}

export function Health() {
  const [told, setTold] = useState(null);
  useEffect(() => {
    let gone = false, timer = 0;
    async function look() {
      try {
        const found = await ask("/api/judge/diagnostics");
        if (!gone && found.ok) setTold(found);
      } catch { /* the page says itself that the referee does not answer */ }
      if (!gone) timer = setTimeout(look, EVERY_MS);
    }
    look();
    return () => { gone = true; clearTimeout(timer); };
  }, []);
  if (!told) return html`<p class="soft">${t("Asking all parts …")}</p>`;
  const parts = [...told.parts].sort((one, other) => RANK.indexOf(one.state) - RANK.indexOf(other.state));
  return html`
    <section class="grid health" aria-label=${t("Parts of the referee")}>
      ${parts.map(part => html`<${Part} key=${part.part} part=${part} />`)}
      <details class="card">
        <summary><b>${t("Log")}</b></summary>
        <ol class="log">${told.log.map((line, k) => html`
          <li key=${k} class=${line.level}><span class="number">${new Date(line.at * 1000).toLocaleTimeString(lang, { hourCycle: "h23" })}</span> <b>${line.level}</b> ${line.text}</li>`)}</ol>
        ${told.log.length === 0 && html`<p class="soft">${t("Nothing was logged.")}</p>`}
      </details>
    </section>`;
}
