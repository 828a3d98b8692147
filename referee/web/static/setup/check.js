// The check before a match: a minute in which the referee shows that it sees, rules and can be overruled.

import { html } from "../vendor/preact.js";
import { decider } from "../base/act.js";
import { t } from "../base/words.js";
import { Note } from "./parts.js";

const MARKS = { passed: ["done", "✓"], failed: ["wrong", "!"], skipped: ["todo", "–"] };
const marks = { passed: () => t("passed"), failed: () => t("failed"), skipped: () => t("skipped") };

function Prompt({ prompt, deed }) {
  const say = reply => deed("/api/setup/check/reply", { step: prompt.step, reply });
  return html`
    <section class="card prompt" aria-live="polite">
      <h2>${prompt.title}</h2>
      <p class="task">${prompt.text}</p>
      ${prompt.said && html`<p class="soft">${t("The referee says:")} ${prompt.said}</p>`}
      <div class="deeds">
        ${prompt.asks === "answer" && html`
          <button type="button" class="primary" onClick=${() => say("yes")}>${t("Yes")}</button>
          <button type="button" onClick=${() => say("no")}>${t("No")}</button>`}
        ${prompt.asks === "deed" && html`<button type="button" class="primary" onClick=${() => say("done")}>${t("Done")}<small>${t("it is noticed by itself, too")}</small></button>`}
        <button type="button" onClick=${() => say("skip")}>${t("Skip")}</button>
      </div>
    </section>`;
}

export function Check({ doc, deed }) {
  const { check, match } = doc;
  return html`
    <p>${t("As a goal-line system is tested before each match: a known layout, one legal, one illegal, one doubtful case, lights, buzzer, arrow and overruling. Then all is taken back, and the result is signed into the match's record.")}</p>
    ${!match.open && html`<p><a href="#match">${t("Begin a match first")}</a></p>`}
    ${match.open && !check.can && !check.running && html`<${Note} state="todo">${t("This match has begun: it is checked before the first move.")}<//>`}
    ${check.can && !check.running && html`
      <div class="deeds"><button type="button" class="primary" onClick=${() => deed("/api/setup/check", { by: decider() || "judge" })}>${t("Begin the check")}</button></div>`}
    ${check.prompt && html`<${Prompt} prompt=${check.prompt} deed=${deed} />`}
    ${check.running && html`<div class="deeds"><button type="button" class="quiet" onClick=${() => deed("/api/setup/check/stop", {})}>${t("Break the check off")}</button></div>`}
    <ul class="checklist">${check.results.map(each => html`
      <li key=${each.step} class=${MARKS[each.mark][0]}><span class="sign" aria-hidden="true">${MARKS[each.mark][1]}</span>
        <span><b>${each.title}</b><span class="only-read">: ${marks[each.mark]()}</span> ${each.reason}</span></li>`)}</ul>
    ${match.open && !check.running && html`<p class="onward"><a class="button primary" href="/">${t("To the table screen")}</a></p>`}`;
}
