// The box: which port, does it answer, and does each of its parts work.

import { html } from "../vendor/preact.js";
import { t } from "../base/words.js";

const TRIALS = {
  hello: () => t("Greet it"), light: () => t("Ring of lights"), buzz: () => t("Sound"), glass: () => t("Hourglass of 5 seconds"),
  arrow: () => t("Arrow to the bottom right"), "arrow-back": () => t("Arrow to the top left"), button: () => t("Button"),
};

export function Box({ doc, deed }) {
  const { box, locked } = doc;
  const choose = port => deed("/api/setup/settings", { box: port });
  const options = [["", t("The only one that is plugged in")], ...box.ports.map(each => [each.port, each.name + " (" + each.port + ")"]),
    ["fake://", t("A box in this program, to try")], ["none", t("No box")]];
  if (!options.some(([port]) => port === box.chosen)) options.push([box.chosen, box.chosen]);
  return html`
    <p>${t("The box runs the hourglass, sounds and turns the arrow. Without it people do that by hand.")}</p>
    <fieldset class="choice"><legend>${t("Which box")}</legend>
      ${options.map(([port, words]) => html`
        <label class="check" key=${port}><input type="radio" name="box" checked=${port === box.chosen} disabled=${Boolean(locked)} onChange=${() => choose(port)} /> <span>${words}</span></label>`)}
    </fieldset>
    <div class="deeds"><button type="button" onClick=${() => deed("/api/setup/again", {})}>${t("Look for boxes again")}</button></div>
    ${box.chosen !== "none" && html`
      <section class="grid">
        <h2>${t("Try it")}</h2>
        <p>${t("Press one after the other, and look whether it happens. Then press the buttons of the box: it is noticed here.")}</p>
        <div class="deeds">${box.trials.map(what => html`
          <button type="button" key=${what} class=${what === "hello" && !box.connected ? "primary" : ""} disabled=${Boolean(locked) || Boolean(box.trying)} onClick=${() => deed("/api/setup/box", { what })}>${TRIALS[what]()}</button>`)}</div>
        <p role="status">${box.trying ? t("It tries: {what} …", { what: TRIALS[box.trying]() }) : ""}</p>
        <ul class="checklist">${box.tried.map(each => html`
          <li key=${each.what} class=${each.ok ? "done" : "wrong"}><span class="sign" aria-hidden="true">${each.ok ? "✓" : "!"}</span>
            <span><b>${TRIALS[each.what]()}</b> ${each.text}</span></li>`)}</ul>
      </section>`}`;
}
