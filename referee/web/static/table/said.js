// What the referee says: what keeps it from a verdict now, and the last verdict, which holds.

import { html } from "../vendor/preact.js";
import { Verdict } from "../base/parts.js";
import { t } from "../base/words.js";
import { Fit } from "./fit.js";

export function Said({ doc }) {
  const { verdict, last, over, winner, apart, recent } = doc;
  const before = recent.slice(1).find(each => each.holds);
  return html`
    <${Fit} name=${t("What the referee says")} most=${1.12}>
      ${verdict && html`<${Verdict} key="now" verdict=${verdict} last=${last} />`}
      <${Verdict} key="last" last=${last} over=${over} winner=${winner} brief=${apart} />
      ${before && html`<p class="soft before">${t("Before that: {what}", { what: before.words })}</p>`}
    <//>`;
}
