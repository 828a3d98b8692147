// What several steps share.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { t } from "../base/words.js";

export const SIGNS = { done: "✓", wrong: "!", todo: "○" };
const MEANING = { done: "confirmed", wrong: "differs", todo: "waiting" };

export const Note = ({ state, children }) => html`
  <p class=${"note " + MEANING[state]} role="status"><span aria-hidden="true">${SIGNS[state]}</span> <span>${children}</span></p>`;

// What is wrong, and what to do about it.
export const Trouble = ({ what, remedy }) => html`
  <p class="note differs"><b>${what}</b> ${remedy}</p>`;

const PAUSE_MS = 350, RETRY_MS = 1200;

// The newest picture of a camera; `children` are drawn over it, in its pixels.
export function Live({ camera, size, alt, small, children }) {
  const [n, setN] = useState(0);
  const [there, setThere] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const again = (ms, seen) => {
    setThere(seen);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setN(k => k + 1), document.hidden ? RETRY_MS : ms);
  };
  const [width, height] = size && size[0] ? size : [16, 9];
  return html`
    <div class=${"live" + (small ? " small" : "")} style=${{ aspectRatio: width + "/" + height }}>
      <img src=${"/api/setup/picture.jpg?camera=" + encodeURIComponent(camera) + "&n=" + n} alt=${alt}
        onLoad=${() => again(small ? 2 * PAUSE_MS : PAUSE_MS, true)} onError=${() => again(RETRY_MS, false)} class=${there ? "" : "away"} />
      ${!there && html`<span class="waits">${t("Waiting for a picture …")}</span>`}
      ${size && size[0] ? html`<svg viewBox=${"0 0 " + width + " " + height} aria-hidden="true">${children}</svg>` : null}
    </div>`;
}

export const points = outline => outline.map(point => point.join(",")).join(" ");
export const middle = outline => [0, 1].map(axis =>
  outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
