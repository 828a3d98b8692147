// What the referee says: what keeps it from a verdict now, and the last verdict, which holds.

import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { Verdict } from "../base/parts.js";
import { t } from "../base/words.js";

const STEPS = [1, 0.94, 0.88, 0.82, 0.76, 0.7];

// Long verdicts are written smaller before anything has to be scrolled: nobody scrolls a television.
function Fit({ children }) {
  const node = useRef(null);
  const [full, setFull] = useState(false);
  function fit() {
    const box = node.current;
    for (const step of STEPS) {
      box.style.setProperty("--fit", step);
      if (box.scrollHeight <= box.clientHeight + 1) break;
    }
    setFull(box.scrollHeight > box.clientHeight + 1);
  }
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    const watching = new ResizeObserver(fit);
    watching.observe(node.current);
    return () => watching.disconnect();
  }, []);
  return html`<div class="fit" ref=${node} tabindex=${full ? 0 : null} role=${full ? "group" : null} aria-label=${full ? t("What the referee says") : null}>${children}</div>`;
}

export function Said({ doc }) {
  const { verdict, last, over, winner, apart, recent } = doc;
  const before = recent.slice(1).find(each => each.holds);
  return html`
    <${Fit}>
      ${verdict && html`<${Verdict} key="now" verdict=${verdict} last=${last} />`}
      <${Verdict} key="last" last=${last} over=${over} winner=${winner} brief=${apart} />
      ${before && html`<p class="soft before">${t("Before that: {what}", { what: before.words })}</p>`}
    <//>`;
}
