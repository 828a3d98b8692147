// The table as the camera sees it; tiles in it can be pressed to correct them.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { video } from "../base/link.js";
import { Tiles } from "../base/parts.js";
import { t } from "../base/words.js";

const STALE_S = 4;

export const Unseen = () => html`<p class="card unseen">${t("No camera is used: what happens is entered by hand.")}</p>`;

export function Picture({ doc, plays, onPick }) {
  const image = useRef(null);
  const [age, setAge] = useState(null);
  useEffect(() => video(image.current, "table", { onAge: seconds => setAge(seconds === null ? null : Math.floor(seconds)) }), []);
  const pressed = plays && doc.current && doc.tiles != null && doc.by_hand.faces.length > 0;
  const stale = age !== null && age >= STALE_S && !doc.review;
  const note = pressed ? t("Misread? Press the tile.") : doc.current ? ""
    : doc.tiles == null ? t("The camera has not read the table yet.")
    : t("Not readable just now; counted as it was read last.");
  return html`
    <figure class="card picture-card">
      <div class="seen">
        <img ref=${image} class=${age === null ? "none" : ""} alt=${t("The table as the camera sees it, with what was read")} />
        ${age === null && html`<p>${t("Waiting for the camera’s first picture …")}</p>`}
        ${pressed && html`<${Tiles} tiles=${doc.tiles} goods=${doc.goods} onPick=${onPick} />`}
        ${stale && html`<span class="stale">${t("The picture is {n} s old", { n: age })}</span>`}
      </div>
      <figcaption class="soft small">${note}</figcaption>
    </figure>`;
}
