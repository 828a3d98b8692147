// Which camera: chosen by its picture; what is wrong with the picture, and what to do.

import { html } from "../vendor/preact.js";
import { t } from "../base/words.js";
import { Live, Trouble } from "./parts.js";

const NONE = "none";

function Found({ found, chosen, locked, onChoose }) {
  return html`
    <ul class="cameras">
      ${found.map(({ spec, name }) => html`
        <li key=${spec}><button type="button" aria-pressed=${spec === chosen} disabled=${Boolean(locked)} onClick=${() => onChoose(spec)}>
          <${Live} camera=${spec} alt=${t("What {camera} sees now", { camera: name })} small />
          <span>${spec === chosen ? "✓ " : ""}${name}<small>${spec}</small></span>
        </button></li>`)}
    </ul>`;
}

export function Camera({ doc, deed }) {
  const { camera, settings, locked } = doc;
  const choose = spec => deed("/api/setup/settings", { camera: spec });
  const uses = camera.chosen && camera.chosen !== NONE;
  return html`
    <p>${t("Fix the camera above the table so that it sees all of it. Press the picture of the right one.")}</p>
    <${Found} found=${camera.found} chosen=${camera.chosen} locked=${locked} onChoose=${choose} />
    ${camera.trouble && html`<${Trouble} ...${camera.trouble} />`}
    ${uses && camera.complaints.map(each => html`<${Trouble} key=${each.what} ...${each} />`)}
    <div class="deeds">
      <button type="button" onClick=${() => deed("/api/setup/again", {})}>${t("Look for cameras again")}</button>
      <button type="button" aria-pressed=${camera.chosen === NONE} disabled=${Boolean(locked)} onClick=${() => choose(camera.chosen === NONE ? "" : NONE)}>${t("Play without a camera")}</button>
    </div>
    ${uses && html`
      <section class="grid">
        <h2>${t("Its settings")}</h2>
        <p>${t("The camera settles by itself, then holds exposure, white balance and focus, so that no colour changes when a hand comes. Let it settle anew after a change of the light.")}</p>
        ${camera.held.length > 0 && html`
          <ul class="held">${camera.held.map(each => html`<li key=${each.name}><span aria-hidden="true">${each.held ? "✓" : "!"}</span> ${each.name}: ${each.text}</li>`)}</ul>`}
        ${camera.held.length > 0 || camera.settling ? html`
          <div class="deeds"><button type="button" disabled=${Boolean(locked)} onClick=${() => deed("/api/setup/settle", {})}>${camera.settling ? t("It settles …") : t("Let it settle anew")}</button></div>`
          : html`<p class="soft">${t("This camera has nothing that can be set.")}</p>`}
        <label class="field">${t("Flicker of the lamps")}
          <select value=${String(settings.mains)} disabled=${Boolean(locked)} onChange=${event => deed("/api/setup/settings", { mains: Number(event.target.value) })}>
            <option value="0">${t("as the camera has it")}</option>
            <option value="50">${t("50 Hz (most of the world)")}</option>
            <option value="60">${t("60 Hz (the Americas)")}</option>
          </select></label>
      </section>`}`;
}
