// The edition: the kit's, or another copy whose printed values are typed in.

import { html, useEffect, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { plural, t } from "../base/words.js";
import { Note } from "./parts.js";

const numbers = text => text.split(/[\s,;]+/).filter(Boolean).map(part => /^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part);
const lines = text => text.split("\n").map(line => line.trim()).filter(Boolean);
const typed = { wholes: numbers, lengths: numbers, lines };
const shown = { wholes: value => value.join(", "), lengths: value => value.join(", "), lines: value => value.join("\n") };

const number = text => text.trim() === "" ? null : Number.isNaN(Number(text)) ? text : Number(text);

// What is being typed stays as it is while the page is drawn anew; it counts when it is left.
function Typed({ shown, onCommit, lines: rows, ...more }) {
  const [draft, setDraft] = useState(null);
  useEffect(() => setDraft(null), [shown]);
  const common = {
    ...more, value: draft === null ? shown : draft,
    onInput: event => setDraft(event.target.value), onChange: event => onCommit(event.target.value),
  };
  return rows ? html`<textarea ...${common} rows=${rows}></textarea>` : html`<input ...${common} />`;
}

function Input({ entry, id, value, disabled, onChange, described }) {
  const common = { id, disabled, "aria-describedby": described, "aria-invalid": entry.problem ? "true" : null };
  if (entry.kind === "flag")
    return html`<select ...${common} value=${value === null ? "" : String(value)} onChange=${event => onChange(event.target.value === "" ? null : event.target.value === "true")}>
      <option value="">–</option><option value="true">${t("yes")}</option><option value="false">${t("no")}</option></select>`;
  if (entry.kind === "choice")
    return html`<select ...${common} value=${value || ""} onChange=${event => onChange(event.target.value || null)}>
      <option value="">–</option>${entry.words.map((word, k) => html`<option key=${word} value=${word}>${entry.told[k]}</option>`)}</select>`;
  if (entry.kind === "whole" || entry.kind === "length")
    return html`<${Typed} ...${common} type="number" step=${entry.kind === "whole" ? 1 : "any"} shown=${value === null ? "" : String(value)}
      onCommit=${text => onChange(number(text))} />`;
  if (entry.kind === "counts")
    return html`<span class="row" role="group" aria-describedby=${described}>${entry.words.map((word, k) => html`
      <label key=${word}>${entry.told[k]} <${Typed} type="number" class="count" min="0" max=${entry.high} disabled=${disabled} shown=${String(value && value[word] || 0)} id=${k === 0 ? id : null}
        onCommit=${text => onChange({ ...value, [word]: Number(text) })} /></label>`)}</span>`;
  if (entry.kind in typed) {
    const text = value === null ? "" : Array.isArray(value) ? shown[entry.kind](value) : String(value);
    const commit = entered => onChange(entered.trim() === "" ? null : typed[entry.kind](entered));
    return html`<${Typed} ...${common} lines=${entry.kind === "lines" ? entry.most : 0} shown=${text} inputmode=${entry.kind === "lines" ? null : "numeric"} onCommit=${commit} />`;
  }
  return html`<${Typed} ...${common} shown=${value || ""} maxlength=${entry.most || null} onCommit=${text => onChange(text || null)} />`;
}

function Entry({ entry, ours, onChange }) {
  const id = "entry-" + entry.key;
  return html`
    <div class=${"entry" + (entry.problem ? " wrong" : entry.value === null ? " open" : "")}>
      <label for=${id}>${entry.title}</label>
      <${Input} entry=${entry} id=${id} value=${entry.value} disabled=${ours} described=${id + "-about"} onChange=${onChange} />
      <p id=${id + "-about"} class="soft small">${entry.description}
        ${entry.found && html`<br />${t("Where: {place}", { place: entry.found })}`}
        <br />${t("Allowed: {what}", { what: entry.allowed })}
        ${entry.problem && html`<br /><b class="problem">! ${entry.problem}</b>`}</p>
    </div>`;
}

function Form({ form, change }) {
  return html`
    ${form.sections.map(section => {
      const open = section.entries.filter(each => each.value === null || each.problem).length;
      return html`
        <details key=${section.title} open=${!form.ours && open > 0}>
          <summary>${section.title}${open > 0 ? " – " + plural(open, "one value to do", "{n} values to do") : " ✓"}</summary>
          ${section.problem && html`<${Note} state="wrong">${section.problem}<//>`}
          <div class="entries">${section.entries.map(entry => html`
            <${Entry} key=${entry.key} entry=${entry} ours=${form.ours} onChange=${value => change(entry.key, value)} />`)}</div>
        </details>`;
    })}`;
}

export function Edition({ doc, deed }) {
  const { edition, locked } = doc;
  const [name, setName] = useState(edition.chosen);
  const [form, setForm] = useState(null);
  const [fresh, setFresh] = useState("");
  const load = async which => {
    const told = await ask("/api/setup/edition?name=" + encodeURIComponent(which));
    if (told.ok) setForm(told);
  };
  useEffect(() => { load(name); }, [name]);
  const change = async (key, value) => {
    if (await deed("/api/setup/edition", { name, values: { [key]: value } })) await load(name);
  };
  const copy = async event => {
    event.preventDefault();
    if (await deed("/api/setup/edition", { name: fresh, base: name })) {
      setName(fresh);
      setFresh("");
    }
  };
  return html`
    <p>${t("The printed kit is ready. Whoever owns a bought copy types in what is printed on it, once.")}</p>
    <fieldset class="choice"><legend>${t("Which edition is played")}</legend>
      ${edition.names.map(each => html`
        <div class="row" key=${each.name}>
          <label class="check"><input type="radio" name="edition" checked=${each.name === edition.chosen} disabled=${Boolean(locked)}
            onChange=${() => { setName(each.name); deed("/api/setup/settings", { edition: each.name }); }} /> <span>${each.name}</span></label>
          <button type="button" class="quiet" aria-pressed=${each.name === name} onClick=${() => setName(each.name)}>${t("Show its values")}<span class="only-read">: ${each.name}</span></button>
        </div>`)}
    </fieldset>
    ${form && html`
      <section class="grid">
        <h2>${t("Values of {name}", { name: form.name })}</h2>
        <${Note} state=${form.complete ? "done" : "wrong"}>${form.complete ? t("Complete.")
          : [form.open && plural(form.open, "One value is open.", "{n} values are open."), form.faults && plural(form.faults, "One value is wrong.", "{n} values are wrong.")].filter(Boolean).join(" ")}<//>
        ${form.ours && html`
          <form class="row" onSubmit=${copy}>
            <label class="field">${t("It comes with the program and stays as it is. Name of your own copy")}
              <input value=${fresh} pattern="[a-z0-9][a-z0-9\\-]*" maxlength="40" required autocomplete="off" onInput=${event => setFresh(event.target.value)} /></label>
            <button>${t("Copy it, to type in")}</button>
          </form>`}
        <${Form} form=${form} change=${change} />
      </section>`}`;
}
