// The hourglass: it runs down smoothly by the server's clock.
//   <${Hourglass} device=${{ end, seconds }} kind="card glass" />

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { serverNow } from "./link.js";
import { t } from "./words.js";

const OUTLINE = "M14 4h72v8h-5c0 26-12 38-25 48 13 10 25 22 25 48h5v8H14v-8h5c0-26 12-38 25-48C31 50 19 38 19 12h-5z";
const UPPER = "M25 12h50c0 22-12 33-24 44h-2C37 45 25 34 25 12z";
const LOWER = "M25 108c0-22 12-33 24-44h2c12 11 24 22 24 44z";
const LAST_S = 5;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function Hourglass({ device, kind }) {
  const { end, seconds } = device;
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil(end - serverNow())));
  const above = useRef(null), below = useRef(null), stream = useRef(null), bar = useRef(null);
  useEffect(() => {
    let frame = 0;
    function draw() {
      const rest = Math.max(0, Math.min(seconds, end - serverNow()));
      const part = (calm.matches ? Math.ceil(rest) : rest) / seconds;
      // The sand above lies on 56, that below on 108.
      above.current.setAttribute("y", 56 - 38 * part);
      below.current.setAttribute("y", 72 + 36 * part);
      stream.current.style.opacity = rest > 0 ? "1" : "0";
      bar.current.style.transform = "scaleX(" + part + ")";
      setLeft(Math.ceil(rest));
      frame = requestAnimationFrame(draw);
    }
    draw();
    return () => cancelAnimationFrame(frame);
  }, [end, seconds]);
  return html`
    <section class=${kind + (left <= LAST_S ? " last" : "")} role="timer" aria-label=${t("Hourglass")}>
      <svg viewBox="0 0 100 120" aria-hidden="true">
        <defs><clipPath id="upper"><path d=${UPPER} /></clipPath><clipPath id="lower"><path d=${LOWER} /></clipPath></defs>
        <path class="frame" fill-rule="evenodd" d=${OUTLINE + UPPER + LOWER} />
        <g clip-path="url(#upper)"><rect class="fill" ref=${above} x="10" width="80" height="44" /></g>
        <g clip-path="url(#lower)">
          <rect class="fill" ref=${stream} x="49" y="64" width="2" height="44" />
          <rect class="fill" ref=${below} x="10" width="80" height="40" />
        </g>
      </svg>
      <p><b class="number">${left}</b> <span>${left === 1 ? t("second left") : left ? t("seconds left") : t("Time is up")}</span></p>
      <i class="run" ref=${bar}></i>
    </section>`;
}
