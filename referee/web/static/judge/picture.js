// The table as the camera sees it now. Everything that is read in it can be pressed: tiles, fields.
//   <${Picture} doc=${doc} names=${names} picked=${spot} onPick=${spot => …} />
//     spot: { kind: "tile", tile } | { kind: "field", field } | { kind: "dial" }

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { video } from "../base/link.js";
import { t } from "../base/words.js";
import { doubtOf, readAs } from "./reading.js";

const STALE_S = 4;
const SCALES = [1, 2, 3];

const points = quad => quad.map(point => point.join(",")).join(" ");
const middle = quad => [0, 1].map(axis => quad.reduce((sum, point) => sum + point[axis], 0) / quad.length);
export const same = (one, other) => one != null && other != null && one.kind === other.kind
  && one.tile === other.tile && one.field === other.field;

// Everything that can be pressed, fields first, so that a tile on one lies above it.
export function spotsOf(readings, names, marked) {
  const fields = Object.entries(readings.fields.quads || {}).map(([field, quad]) => {
    const standing = readings.pieces.filter(piece => piece.field === field);
    const sure = readings.fields.sure.includes(field);
    const what = standing.length ? standing.map(piece => piece.colour || "?").join(", ") : t("no piece");
    return {
      spot: { kind: "field", field }, quad, sign: standing.length && !sure ? "?" : "",
      kind: "field" + (standing.length ? " borne" : "") + (sure ? "" : " unsure"),
      words: t("{place}: {what}", { place: names.field(field), what }) + (sure ? "" : " (" + t("in doubt") + ")"),
    };
  });
  const tiles = readings.tiles.filter(tile => tile.tile != null).map(tile => {
    const doubt = doubtOf(tile);
    const concerned = marked.includes(tile.tile);
    return {
      spot: { kind: "tile", tile: tile.tile }, quad: tile.quad,
      sign: tile.corrected != null ? "✎" : doubt ? "?" : concerned ? "!" : "",
      kind: "tile" + (tile.corrected != null ? " corrected" : doubt ? " unsure" : "") + (concerned ? " concerned" : ""),
      words: t("Tile, {place}: {what}", { place: names.zone(tile.zone), what: readAs(tile, names) }) + (doubt ? " (" + t("in doubt") + ")" : ""),
    };
  });
  return [...fields, ...tiles];
}

function Spots({ doc, names, picked, onPick }) {
  const [at, setAt] = useState(0);
  const group = useRef(null);
  const { readings } = doc;
  const spots = spotsOf(readings, names, doc.verdict && doc.verdict.tiles || []);
  const here = Math.min(at, spots.length - 1);
  const size = Math.round(readings.size[0] / 45);
  function press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") onPick(spots[here].spot);
    else if (!step) return;
    else {
      const next = (here + step + spots.length) % spots.length;
      setAt(next);
      group.current.querySelectorAll("polygon")[next].focus();
    }
    event.preventDefault();
  }
  return html`
    <svg class="spots" ref=${group} viewBox=${"0 0 " + readings.size.join(" ")} role="group"
        aria-label=${t("What is read on the table")} onKeyDown=${press}>
      ${spots.map((each, k) => html`
        <polygon key=${each.spot.kind + (each.spot.tile ?? each.spot.field)} points=${points(each.quad)} role="button"
          data-spot=${each.spot.tile ?? each.spot.field} aria-label=${each.words} tabindex=${k === here ? 0 : -1}
          class=${each.kind + (same(each.spot, picked) ? " picked" : "")}
          onClick=${() => onPick(each.spot)} onFocus=${() => setAt(k)} />`)}
      ${spots.filter(each => each.sign).map(each => {
        const [x, y] = middle(each.quad);
        return html`<text key=${"s" + each.spot.kind + (each.spot.tile ?? each.spot.field)} class=${each.kind} x=${x} y=${y + size / 3} font-size=${size} aria-hidden="true">${each.sign}</text>`;
      })}
    </svg>`;
}

export function Picture({ doc, names, picked, onPick }) {
  if (!doc.camera) return html`<p class="card unseen">${t("No camera is used: what happens is entered by hand.")}</p>`;
  return html`<${Seen} doc=${doc} names=${names} picked=${picked} onPick=${onPick} />`;
}

function Seen({ doc, names, picked, onPick }) {
  const image = useRef(null);
  const [age, setAge] = useState(null);
  const [scale, setScale] = useState(0);
  useEffect(() => video(image.current, "judge", { onAge: seconds => setAge(seconds === null ? null : Math.floor(seconds)) }), []);
  const { readings } = doc;
  const stale = age !== null && age >= STALE_S;
  const [width, height] = readings ? readings.size : [16, 9];
  const ratio = { "--ratio": width / height };
  return html`
    <figure class="seen">
      <div class="frame" style=${ratio} tabindex=${scale ? 0 : -1} role="region" aria-label=${t("The camera’s picture")}>
        <div class="film" style=${{ width: 100 * SCALES[scale] + "%" }}>
          <img ref=${image} class=${age === null ? "none" : ""} alt=${t("The table as the camera sees it, with what was read")} />
          ${readings && html`<${Spots} doc=${doc} names=${names} picked=${picked} onPick=${onPick} />`}
        </div>
        ${age === null && html`<p class="waiting-picture">${t("Waiting for the camera’s first picture …")}</p>`}
      </div>
      ${stale && html`<span class="stale">${t("The picture is {n} s old", { n: age })}</span>`}
      <figcaption>
        <span class="soft small">${!readings ? t("Nothing was read yet.") : doc.current ? t("Press a tile or a field to see how it was read, and to correct it.")
          : t("The marks show how the table lay before: it can’t be read just now.")}</span>
        <button type="button" class="scale" onClick=${() => setScale((scale + 1) % SCALES.length)}>
          <span aria-hidden="true">⌕</span> ${t("{n} times", { n: SCALES[scale] })}</button>
      </figcaption>
    </figure>`;
}
