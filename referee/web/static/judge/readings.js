// Everything that is read, the doubtful first: tiles, pieces by field, the dial.

import { html, useState } from "../vendor/preact.js";
import { FaceDrawing } from "../base/parts.js";
import { plural, t } from "../base/words.js";
import { doubtOf, marginOf, percent, readAs, rivalsOf } from "./reading.js";

// The surer, the higher: what a person said comes last, what is in doubt first.
function sureness(tile) {
  if (doubtOf(tile)) return marginOf(tile) ?? 0;
  return tile.corrected != null ? 3 : 1 + (tile.down ? 1 : marginOf(tile) ?? 1);
}

const FILTERS = {
  all: () => t("All"), doubt: () => t("In doubt"), said: () => t("Corrected"), down: () => t("Face down"),
};
const KEEPS = {
  all: () => true, doubt: doubtOf, said: tile => tile.corrected != null, down: tile => tile.down && tile.corrected == null,
};

function Tiles({ doc, names, onPick, children }) {
  const [filter, setFilter] = useState("all");
  const [zone, setZone] = useState("");
  const { tiles } = doc.readings;
  const zones = [...new Set(tiles.map(tile => tile.zone ?? null))];
  const shown = tiles.filter(tile => KEEPS[filter](tile) && (zone === "" || String(tile.zone ?? null) === zone))
    .sort((one, other) => sureness(one) - sureness(other));
  return html`
    <div class="filters" role="group" aria-label=${t("Which tiles are listed")}>
      ${Object.entries(FILTERS).map(([key, words]) => {
        const n = tiles.filter(KEEPS[key]).length;
        return html`<button type="button" key=${key} aria-pressed=${filter === key} onClick=${() => setFilter(key)}>${words()} <b>${n}</b></button>`;
      })}
      <select aria-label=${t("Where they lie")} value=${zone} onChange=${event => setZone(event.target.value)}>
        <option value="">${t("everywhere")}</option>
        ${zones.map(each => html`<option key=${String(each)} value=${String(each)}>${names.zone(each)}</option>`)}
      </select>
      ${children}
    </div>
    <ul class="readings">${shown.map((tile, k) => html`
      <li key=${tile.tile ?? "new" + k}>
        <button type="button" class=${doubtOf(tile) ? "unsure" : ""} disabled=${tile.tile == null} onClick=${() => onPick({ kind: "tile", tile: tile.tile })}>
          <${FaceDrawing} label=${tile.corrected ?? tile.label ?? ""} goods=${doc.goods} />
          <span class="what"><b>${doubtOf(tile) ? "? " : tile.corrected != null ? "✎ " : ""}${readAs(tile, names)}</b><small>${names.zone(tile.zone)}</small></span>
          <span class="number">${rivalsOf(tile).length ? html`${percent(tile.rivals[0][1])}<small>+${percent(marginOf(tile))}</small>` : "–"}</span>
        </button>
      </li>`)}</ul>
    ${shown.length === 0 && html`<p class="soft">${t("None.")}</p>`}`;
}

function Fields({ doc, names, onPick }) {
  const { pieces, fields } = doc.readings;
  const unsure = Object.keys(fields.quads || {}).filter(field => !fields.sure.includes(field));
  const borne = [...new Set(pieces.map(piece => piece.field ?? null))]
    .sort((one, other) => fields.sure.includes(one) - fields.sure.includes(other) || String(one).localeCompare(String(other), undefined, { numeric: true }));
  if (!borne.length && !unsure.length) return null;
  return html`
    <h3>${t("Pieces by field")}</h3>
    <ul class="readings">${borne.map(field => {
      const here = pieces.filter(piece => (piece.field ?? null) === field);
      const sure = field !== null && fields.sure.includes(field);
      return html`
        <li key=${String(field)}>
          <button type="button" class=${sure ? "" : "unsure"} disabled=${field === null} onClick=${() => onPick({ kind: "field", field })}>
            <span class="dots">${here.map(piece => html`<span class="dot" key=${piece.piece} style=${{ background: piece.rgb || "transparent" }}></span>`)}</span>
            <span class="what"><b>${sure ? "" : "? "}${here.map(piece => piece.colour || "?").join(", ")}</b><small>${names.field(field)}</small></span>
            <span class="number">${percent(Math.min(...here.map(piece => piece.score)))}</span>
          </button>
        </li>`;
    })}</ul>
    ${unsure.length > 0 && html`<p class="soft small">${plural(unsure.length, "One field is not known for sure.", "{n} fields are not known for sure.")}</p>`}`;
}

export function Readings({ doc, names, onPick }) {
  const { readings } = doc;
  if (!readings) return html`<p class="soft">${t("Nothing was read yet.")}</p>`;
  const { dial } = readings;
  return html`
    <section class="grid list" aria-label=${t("Readings")}>
      <${Tiles} doc=${doc} names=${names} onPick=${onPick}>
        ${dial && html`
          <button type="button" class=${"dial" + (dial.certain ? "" : " unsure")} onClick=${() => onPick({ kind: "dial" })}>
            ${dial.certain ? "" : "? "}${t("Dial: {what}", { what: dial.label ?? (dial.rivals.join(t(" or ")) || "–") })}</button>`}
      <//>
      <${Fields} doc=${doc} names=${names} onPick=${onPick} />
    </section>`;
}
