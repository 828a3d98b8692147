// Long texts are written smaller before anything has to be scrolled, and short ones larger:
// nobody scrolls a television. What is inside is measured in em.

import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";

const LEAST = 0.66, STEP = 0.06;
// Below this, what can be missed is left out (".tight" in the page's style).
const TIGHT = 0.88;
// As in table.css: elsewhere the page is scrolled as any other.
const wide = matchMedia("(min-width: 960px) and (min-aspect-ratio: 5/4)");

export function Fit({ name, most = 1, children }) {
  const node = useRef(null), content = useRef(null);
  const [full, setFull] = useState(false);
  function fit() {
    const box = node.current;
    const over = () => box.scrollHeight > box.clientHeight + 1;
    let size = wide.matches ? most : 1;
    const draw = () => {
      box.style.setProperty("--fit", size);
      box.classList.toggle("tight", size < TIGHT);
    };
    draw();
    while (wide.matches && over() && size > LEAST) {
      size -= STEP;
      draw();
    }
    setFull(over());
  }
  useLayoutEffect(fit);
  useLayoutEffect(() => {
    const watching = new ResizeObserver(fit);
    watching.observe(node.current);
    watching.observe(content.current);
    return () => watching.disconnect();
  }, []);
  const reached = full ? { tabindex: 0, role: "group", "aria-label": name } : {};
  return html`<div class="fit" ref=${node} ...${reached}><div class="content" ref=${content}>${children}</div></div>`;
}
