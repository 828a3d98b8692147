// The setup: step by step, each with what is wrong and what to do. It can be left at any time: all
// that was chosen is kept by the referee, not by this page.

import { html, render, useCallback, useEffect, useRef, useState } from "../vendor/preact.js";
import { ask } from "../base/act.js";
import { Lost, Navigation } from "../base/parts.js";
import { t, wordsReady } from "../base/words.js";
import { Box } from "./box.js";
import { Camera } from "./camera.js";
import { Check } from "./check.js";
import { Edition } from "./edition.js";
import { Faces } from "./faces.js";
import { Markers } from "./markers.js";
import { Match } from "./match.js";
import { Place } from "./place.js";
import { Note, SIGNS } from "./parts.js";
import { Table } from "./table.js";

const LOOK_MS = 1000;
const SILENT_MS = 4000;

const STEPS = {
  place: [Place, () => t("This place")],
  camera: [Camera, () => t("Camera")],
  markers: [Markers, () => t("Markers")],
  table: [Table, () => t("Table")],
  faces: [Faces, () => t("Faces")],
  edition: [Edition, () => t("Edition")],
  box: [Box, () => t("Box")],
  match: [Match, () => t("Match")],
  check: [Check, () => t("Check")],
};

function useSetup() {
  const [doc, setDoc] = useState(null);
  const [lost, setLost] = useState(0);
  const heardAt = useRef(performance.now());
  const look = useCallback(async () => {
    try {
      const told = await ask("/api/setup");
      if (told.status === 401) location.href = "/login?to=" + encodeURIComponent("/setup" + location.hash);
      if (!told.ok) return;
      heardAt.current = performance.now();
      setLost(0);
      setDoc(told);
    } catch { /* said below, if it lasts */ }
  }, []);
  useEffect(() => {
    let timer = 0, over = false;
    async function on() {
      if (!document.hidden) await look();
      const silent = performance.now() - heardAt.current;
      if (silent > SILENT_MS && !document.hidden) setLost(Math.round(silent / 1000));
      if (!over) timer = setTimeout(on, LOOK_MS);
    }
    on();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [look]);
  return [doc, lost, look];
}

function useHere(doc) {
  const read = () => location.hash.slice(1) in STEPS ? location.hash.slice(1) : "";
  const [here, setHere] = useState(read);
  useEffect(() => {
    const change = () => setHere(read());
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  // Whoever comes back goes on with the first step that is not done.
  const first = doc && doc.steps.find(step => step.state !== "done");
  return here || (first ? first.id : "match");
}

const STATES = {
  done: () => t("done"), wrong: () => t("something is wrong"), todo: () => t("to be done"),
};

const Steps = ({ doc, here }) => html`
  <nav class="steps" aria-label=${t("Steps")}>
    <ol>${doc.steps.map(({ id, state, text }) => html`
      <li key=${id}><a href=${"#" + id} aria-current=${id === here ? "step" : null} class=${state}>
        <span class="sign" aria-hidden="true">${SIGNS[state]}</span>
        <span class="name">${STEPS[id][1]()}<span class="only-read">: ${STATES[state]()}</span></span>
        <small>${text}</small>
      </a></li>`)}</ol>
  </nav>`;

function App() {
  const [doc, lost, look] = useSetup();
  const here = useHere(doc);
  const [answer, setAnswer] = useState(null);
  const head = useRef(null);
  useEffect(() => {
    setAnswer(null);
    if (head.current && location.hash) head.current.focus();
    const step = document.querySelector(".steps [aria-current]");
    if (step) step.scrollIntoView({ block: "nearest", inline: "center" });
  }, [here]);
  useEffect(() => { document.title = t("Setup"); }, []);
  // Does something and shows what became of it; the page is drawn anew at once.
  const deed = useCallback(async (url, body) => {
    let told;
    try {
      told = await ask(url, body);
    } catch {
      told = { accepted: false, text: t("The referee does not answer: try again.") };
    }
    setAnswer(told.accepted ? null : { accepted: false, text: told.text || t("That failed.") });
    await look();
    return told.accepted === true;
  }, [look]);
  if (!doc) return html`<${Navigation} here="/setup" /><p class="soft" role="status">${t("Asking the referee …")}</p>`;
  const [Step, name] = STEPS[here];
  const at = doc.steps.findIndex(step => step.id === here);
  const { state, text } = doc.steps[at];
  const next = doc.steps[at + 1];
  return html`
    <header><${Navigation} here="/setup" /></header>
    ${lost ? html`<${Lost} seconds=${lost} />` : null}
    <div class="setup">
      <${Steps} doc=${doc} here=${here} />
      <main class="card grid">
        <h1 tabindex="-1" ref=${head}>${name()}</h1>
        <${Note} state=${state}>${text}<//>
        ${doc.locked && ["camera", "markers", "table", "faces", "edition", "box"].includes(here)
          && html`<${Note} state="todo">${doc.locked}<//>`}
        <${Step} key=${here} doc=${doc} deed=${deed} look=${look} />
        ${answer && html`<p class="answer wrong" role="alert">${answer.text}</p>`}
        ${next && html`
          <p class="onward"><a class=${"button" + (state === "done" && here !== "match" ? " primary" : "")} href=${"#" + next.id}>${t("Next: {step}", { step: STEPS[next.id][1]() })}</a></p>`}
      </main>
    </div>`;
}

await wordsReady;
render(html`<${App} />`, document.getElementById("setup"));
