// How the overlay gets into a stream: its parameters, a preview, the address to copy.

import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { follow } from "../base/link.js";
import { Answer, Navigation } from "../base/parts.js";
import { lang, LANGUAGES, t, wordsReady } from "../base/words.js";
import { PARAMETERS, read, written } from "./parameters.js";
import { Overlay } from "./parts.js";
import { example } from "./example.js";

const WORDS = {
  turn: () => t("whose turn it is"), timer: () => t("the hourglass, while it runs"),
  verdict: () => t("the verdict"), standings: () => t("the players"),
  dark: () => t("dark"), light: () => t("light"), contrast: () => t("contrast"),
  left: () => t("left"), right: () => t("right"), "": () => t("by the program"),
  ...Object.fromEntries(Object.entries(LANGUAGES).map(([code, name]) => [code, () => name])),
};

function Choice({ parameter, value, onChange }) {
  const { name, among, usual } = parameter;
  const many = Array.isArray(usual);
  const press = (each, on) => onChange(!many ? each
    : among.filter(part => part === each ? on : value.includes(part)));
  return among.map(each => html`
    <label class="check" key=${each}>
      <input type=${many ? "checkbox" : "radio"} name=${name} value=${each}
        checked=${many ? value.includes(each) : value === each} onChange=${event => press(each, event.target.checked)} />
      <span>${each && html`<code>${each}</code> `}${WORDS[each] && WORDS[each]() !== each ? WORDS[each]() : ""}</span>
    </label>`);
}

function Field({ parameter, value, onChange }) {
  const { name, words, from, to, step } = parameter;
  return html`
    <fieldset class="card">
      <legend><code>${name}</code></legend>
      <p class="soft" id=${"about-" + name}>${words()}</p>
      <div class="row">${from === undefined
        ? html`<${Choice} parameter=${parameter} value=${value} onChange=${onChange} />`
        : html`<input type="number" aria-label=${name} aria-describedby=${"about-" + name} min=${from} max=${to} step=${step} value=${value}
            onChange=${event => onChange(read("?" + name + "=" + event.target.value)[name])} />
          <span class="soft">${t("from {from} to {to}", { from, to })}</span>`}</div>
    </fieldset>`;
}

// OBS does not ask again for a page that was not there. This file does, and goes there once it is.
const starter = url => `<!doctype html>
<meta charset="utf-8">
<title>Overlay</title>
<body style="margin:0;background:transparent">
<script>
const page = ${JSON.stringify(url)};
const there = new URL("/overlay/there", page).href;
(async function wait() {
  for (;;) {
    try {
      await fetch(there, { mode: "no-cors", cache: "no-store" });
      location.replace(page);
      return;
    } catch {
      await new Promise(done => setTimeout(done, 1000));
    }
  }
})();
</script>
`;

function Address({ url }) {
  const [answer, setAnswer] = useState(null);
  const field = useRef(null);
  async function copy() {
    field.current.select();
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      // Without HTTPS a page may not; the old way still may.
      document.execCommand("copy");
    }
    setAnswer({ accepted: true, text: t("Copied.") });
  }
  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([starter(url)], { type: "text/html" }));
    link.download = "referee-overlay.html";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  return html`
    <div class="card grid">
      <label class="field address">${t("Address for the browser source")}
        <input class="url" ref=${field} value=${url} readonly onFocus=${event => event.target.select()} /></label>
      <div class="deeds">
        <button type="button" class="primary" onClick=${copy}>${t("Copy the address")}</button>
        <button type="button" onClick=${save}>${t("Save as a file for OBS")}</button>
        <a class="button" href=${url} target="_blank">${t("Open it")}</a>
      </div>
      <${Answer} answer=${answer} />
    </div>`;
}

function Preview({ doc, lost, values }) {
  const frame = useRef(null);
  const [size, setSize] = useState(0.3);
  const live = doc && doc.match;
  useEffect(() => {
    const fit = () => setSize(frame.current.clientWidth / 1920);
    const watching = new ResizeObserver(fit);
    watching.observe(frame.current);
    fit();
    return () => watching.disconnect();
  }, []);
  return html`
    <figure class="grid">
      <div class="frame" ref=${frame}>
        <div class="stage" style=${{ transform: "scale(" + size + ")" }} inert>
          <${Overlay} doc=${live ? doc : example()} lost=${live ? lost : null} values=${values} /></div>
      </div>
      <figcaption class="soft">${live ? t("This is what it shows now, without the delay.")
        : t("No match is being played: this is an example.")}</figcaption>
    </figure>`;
}

const Steps = () => html`
  <section class="card grid" aria-labelledby="steps">
    <h2 id="steps">${t("In OBS")}</h2>
    <ol>
      <li>${t("Add a source of the kind “Browser”, paste the address, and set 1920 as its width and 1080 as its height.")}</li>
      <li>${t("Remove nothing from “Custom CSS”: what OBS writes there keeps the page transparent; the overlay is so by itself too.")}</li>
      <li>${t("Should OBS start before the referee, it does not ask again by itself: press “Refresh” at the source, or use the saved file instead of the address (“Local file”): it waits for the referee and then opens the overlay.")}</li>
      <li>${t("“Shutdown source when not visible” may be on or off: the overlay asks for everything anew whenever it comes back.")}</li>
      <li>${t("If the referee is restarted or the network is gone, the overlay says “Reconnecting” after three seconds, shows no old score, and goes on by itself.")}</li>
      <li>${t("OBS on another computer needs the referee’s address in the network instead of 127.0.0.1; whoever runs the referee lets the network watch.")}</li>
    </ol>
  </section>`;

function Help() {
  const [values, setValues] = useState(() => ({ ...read(location.search), lang: "", unknown: [] }));
  const [doc, setDoc] = useState(null);
  const [lost, setLost] = useState(null);
  useEffect(() => follow("overlay", { onDoc: setDoc, onLost: setLost }), []);
  const url = location.origin + "/overlay" + written(values);
  return html`
    <div class="grid">
      <${Navigation} here="/overlay/help" />
      <main class="grid">
        <h1>${t("The overlay of a stream")}</h1>
        <div class="halves">
          <div class="grid">${PARAMETERS.map(each => html`
            <${Field} key=${each.name} parameter=${each} value=${values[each.name]}
              onChange=${value => setValues({ ...values, [each.name]: value })} />`)}</div>
          <div class="grid">
            <${Preview} doc=${doc} lost=${lost} values=${values} />
            <${Address} url=${url} />
            <${Steps} />
          </div>
        </div>
      </main>
    </div>`;
}

await wordsReady;
document.title = t("The overlay of a stream");
render(html`<${Help} />`, document.getElementById("help"));
