// What was read at one place: its rivals, scores and margin; the second tap corrects it.

import { html } from "../vendor/preact.js";
import { Dialog, FaceDrawing } from "../base/parts.js";
import { t } from "../base/words.js";
import { doubtOf, marginOf, percent, readAs, rivalsOf } from "./reading.js";

const Meter = ({ score }) => html`<span class="meter" aria-hidden="true"><i style=${{ width: Math.round(score * 100) + "%" }}></i></span>`;

function Rivals({ rivals, names }) {
  if (!rivals.length) return null;
  return html`
    <table class="rivals">
      <thead><tr><th>${t("It may be")}</th><th class="number">${t("Score")}</th><th class="number">${t("Behind the first")}</th></tr></thead>
      <tbody>${rivals.map(([label, score]) => html`
        <tr key=${label}><td>${names.face(label)}</td><td class="number">${percent(score)} <${Meter} score=${score} /></td>
          <td class="number">${score === rivals[0][1] ? "–" : percent(rivals[0][1] - score)}</td></tr>`)}</tbody>
    </table>`;
}

const State = ({ doubt, sure }) => doubt
  ? html`<span class="state unsure">? ${t("in doubt")}</span>` : html`<span class="state sure">✓ ${sure || t("without doubt")}</span>`;

function Tile({ doc, tile, names, deeds, onPick, onClose }) {
  const { faces } = doc.by_hand;
  const order = [...new Set([...rivalsOf(tile).map(([label]) => label), ...faces])].filter(face => faces.includes(face));
  async function correct(label) {
    const spot = { kind: "tile", tile: tile.tile };
    onClose();
    await deeds.act({ do: "correct", text: label, to: tile.tile, frame: doc.readings.frame }, {
      words: t("The tile counts as {what}.", { what: names.face(label) }),
      back: { words: t("Say again what it shows"), press: () => onPick(spot) },
    });
  }
  return html`
    <p class="row"><b>${readAs(tile, names)}</b> <${State} doubt=${doubtOf(tile)} sure=${tile.corrected != null ? t("as a person said") : ""} />
      <span class="soft">${names.zone(tile.zone)}</span></p>
    <${Rivals} rivals=${rivalsOf(tile)} names=${names} />
    <p class="soft small">${t("That a tile lies here: {score}. First ahead of second: {margin}.", { score: percent(tile.found), margin: percent(marginOf(tile)) })}</p>
    ${order.length > 0 ? html`
      <h3>${t("It shows")}</h3>
      <div class="faces">${order.map(label => html`
        <button type="button" key=${label} value=${label} onClick=${() => correct(label)}>
          <${FaceDrawing} label=${label} goods=${doc.goods} /><span>${names.face(label)}</span>
        </button>`)}</div>
      <p class="soft small">${t("It counts at once, as long as the tile lies there.")}</p>`
      : html`<p class="note">${t("In this step no tile counts. What is on record can be set by hand.")}</p>`}`;
}

// Moves that name a field in the game's notation.
const movesOn = (doc, field) => [...doc.by_hand.rivals, ...doc.by_hand.choices]
  .filter(each => each.text.split(/[\s,:=*]+/).includes(field));

function Moves({ moves, deeds, doc, onClose }) {
  const from = doc.state;
  return html`
    <div class="deeds">${moves.map(each => html`
      <button type="button" key=${each.text} onClick=${() => {
        onClose();
        deeds.act({ do: "enter", text: each.text }, {
          words: t("Recorded: {what}", { what: each.words }),
          back: { words: t("Take it back"), press: () => deeds.undo(from, each.words) },
        });
      }}>${each.words}</button>`)}</div>`;
}

function Field({ doc, field, names, deeds, onFix, onClose }) {
  const { readings } = doc;
  const standing = readings.pieces.filter(piece => piece.field === field);
  const sure = readings.fields.sure.includes(field);
  const moves = movesOn(doc, field);
  return html`
    <p class="row"><b>${standing.length ? "" : t("No piece is seen here.")}</b> <${State} doubt=${!sure} /></p>
    ${standing.length > 0 && html`
      <table class="rivals">
        <thead><tr><th>${t("Piece")}</th><th class="number">${t("Score")}</th><th></th></tr></thead>
        <tbody>${standing.map(piece => html`
          <tr key=${piece.piece}><td>${piece.rgb && html`<span class="dot" style=${{ background: piece.rgb }}></span> `}${piece.colour || t("colour unknown")}</td>
            <td class="number">${percent(piece.score)} <${Meter} score=${piece.score} /></td>
            <td><${State} doubt=${!piece.certain} /></td></tr>`)}</tbody>
      </table>`}
    ${moves.length > 0 && html`<h3>${t("What happened here")}</h3><${Moves} moves=${moves} deeds=${deeds} doc=${doc} onClose=${onClose} />`}
    <div class="deeds"><button type="button" onClick=${() => { onClose(); onFix(field); }}>
      <span>${t("Set by hand what stands here")}</span><small>${t("Changes what is on record.")}</small></button></div>`;
}

function Dial({ doc, deeds, onFix, onClose }) {
  const { dial } = doc.readings;
  return html`
    <p class="row"><b>${dial.label != null ? dial.label : t("The number can’t be read.")}</b> <${State} doubt=${!dial.certain} /></p>
    ${dial.why && html`<p>${dial.why}</p>`}
    ${dial.rivals.length > 0 && html`<p>${t("It may be: {what}", { what: dial.rivals.join(t(" or ")) })}</p>`}
    ${doc.by_hand.choices.length > 0 && doc.device && doc.device.kind === "dial" && html`
      <h3>${t("It was")}</h3><${Moves} moves=${doc.by_hand.choices} deeds=${deeds} doc=${doc} onClose=${onClose} />`}
    <div class="deeds"><button type="button" onClick=${() => { onClose(); onFix(null); }}>
      <span>${t("Set the position by hand")}</span><small>${t("Changes what is on record.")}</small></button></div>`;
}

export function Spot({ doc, spot, names, deeds, onPick, onFix, onClose }) {
  const { readings } = doc;
  if (!readings) return null;
  const tile = spot.kind === "tile" ? readings.tiles.find(each => each.tile === spot.tile) : null;
  const gone = spot.kind === "tile" && !tile || spot.kind === "dial" && !readings.dial;
  const title = spot.kind === "tile" ? t("A tile") : spot.kind === "field" ? names.field(spot.field) : t("The dial");
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      ${gone ? html`<p>${t("It does not lie there any more.")}</p>`
        : tile ? html`<${Tile} doc=${doc} tile=${tile} names=${names} deeds=${deeds} onPick=${onPick} onClose=${onClose} />`
          : spot.kind === "field" ? html`<${Field} doc=${doc} field=${spot.field} names=${names} deeds=${deeds} onFix=${onFix} onClose=${onClose} />`
            : html`<${Dial} doc=${doc} deeds=${deeds} onFix=${onFix} onClose=${onClose} />`}
    <//>`;
}
