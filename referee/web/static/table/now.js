// Whose turn it is, and what is to be done: the first thing that anybody looks for.

import { html } from "../vendor/preact.js";
import { Rules, Seat, SeatMark } from "../base/parts.js";
import { t } from "../base/words.js";

function Who({ doc }) {
  const acting = doc.lines.filter(line => line.acts);
  if (!acting.length) return null;
  if (acting.length > 1 && acting.length === doc.lines.length)
    return html`<span class=${acting.length > 1 ? "who several" : "who"}>${acting.map(line => html`<${SeatMark} key=${line.name} seat=${line} />`)} ${t("Everybody")}</span>`;
  return html`<span class=${acting.length > 1 ? "who several" : "who"}>${acting.map(line => html`<${Seat} key=${line.name} seat=${line} />`)}</span>`;
}

function told(doc) {
  if (!doc.step) return doc.winner;
  const { device, step } = doc;
  if (device && device.kind === "dial" && device.stage === "running") return t("The arrow turns …");
  return step.instruction;
}

export function Now({ doc, children }) {
  const text = told(doc);
  return html`
    <section class="card now" aria-live="polite" aria-label=${t("What is to be done")}>
      <h2 class="turn">
        ${doc.step ? html`<${Who} doc=${doc} /> <span class="step">${doc.step.title}</span> <${Rules} rules=${[doc.step.rule]} />`
          : html`<span class="who">★ ${t("The game is over")}</span>`}
      </h2>
      <p class=${"instruction" + (text.length > 105 ? " longest" : text.length > 60 ? " long" : "")}>${text}</p>
      ${doc.apart && html`<p class="note differs">${t("Table and record differ: verdicts pause until they agree again.")}</p>`}
      ${doc.behind && html`<p class="soft small">${t("The table need not show yet what was entered by hand.")}</p>`}
      ${children}
    </section>`;
}
