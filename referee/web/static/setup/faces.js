// The faces of the tiles: the kit's are known; others are taught from one photo in a grid.

import { html, useEffect, useState } from "../vendor/preact.js";
import { plural, t } from "../base/words.js";
import { Live, Note, Trouble } from "./parts.js";

// What people call a face: the drawing and how often it is there.
const named = (labels, name) => {
  const face = labels.find(each => each.label === name);
  return face ? face.good + " " + face.worth : name === "back" ? t("face down") : name;
};

function Books({ faces, locked, deed }) {
  return html`
    <fieldset class="choice"><legend>${t("Which faces are read")}</legend>
      ${faces.books.map(each => html`
        <label class="check" key=${each.book}><input type="radio" name="book" checked=${each.book === faces.chosen} disabled=${Boolean(locked)}
          onChange=${() => deed("/api/setup/settings", { book: each.book })} /> <span>${each.name}</span></label>`)}
    </fieldset>`;
}

function Grid({ camera, size, faces, deed }) {
  const [rows, setRows] = useState(3);
  const [columns, setColumns] = useState(3);
  const take = event => {
    event.preventDefault();
    deed("/api/setup/photo", { rows: Number(rows), columns: Number(columns) });
  };
  return html`
    <form class="grid" onSubmit=${take}>
      <p>${t("Lay one tile of each face on a plain cloth below the camera, upright, apart, in straight rows; one of them face down, if its back is to be known.")}</p>
      <${Live} camera=${camera} size=${size} alt=${t("What the camera sees now")} />
      <div class="row">
        <label class="field">${t("Rows")} <input type="number" min="1" max="20" value=${rows} onInput=${event => setRows(event.target.value)} /></label>
        <label class="field">${t("Tiles in a row")} <input type="number" min="1" max="20" value=${columns} onInput=${event => setColumns(event.target.value)} /></label>
        <button class="primary" disabled=${faces.photo.running}>${faces.photo.running ? t("Looking for the tiles …") : t("Take the photo")}</button>
      </div>
      ${faces.photo.trouble && html`<${Trouble} ...${faces.photo.trouble} />`}
    </form>`;
}

function Names({ faces, deed }) {
  const [rows, columns] = faces.photo.grid;
  const count = rows * columns;
  const [names, setNames] = useState(() => Array(count).fill(""));
  const stamp = faces.photo.grid.join();
  useEffect(() => setNames(Array(count).fill("")), [stamp]);
  const labels = [...faces.labels.map(each => each.label), "back"];
  const put = (k, value) => setNames(old => old.map((name, j) => j === k ? value : name));
  const teach = event => {
    event.preventDefault();
    deed("/api/setup/teach", { names });
  };
  return html`
    <form class="grid" onSubmit=${teach}>
      <h2>${t("Name the tiles")}</h2>
      <div class="cuts" style=${{ gridTemplateColumns: "repeat(" + columns + ", minmax(6rem, 1fr))" }}>
        ${names.map((name, k) => html`
          <label key=${k} class="field"><img src=${"/api/setup/cut/" + k + ".png?of=" + stamp} alt="" />
            <span class="only-read">${t("Tile {n}", { n: k + 1 })}</span>
            <select value=${name} onChange=${event => put(k, event.target.value)} required>
              <option value="">${t("which?")}</option>
              ${labels.map(label => html`<option key=${label} value=${label}>${named(faces.labels, label)}</option>`)}
            </select></label>`)}
      </div>
      <button class="primary" disabled=${faces.lesson.running}>${faces.lesson.running ? t("Teaching …") : t("Teach these faces")}</button>
      ${faces.lesson.trouble && html`<${Trouble} ...${faces.lesson.trouble} />`}
    </form>`;
}

const Cut = ({ k, name }) => html`<figure><img src=${"/api/setup/cut/" + k + ".png"} alt="" /><figcaption>${name}</figcaption></figure>`;

function Lesson({ lesson, labels, locked, deed }) {
  const [name, setName] = useState("");
  const missing = labels.map(each => each.label).filter(label => !lesson.names.includes(label));
  const save = event => {
    event.preventDefault();
    deed("/api/setup/faces", { name });
  };
  return html`
    <section class="grid">
      <h2>${plural(new Set(lesson.names).size, "One face was taught", "{n} faces were taught")}</h2>
      ${missing.length > 0 && html`<${Note} state="wrong">${t("These faces of the edition are missing: {names}. The referee can't name them.", { names: missing.map(label => named(labels, label)).join(", ") })}<//>`}
      ${lesson.alike.length > 0 && html`
        <div class="note waiting">${t("These look alike: in some light the camera may not tell them apart, and will ask.")}
          ${lesson.alike.map(([one, other]) => html`<div class="pair" key=${one + "-" + other}><${Cut} k=${one} name=${named(labels, lesson.names[one])} /><${Cut} k=${other} name=${named(labels, lesson.names[other])} /></div>`)}</div>`}
      ${lesson.hidden.length > 0 && html`
        <div class="note waiting">${t("These have nearly the colour of what they lie on: play on a cloth of another colour.")}
          <div class="pair">${lesson.hidden.map(k => html`<${Cut} key=${k} k=${k} name=${named(labels, lesson.names[k])} />`)}</div></div>`}
      <form class="row" onSubmit=${save}>
        <label class="field">${t("Name of these faces")} <input value=${name} maxlength="40" required autocomplete="off" onInput=${event => setName(event.target.value)} /></label>
        <button class="primary" disabled=${Boolean(locked)}>${t("Use these faces")}</button>
      </form>
    </section>`;
}

export function Faces({ doc, deed }) {
  const { faces, camera, locked } = doc;
  const uses = camera.chosen && camera.chosen !== "none";
  return html`
    <p>${t("Tiles of the printed kit need nothing here. The tiles of another copy are taught from one photo.")}</p>
    <${Books} faces=${faces} locked=${locked} deed=${deed} />
    <details open=${Boolean(faces.photo.grid)}><summary>${t("Teach other tiles from one photo")}</summary>
      ${uses ? html`<${Grid} camera=${camera.chosen} size=${camera.size} faces=${faces} deed=${deed} />`
        : html`<p><a href="#camera">${t("Choose a camera")}</a></p>`}
      ${faces.photo.grid && html`<${Names} faces=${faces} deed=${deed} />`}
      ${faces.lesson.names.length > 0 && html`<${Lesson} lesson=${faces.lesson} labels=${faces.labels} locked=${locked} deed=${deed} />`}
    </details>`;
}
