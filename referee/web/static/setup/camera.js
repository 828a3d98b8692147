// Which camera: chosen by its picture; what is wrong with the picture, and what to do.

import { html, useState } from "../vendor/preact.js";
import { t } from "../base/words.js";
import { Live, Trouble } from "./parts.js";

const NONE = "none";

// One that is used and is no camera of this computer is shown too.
const listed = ({ found, chosen }) => !chosen || chosen === NONE || found.some(each => each.spec === chosen)
  ? found : [...found, { spec: chosen, name: t("Chosen camera") }];

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

function Network({ locked, onChoose }) {
  const [address, setAddress] = useState("");
  const submit = event => {
    event.preventDefault();
    onChoose(address.trim());
  };
  return html`
    <form class="row" onSubmit=${submit}>
      <label class="field">${t("Its address, such as rtsp://192.168.1.20/stream; a password in it stays on this computer")}
        <input value=${address} pattern="(rtsps?|https?)://.+" required autocomplete="off" maxlength="400" onInput=${event => setAddress(event.target.value)} /></label>
      <button disabled=${Boolean(locked)}>${t("Use this camera")}</button>
    </form>`;
}

export function Camera({ doc, deed }) {
  const { camera, settings, locked } = doc;
  const choose = spec => deed("/api/setup/settings", { camera: spec });
  const uses = camera.chosen && camera.chosen !== NONE;
  return html`
    <p>${t("Fix the camera above the table so that it sees all of it. Press the picture of the right one.")}</p>
    <${Found} found=${listed(camera)} chosen=${camera.chosen} locked=${locked} onChoose=${choose} />
    <details><summary>${t("A camera on the network")}</summary><${Network} locked=${locked} onChoose=${choose} /></details>
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
