// Who decides: asked once on each device, with one tap for those who play.

import { html, useState } from "../vendor/preact.js";
import { decider, setDecider } from "../base/act.js";
import { Dialog, Seat } from "../base/parts.js";
import { t } from "../base/words.js";

export function useNaming(doc) {
  const [done, setDone] = useState(null);
  function answer(name) {
    setDone(null);
    if (name) setDecider(name);
    done.call(name);
  }
  const ask = () => new Promise(call => setDone({ call }));
  return [done && html`<${Naming} lines=${doc && doc.lines || []} onAnswer=${answer} />`, ask];
}

function Naming({ lines, onAnswer }) {
  const [name, setName] = useState(decider());
  const submit = event => {
    event.preventDefault();
    onAnswer(name.trim());
  };
  return html`
    <${Dialog} title=${t("Who decides on this device?")} onClose=${() => onAnswer("")}>
      <p>${t("The name goes on record with everything that is decided here.")}</p>
      <div class="deeds">${lines.map(line => html`
        <button type="button" key=${line.name} onClick=${() => onAnswer(line.player || line.name)}><${Seat} seat=${line} /></button>`)}</div>
      <form class="row" onSubmit=${submit}>
        <label class="field">${t("Somebody else")}
          <input value=${name} onInput=${event => setName(event.target.value)} autocomplete="nickname" maxlength="60" required /></label>
        <button class="primary">${t("This is me")}</button>
      </form>
    <//>`;
}
