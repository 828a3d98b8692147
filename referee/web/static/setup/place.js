// The place itself: its screens' language, who may watch, the paper that the kit is printed on.

import { html } from "../vendor/preact.js";
import { t } from "../base/words.js";

function Choice({ legend, name, value, options, onChange }) {
  return html`
    <fieldset class="choice"><legend>${legend}</legend>
      ${options.map(([key, words]) => html`
        <label class="check" key=${key}><input type="radio" name=${name} checked=${value === key} onChange=${() => onChange(key)} /> <span>${words}</span></label>`)}
    </fieldset>`;
}

export function Place({ doc, deed }) {
  const { settings, reach } = doc;
  const set = (name, value) => deed("/api/setup/settings", { [name]: value });
  return html`
    <p>${t("Set up once; all of it can be changed later. Nothing leaves this computer.")}</p>
    <${Choice} legend=${t("Language of the screens")} name="language" value=${settings.language}
      options=${[["", t("As each device asks for")], ["de", "Deutsch"], ["en", "English"]]} onChange=${value => set("language", value)} />
    <${Choice} legend=${t("Who may watch the table screen and the stream overlay")} name="watchers" value=${settings.watchers}
      options=${[["here", t("Only this computer")], ["network", t("Every device on this network; judging still needs the PIN")]]} onChange=${value => set("watchers", value)} />
    ${reach.text && html`<p class="note waiting">${reach.text} ${t("Stop the program with Ctrl-C and start it again; a running match goes on where it was.")}</p>`}
    ${reach.lan && html`<p>${t("The addresses are on the page to print:")} <a href="/kit">${t("Print")}</a></p>`}
    <${Choice} legend=${t("Paper in the printer")} name="paper" value=${settings.paper}
      options=${[["a4", "A4"], ["letter", "Letter"]]} onChange=${value => set("paper", value)} />`;
}
