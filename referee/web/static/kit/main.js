// The set to print, and how other devices find this computer.

import { html, render, useEffect, useState } from "../vendor/preact.js";
import { access, ask } from "../base/act.js";
import { Navigation } from "../base/parts.js";
import { LANGUAGES, lang, t, wordsReady } from "../base/words.js";

const LOOK_MS = 1000;
const PAPERS = { a4: "A4", letter: "Letter" };

function Making({ kit, look }) {
  const [paper, setPaper] = useState(kit.paper);
  const [language, setLanguage] = useState(kit.languages.includes(lang) ? lang : kit.languages[0]);
  const [wrong, setWrong] = useState("");
  const state = kit.printed.find(each => each.paper === paper && each.language === language);
  const make = async () => {
    const told = await ask("/api/kit/print", { paper, language }).catch(() => ({ ok: false }));
    setWrong(told.ok ? "" : told.text || t("The referee does not answer: try again."));
    look();
  };
  return html`
    <section class="card grid making">
      <h2>${t("The print-and-play set")}</h2>
      <p>${t("Tiles, boards, cards, markers and a guide as one PDF. Print it at 100 %, on matt paper; page 1 says what goes on thick card.")}</p>
      <div class="row">
        <label class="field">${t("Paper")} <select value=${paper} onChange=${event => setPaper(event.target.value)}>
          ${kit.papers.map(each => html`<option key=${each} value=${each}>${PAPERS[each]}</option>`)}</select></label>
        ${kit.languages.length > 1 && html`
          <label class="field">${t("Language")} <select value=${language} onChange=${event => setLanguage(event.target.value)}>
            ${kit.languages.map(each => html`<option key=${each} value=${each}>${LANGUAGES[each]}</option>`)}</select></label>`}
      </div>
      <div class="deeds" role="status">
        ${state.ready ? html`<a class="button primary" href=${"/kit/" + paper + "-" + language + ".pdf"}>${t("Open the PDF")}</a>`
          : state.running ? html`<p>${t("The PDF is being drawn: {n} s so far, about 20 s in all …", { n: Math.round(state.seconds) })}<br /><progress aria-label=${t("Drawing the PDF")}></progress></p>`
            : html`<button type="button" class="primary" onClick=${make}>${t("Make the PDF")}</button>`}
      </div>
      ${(state.trouble || wrong) && html`<p class="answer wrong" role="alert">${state.trouble || wrong}</p>`}
    </section>`;
}

const Addresses = ({ links }) => html`<ul class="addresses">${links.map(each => html`<li key=${each}>${each}</li>`)}</ul>`;

function Watch({ kit }) {
  if (!kit.lan) {
    return html`
      <section class="card grid">
        <h2>${t("Other devices")}</h2>
        <p class="note waiting">${t("These pages can be opened on this computer only.")}</p>
        <p>${t("To let telephones, tablets and televisions on this network watch: stop the program with Ctrl-C and start it with")} <code>--lan</code>${t(", or choose it at Setup, This place. Judging needs the PIN all the same.")}</p>
        <p>${t("On this computer the pages are at")} <code>http://localhost:${kit.port}/</code></p>
      </section>`;
  }
  return html`
    <section class="card code">
      <h2>${t("Watch")}</h2>
      <p>${t("Scan this to see the table screen; the device must be on the same network.")}</p>
      <img src="/api/kit/watch.svg" alt=${t("Code of the address {link}", { link: kit.links[0] || "" })} />
      <p>${t("Or type one of these; the first one with digits works on every device:")}</p>
      <${Addresses} links=${kit.links} />
    </section>`;
}

function Join({ links }) {
  if (!links.length) return null;
  return html`
    <section class="card code">
      <h2>${t("Take part")}</h2>
      <p>${t("Players scan this to confirm, correct and enter moves on their own device.")}</p>
      <img src="/api/kit/join.svg" alt=${t("Code by which a player's device joins")} />
      <${Addresses} links=${links} />
    </section>`;
}

function App() {
  const [kit, setKit] = useState(null);
  const [links, setLinks] = useState([]);
  const look = async () => {
    const told = await ask("/api/kit").catch(() => ({ ok: false }));
    if (told.ok) setKit(told);
  };
  useEffect(() => {
    document.title = t("Print");
    look();
    access().then(async may => {
      if (may === "watch") return;
      const told = await ask("/api/join");
      if (told.ok) setLinks(told.links);
    });
  }, []);
  const running = kit && kit.printed.some(each => each.running);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [running]);
  return html`
    <header><${Navigation} here="/kit" /></header>
    <main class="grid">
      <h1>${t("Print")}</h1>
      ${!kit ? html`<p class="soft" role="status">${t("Asking the referee …")}</p>` : html`
        <${Making} kit=${kit} look=${look} />
        <div class="codes"><${Watch} kit=${kit} /><${Join} links=${links} /></div>`}
    </main>`;
}

await wordsReady;
render(html`<${App} />`, document.getElementById("kit"));
