// The audit trail: every event in words, what was taken back struck out; the way to any earlier state.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { Rules } from "../base/parts.js";
import { lang, plural, t } from "../base/words.js";
import { Pictures } from "./evidence.js";

const COUNT = 50, TYPED_MS = 300;
const FILTERS = {
  "": () => t("All"), moves: () => t("Moves"), verdicts: () => t("Verdicts"), rulings: () => t("People’s word"),
  box: () => t("Box"), program: () => t("Program"), gone: () => t("Taken back"),
};
const CAUSES = { camera: () => t("camera"), box: () => t("box"), person: () => t("person"), referee: () => t("referee") };

const clock = at => new Date(at * 1000).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const day = at => new Date(at * 1000).toLocaleDateString(lang, { weekday: "short", day: "numeric", month: "long" });

function address({ filter, words }, before) {
  const query = new URLSearchParams({ count: COUNT });
  if (filter === "gone") query.set("gone", "true");
  else if (filter) query.set("group", filter);
  if (words) query.set("text", words);
  if (before) query.set("before", before);
  return "/api/judge/audit?" + query;
}

export function Record({ doc, deeds, wanted }) {
  const [filter, setFilter] = useState(wanted || "");
  const [words, setWords] = useState("");
  const [told, setTold] = useState(null);
  const asked = useRef(0);
  const timer = useRef(0);
  useEffect(() => { if (wanted) setFilter(wanted); }, [wanted]);

  async function load(before, reach) {
    const mine = ++asked.current;
    let page;
    try { page = await ask(address({ filter, words }, before)); } catch { return; }
    if (mine !== asked.current || !page.ok) return;
    setTold(old => before && old ? { ...page, rows: [...old.rows, ...page.rows] } : page);
    if (reach && page.next && page.rows.length < reach) load(page.next, reach - page.rows.length);
  }
  // What was already opened stays open when something new happens.
  useEffect(() => { load(null, told ? told.rows.length : 0); }, [doc.match, doc.seq, filter, words]);

  function typed(event) {
    const { value } = event.target;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWords(value.trim()), TYPED_MS);
  }
  let before = null;
  return html`
    <section class="grid record" aria-label=${t("The record")}>
      <div class="filters" role="group" aria-label=${t("Which events are listed")}>
        ${Object.entries(FILTERS).map(([key, name]) => html`
          <button type="button" key=${key} aria-pressed=${filter === key} onClick=${() => setFilter(key)}>${name()}</button>`)}
        <input type="search" aria-label=${t("Search in the record")} placeholder=${t("Search")} onInput=${typed} maxlength="100" />
      </div>
      ${told && told.trouble && html`<p class="note differs">${told.trouble}</p>`}
      <ol class="trail">${(told ? told.rows : []).map(row => {
        const head = day(row.at) !== before;
        before = day(row.at);
        return html`
          ${head && html`<li class="day" key=${"day" + row.seq}>${before}</li>`}
          <${Row} key=${row.seq} row=${row} deeds=${deeds} />`;
      })}</ol>
      ${told && told.rows.length === 0 && html`<p class="soft">${t("None.")}</p>`}
      ${told && told.next && html`<button type="button" class="more" onClick=${() => load(told.next)}>${t("Older events")}</button>`}
      ${told && html`<p class="soft small">${plural(told.total, "One event is on record.", "{n} events are on record.")}
        ${" "}${t("Hash of the newest: {hash}", { hash: told.head.hash.slice(0, 16) })}</p>`}
    </section>`;
}

// A long one shows its first sentence; the rest on demand.
const LONG = /^(.{30,180}?[.!?]) (.{40,})$/s;
function Told({ words, gone }) {
  const mark = gone && html` <small class="gone-mark">${t("taken back")}</small>`;
  const strike = text => gone ? html`<s>${text}</s>` : text;
  const [, first, rest] = words.match(LONG) || [null, words, ""];
  if (!rest) return html`${strike(first)}${mark}`;
  return html`<details class="long"><summary>${strike(first)} …${mark}</summary>${strike(rest)}</details>`;
}

function Row({ row, deeds }) {
  const who = row.cause === "person" ? row.who : CAUSES[row.cause] ? CAUSES[row.cause]() : row.cause;
  return html`
    <li class=${"event " + row.cause + (row.gone ? " gone" : "")} data-seq=${row.seq}>
      <span class="when number">${clock(row.at)}<small>${row.seq}</small></span>
      <span class="told">
        <${Told} words=${row.words} gone=${row.gone} />${" "}
        <${Rules} rules=${row.rules} />
        <small class="who">${row.ruled ? "✎ " : ""}${who}</small>
      </span>
      <${Pictures} pictures=${row.evidence} />
      ${row.back != null && html`
        <button type="button" class="to" data-back=${row.back} onClick=${() => deeds.undo(row.back, row.words)}>↶ ${t("Back to before this …")}</button>`}
    </li>`;
}
