// The position, set by hand: fact by fact, or as text. The server says at once what can't be right;
// nothing is done before the last button is pressed, and it says what will change.

import { html, useEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { FaceDrawing } from "../base/parts.js";
import { t } from "../base/words.js";

const CHECK_MS = 250;
// So many options are all shown; of more, those that there are.
const ALL = 12;

const equal = (one, other) => one === other || typeof one === "object" && typeof other === "object"
  && JSON.stringify(counted(one)) === JSON.stringify(counted(other));
const counted = counts => Object.entries(counts).filter(([, n]) => n).sort(([one], [other]) => one < other ? -1 : 1);

function told(fact, value) {
  if (typeof value === "number") return String(value);
  const words = Object.fromEntries(fact.options);
  if (typeof value === "string") return words[value] || value;
  const some = counted(value);
  return some.length ? some.map(([key, n]) => n + " × " + (words[key] || key)).join(", ") : t("none");
}

// What changes: of counts only those that do.
function change(fact, value) {
  if (typeof fact.value !== "object") return told(fact, fact.value) + " → " + told(fact, value);
  const words = Object.fromEntries(fact.options);
  return [...new Set([...Object.keys(fact.value), ...Object.keys(value)])]
    .map(key => [key, (value[key] || 0) - (fact.value[key] || 0)]).filter(([, n]) => n)
    .map(([key, n]) => (n > 0 ? "+" : "−") + Math.abs(n) + " × " + (words[key] || key)).join(", ");
}

function Number({ fact, value, onChange, label }) {
  return html`
    <span class="stepper">
      <button type="button" aria-label=${t("{what}: one less", { what: label })} disabled=${value <= fact.least} onClick=${() => onChange(value - 1)}>−</button>
      <output aria-label=${label}>${value}</output>
      <button type="button" aria-label=${t("{what}: one more", { what: label })} disabled=${value >= fact.most} onClick=${() => onChange(value + 1)}>+</button>
    </span>`;
}

function Choice({ fact, value, onChange, label }) {
  const known = fact.options.some(([option]) => option === value);
  return html`
    <select aria-label=${label} value=${value} onChange=${event => onChange(event.target.value)}>
      ${!known && html`<option value=${value}>${value}</option>`}
      ${fact.options.map(([option, words]) => html`<option key=${option} value=${option}>${words}</option>`)}
    </select>`;
}

// How many there are of each: tiles by face, pieces by field.
function Counts({ fact, value, onChange, label, goods, seen }) {
  const few = fact.options.length <= ALL;
  const [added, setAdded] = useState([]);
  const shown = fact.options.filter(([key]) => few || value[key] || added.includes(key));
  const rest = fact.options.filter(each => !shown.includes(each));
  const set = (key, n) => onChange({ ...value, [key]: n });
  return html`
    <div class="counts">
      ${shown.map(([key, words]) => html`
        <div class="count" key=${key}>
          <${FaceDrawing} label=${key} goods=${goods} /><span class="what">${words}</span>
          <${Number} fact=${{ least: 0, most: fact.most }} value=${value[key] || 0} label=${label + ", " + words} onChange=${n => set(key, n)} />
        </div>`)}
      ${shown.length === 0 && html`<p class="soft">${t("none")}</p>`}
      <div class="row">
        ${rest.length > 0 && html`
          <select aria-label=${t("{what}: add", { what: label })} value="" onChange=${event => {
            setAdded([...added, event.target.value]);
            set(event.target.value, 1);
            event.target.value = "";
          }}>
            <option value="">${t("Add …")}</option>
            ${rest.map(([key, words]) => html`<option key=${key} value=${key}>${words}</option>`)}
          </select>`}
        ${seen && !equal(seen, value) && html`
          <button type="button" class="take" onClick=${() => onChange(seen)}>
            <span>${t("As the camera reads it")}</span><small>${told(fact, seen)}</small></button>`}
      </div>
    </div>`;
}

// What the camera reads where a fact is; null if it does not tell, or something there is in doubt.
function seenOf(fact, readings) {
  if (!readings || typeof fact.value !== "object") return null;
  const found = {};
  const add = key => { found[key] = (found[key] || 0) + 1; };
  if (fact.zone) {
    const here = readings.tiles.filter(tile => tile.zone === fact.zone);
    if (!here.every(tile => tile.corrected != null || tile.certain && tile.label != null)) return null;
    here.forEach(tile => add(tile.corrected ?? tile.label));
    return found;
  }
  if (!fact.colour) return null;
  const here = readings.pieces.filter(piece => piece.colour === fact.colour && piece.field != null);
  if (!here.every(piece => piece.certain)) return null;
  here.forEach(piece => add(piece.field));
  return found;
}

function Fact({ fact, value, changed, onChange, goods, seen }) {
  const label = fact.group + ", " + fact.words;
  const Editor = typeof fact.value === "number" ? Number : typeof fact.value === "string" ? Choice : Counts;
  return html`
    <div class=${"fact" + (changed ? " changed" : "")} data-fact=${fact.key}>
      <span class="label">${changed ? "✎ " : ""}${fact.words}${changed && html` <small>${t("was: {what}", { what: told(fact, fact.value) })}</small>`}</span>
      <${Editor} fact=${fact} value=${value} label=${label} goods=${goods} seen=${seen} onChange=${onChange} />
    </div>`;
}

function useChecked(at, values, text) {
  const [checked, setChecked] = useState(null);
  const newest = useRef(0);
  const body = text !== null ? { text: text.replace(/\s+/g, " ").trim() } : Object.keys(values).length ? { values } : null;
  const sent = JSON.stringify([at, body]);
  useEffect(() => {
    const mine = ++newest.current;
    if (body === null) {
      setChecked(null);
      return undefined;
    }
    const timer = setTimeout(async () => {
      try {
        const told = await ask("/api/judge/position", body);
        if (mine === newest.current) setChecked(told.ok ? told : { wrong: told.text || t("The referee does not answer.") });
      } catch {
        if (mine === newest.current) setChecked({ wrong: t("The referee does not answer.") });
      }
    }, CHECK_MS);
    return () => clearTimeout(timer);
  }, [sent]);
  return checked;
}

// All at once, where the camera reads other than the record says.
function Seen({ facts, readings, valueOf, onTake }) {
  const seen = facts.map(fact => [fact, seenOf(fact, readings)]).filter(([fact, found]) => found && !equal(found, valueOf(fact)));
  if (!seen.length) return null;
  return html`
    <button type="button" class="take-all" onClick=${() => onTake(Object.fromEntries(seen.map(([fact, found]) => [fact.key, found])))}>
      <span>${t("Take all as the camera reads it")}</span>
      <small>${seen.map(([fact]) => fact.group + ", " + fact.words).join(" · ")}</small></button>`;
}

export function Position({ doc, deeds, names, start }) {
  const [base, setBase] = useState(null);
  const [values, setValues] = useState({});
  const [text, setText] = useState(null);
  const card = useRef(null);

  useEffect(() => {
    let gone = false;
    ask("/api/judge/position").then(told => { if (!gone && told.ok) setBase(told); }, () => {});
    return () => { gone = true; };
  }, [doc.match, doc.state]);
  // What was about to be set was meant for the position that was shown.
  useEffect(() => { setValues({}); setText(null); }, [base && base.at]);
  useEffect(() => {
    if (start && card.current) card.current.scrollIntoView({ block: "start" });
  }, [start, base === null]);

  const facts = base ? base.facts : [];
  const groups = useMemo(() => [...new Set(facts.map(fact => fact.group))], [base]);
  const checked = useChecked(base && base.at, values, text);
  if (!base) return html`<section class="card"><p class="soft">${t("Asking for the position …")}</p></section>`;

  // What follows from what was set counts as a change too.
  const now = checked && checked.values || {};
  const differing = facts.filter(fact => fact.key in values || fact.key in now)
    .filter(fact => !equal(now[fact.key] ?? values[fact.key], fact.value));
  const valueOf = fact => values[fact.key] ?? now[fact.key] ?? fact.value;
  const put = (fact, value) => {
    const next = { ...values, [fact.key]: value };
    if (equal(value, fact.value)) delete next[fact.key];
    setValues(next);
    setText(null);
  };
  const take = found => {
    setValues({ ...values, ...found });
    setText(null);
  };
  const forget = () => { setValues({}); setText(null); };
  const ready = checked && !checked.wrong && checked.text !== base.text;
  const from = base.at;

  async function set() {
    const lines = differing.map(fact => fact.group + ", " + fact.words + ": " + change(fact, now[fact.key] ?? values[fact.key]));
    await deeds.act({ do: "position", text: checked.text }, {
      words: t("The position is set by hand."),
      question: {
        title: t("Set the position?"), yes: t("Set the position"), why: "must", reasons: ["seen", "agreed", "misread"],
        lines: [...lines, ...checked.faults.map(fault => "⚠ " + fault)],
      },
      back: { words: t("Take it back"), press: () => deeds.undo(from, t("The position was set by hand.")) },
    });
  }

  return html`
    <section class="card position" ref=${card} aria-labelledby="set-position">
      <h3 id="set-position">${t("Set the position")}</h3>
      <p class="soft">${t("Change what is not so. Nothing is done before you confirm it below.")}</p>
      <${Seen} facts=${facts} readings=${doc.current ? doc.readings : null} valueOf=${valueOf} onTake=${take} />
      ${groups.map(group => {
        const here = facts.filter(fact => fact.group === group);
        const touched = here.some(fact => differing.includes(fact));
        return html`
          <details key=${group}>
            <summary>${group}${touched ? " ✎" : ""}</summary>
            <div class="facts">${here.map(fact => html`
              <${Fact} key=${fact.key} fact=${fact} value=${valueOf(fact)} changed=${differing.includes(fact)} goods=${doc.goods}
                seen=${seenOf(fact, doc.current ? doc.readings : null)} onChange=${value => put(fact, value)} />`)}</div>
          </details>`;
      })}
      <details>
        <summary>${t("As text, in the game’s notation")}</summary>
        <label class="field">${t("Position")}
          <textarea class="notation" name="position" rows="6" spellcheck=${false} autocapitalize="none" value=${text ?? (checked && checked.text || base.text)}
            onInput=${event => { setText(event.target.value); setValues({}); }}></textarea></label>
      </details>
      <div class=${"confirm" + (checked ? " active" : "")}>
        <div class="checked" aria-live="polite">
          ${checked && checked.wrong && html`<p class="note differs">${checked.wrong}</p>`}
          ${checked && !checked.wrong && checked.faults.length > 0 && html`
            <div class="note waiting"><p><b>${t("This can’t be right:")}</b></p><ul>${checked.faults.map(fault => html`<li key=${fault}>${fault}</li>`)}</ul>
              <p>${t("It can be set all the same, if it is how the table is.")}</p></div>`}
          ${ready && checked.faults.length === 0 && html`
            <p class="note confirmed"><b>✓ ${t("Nothing speaks against it.")}</b> ${checked.next ? t("Next: {what}", { what: checked.next }) : ""}</p>`}
          ${differing.length > 0 && html`
            <ul class="changes">${differing.map(fact => html`
              <li key=${fact.key}><b>${fact.group}, ${fact.words}:</b> ${change(fact, now[fact.key] ?? values[fact.key])}</li>`)}</ul>`}
        </div>
        <div class="deeds">
          <button type="button" class="primary" data-do="position" disabled=${!ready} onClick=${set}>${t("Set the position …")}</button>
          <button type="button" disabled=${!Object.keys(values).length && text === null} onClick=${forget}>${t("Change nothing")}</button>
        </div>
      </div>
    </section>`;
}
