// Pictures that a verdict rests on: at the buzzer and at the reveal side by side, both enlarged and
// moved as one.
//   <${Pictures} pictures=${[{ url, words }]} />

import { html, useRef, useState } from "../vendor/preact.js";
import { Dialog, rooted } from "../base/parts.js";
import { t } from "../base/words.js";

const MOST = 8;

export function Pictures({ pictures }) {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState([]);
  const there = pictures.filter(each => !gone.includes(each.url));
  if (!pictures.length) return null;
  if (!there.length) return html`<p class="soft small">${t("Its pictures are deleted.")}</p>`;
  const missing = url => setGone(old => [...old, url]);
  return html`
    <div class="pictures">
      <button type="button" class="thumbs" onClick=${() => setOpen(true)}>
        ${there.map(each => html`<img key=${each.url} src=${rooted(each.url)} alt="" loading="lazy" onError=${() => missing(each.url)} />`)}
        <span>${there.length > 1 ? t("Compare the pictures") : t("Look at the picture")}</span>
      </button>
      ${open && html`
        <${Dialog} title=${t("The pictures it rests on")} wide onClose=${() => setOpen(false)}>
          <${Compare} pictures=${there} onGone=${missing} />
        <//>`}
    </div>`;
}

// One view for all: what is enlarged in one is enlarged in each.
function Compare({ pictures, onGone }) {
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 });
  const fingers = useRef(new Map());
  const box = useRef(null);

  function moved(next) {
    const scale = Math.min(MOST, Math.max(1, next.scale));
    const most = (1 - 1 / scale) / 2;
    const inside = value => Math.min(most, Math.max(-most, value));
    setView({ scale, x: inside(next.x), y: inside(next.y) });
  }
  const zoom = by => moved({ ...view, scale: view.scale * by });

  function down(event) {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, [event.clientX, event.clientY]);
  }
  function drag(event) {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const other = [...fingers.current].find(([id]) => id !== event.pointerId);
    fingers.current.set(event.pointerId, now);
    const { width, height } = event.currentTarget.getBoundingClientRect();
    if (other) {
      const apart = point => Math.hypot(point[0] - other[1][0], point[1] - other[1][1]);
      moved({ ...view, scale: view.scale * apart(now) / Math.max(1, apart(before)) });
    } else {
      moved({ ...view, x: view.x - (now[0] - before[0]) / width / view.scale, y: view.y - (now[1] - before[1]) / height / view.scale });
    }
  }
  const up = event => fingers.current.delete(event.pointerId);
  function wheel(event) {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2);
  }
  function press(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (step) moved({ ...view, x: view.x + step[0] * .1 / view.scale, y: view.y + step[1] * .1 / view.scale });
    else return;
    event.preventDefault();
  }
  const style = {
    transform: "scale(" + view.scale + ") translate(" + -view.x * 100 + "%, " + -view.y * 100 + "%)",
  };
  return html`
    <div class="compare-tools">
      <button type="button" aria-label=${t("Larger")} onClick=${() => zoom(1.6)}>+</button>
      <button type="button" aria-label=${t("Smaller")} onClick=${() => zoom(1 / 1.6)}>−</button>
      <button type="button" onClick=${() => moved({ scale: 1, x: 0, y: 0 })}>${t("Whole picture")}</button>
    </div>
    <div class=${"compare of-" + Math.min(pictures.length, 2)} ref=${box}>
      ${pictures.map(each => html`
        <figure key=${each.url}>
          <figcaption>${each.words}</figcaption>
          <div class="pane" tabindex="0" role="group" aria-label=${t("{picture}: arrow keys move it, plus and minus enlarge it", { picture: each.words })}
              onPointerDown=${down} onPointerMove=${drag} onPointerUp=${up} onPointerCancel=${up} onWheel=${wheel} onKeyDown=${press}>
            <img src=${rooted(each.url)} style=${style} draggable=${false} alt=${t("The table as the camera saw it")} onError=${() => onGone(each.url)} />
          </div>
        </figure>`)}
    </div>`;
}
