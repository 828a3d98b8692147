// The judge's tablet: what the camera sees, what the referee says, and what people decide.

import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { decider, noticed } from "../base/act.js";
import { follow, serverNow } from "../base/link.js";
import { Dialog, Lost, Navigation, useTick } from "../base/parts.js";
import { lang, plural, t, wordsReady } from "../base/words.js";
import { ByHand } from "./byhand.js";
import { Done, useDeeds } from "./deeds.js";
import { Health } from "./health.js";
import { useNames } from "./names.js";
import { Now } from "./now.js";
import { Picture } from "./picture.js";
import { doubtOf } from "./reading.js";
import { Readings } from "./readings.js";
import { Record } from "./record.js";
import { Spot } from "./spot.js";

const TABS = {
  now: () => t("Decide"), readings: () => t("Readings"), hand: () => t("By hand"), record: () => t("Record"), parts: () => t("Parts"),
};
const WIDE = matchMedia("(min-width: 880px)");

function useMatch() {
  const [doc, setDoc] = useState(null);
  const [lost, setLost] = useState(null);
  useEffect(() => follow("judge", {
    onDoc(next) {
      noticed(next);
      setDoc(next);
    },
    onLost: setLost,
    onRefused(why) { if (why === "login") location.assign("/login?to=/judge"); },
  }), []);
  return [doc, lost];
}

function useWide() {
  const [wide, setWide] = useState(WIDE.matches);
  useEffect(() => {
    const look = () => setWide(WIDE.matches);
    WIDE.addEventListener("change", look);
    return () => WIDE.removeEventListener("change", look);
  }, []);
  return wide;
}

function Freeze({ doc, deeds }) {
  if (doc.review) return null;
  const freeze = () => deeds.act({ do: "review" }, {
    words: t("The public screens stand still."),
    question: {
      title: t("Freeze the public screens?"), yes: t("Freeze them"), why: "must", reasons: ["looking", "asked"],
      lines: [t("Table screen and stream stay as they are until you end the review. Players can’t enter anything meanwhile.")],
    },
    back: { words: t("End the review"), press: () => resume(deeds) },
  });
  return html`<button type="button" class="freeze" data-do="review" onClick=${freeze}><span aria-hidden="true">❄</span> ${t("Freeze screens …")}</button>`;
}

const resume = deeds => deeds.act({ do: "resume" }, { words: t("The public screens go on.") });

function Review({ review, deeds }) {
  useTick(1000);
  const seconds = Math.max(0, Math.round(serverNow() - (review.since ?? review.at)));
  const for_ = Math.floor(seconds / 60) + ":" + String(seconds % 60).padStart(2, "0");
  return html`
    <div class="review" role="alert">
      <p><span aria-hidden="true">❄</span> <b>${t("The public screens stand still")}</b>
        ${" "}<span class="number">${for_}</span> · ${review.by}: ${review.reason}</p>
      <button type="button" data-do="resume" onClick=${() => resume(deeds)}>${t("End the review")}</button>
    </div>`;
}

const PARTS = {
  record: () => t("Record"), camera: () => t("Camera"), box: () => t("Box"), evidence: () => t("Pictures"),
};
const Troubles = ({ troubles, onOpen }) => troubles.length > 0 && html`
  <div class="troubles" role="status">${troubles.map(({ part, text }) => html`
    <p key=${part} class=${"note " + (part === "record" || part === "camera" ? "differs" : "waiting")}><b>${PARTS[part] ? PARTS[part]() : part}:</b> ${text}</p>`)}
    <button type="button" class="quiet" onClick=${onOpen}>${t("What to do")}</button>
  </div>`;

function Tabs({ tabs, at, onPick, doubts }) {
  const list = useRef(null);
  function press(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(at) + step + tabs.length) % tabs.length];
    onPick(next);
    list.current.querySelector("#tab-" + next).focus();
    event.preventDefault();
  }
  return html`
    <div class="tabs" role="tablist" aria-label=${t("What is shown")} ref=${list} onKeyDown=${press}>
      ${tabs.map(key => html`
        <button type="button" role="tab" key=${key} id=${"tab-" + key} aria-selected=${at === key} aria-controls="panel" tabindex=${at === key ? 0 : -1}
          onClick=${() => onPick(key)}>${TABS[key]()}${key === "readings" && doubts ? html` <b class="badge">${doubts}?</b>` : ""}</button>`)}
    </div>`;
}

function Judge() {
  const [doc, lost] = useMatch();
  const match = doc && doc.match ? doc : null;
  const deeds = useDeeds(match);
  const names = useNames(match);
  const wide = useWide();
  const [at, setAt] = useState("now");
  const [spot, setSpot] = useState(null);
  const [fix, setFix] = useState(0);
  const [wanted, setWanted] = useState("");
  const [menu, setMenu] = useState(false);
  useEffect(() => { document.title = t("Judge") + (match ? " – " + match.title : ""); });

  const go = tab => {
    setAt(tab);
    setWanted("");
  };
  const openFix = () => {
    setAt("hand");
    setFix(n => n + 1);
  };
  const doubts = match && match.readings ? match.readings.tiles.filter(doubtOf).length : 0;
  const tabs = Object.keys(TABS).filter(key => key !== "readings" || !wide);
  const tab = tabs.includes(at) ? at : "now";

  const head = html`
    <header>
      <h1>${t("Judge")}</h1>
      ${match && html`<p class="where">${match.title} · ${match.round ? t("Round {n}", { n: match.round }) : t("Setup")}${match.demand ? " · " + t("demand {n}", { n: match.demand }) : ""}</p>`}
      <span class="room"></span>
      ${match && lost === null && html`<${Freeze} doc=${match} deeds=${deeds} />`}
      <button type="button" class="quiet by" onClick=${deeds.rename}><span aria-hidden="true">✎</span> ${decider() || t("Your name")}</button>
      <button type="button" class="quiet" onClick=${() => setMenu(true)}>☰ ${t("Menu")}</button>
    </header>
    ${menu && html`<${Dialog} title=${t("Menu")} onClose=${() => setMenu(false)}><${Navigation} here="/judge" /><//>`}`;
  if (lost !== null) return html`<div class="plain">${head}<${Lost} seconds=${lost} /></div>${deeds.shown}`;
  if (doc === null) return html`<div class="plain">${head}<p class="soft">${t("Asking the referee …")}</p></div>`;
  if (!match) return html`<div class="plain">${head}<${NoMatch} /></div>`;

  const panel = {
    now: () => html`<${Now} doc=${match} deeds=${deeds} onFix=${openFix} onRecord=${() => { setAt("record"); setWanted("moves"); }} />`,
    readings: () => html`<${Readings} doc=${match} names=${names} onPick=${setSpot} />`,
    hand: () => html`<${ByHand} doc=${match} deeds=${deeds} names=${names} start=${fix} />`,
    record: () => html`<${Record} doc=${match} deeds=${deeds} wanted=${wanted} />`,
    parts: () => html`<${Health} />`,
  };
  return html`
    <div class="judge">
      <div class="top">
        ${head}
        ${match.review && html`<${Review} review=${match.review} deeds=${deeds} />`}
        <${Troubles} troubles=${match.troubles} onOpen=${() => go("parts")} />
      </div>
      <main class=${wide ? "wide" : ""}>
        <section class="eyes" aria-label=${t("What the camera sees")}>
          <${Picture} doc=${match} names=${names} picked=${spot} onPick=${setSpot} />
          ${wide && html`<${Readings} doc=${match} names=${names} onPick=${setSpot} />`}
        </section>
        <section class="hands">
          <${Tabs} tabs=${tabs} at=${tab} onPick=${go} doubts=${doubts} />
          <div class="panel grid" role="tabpanel" id="panel" aria-labelledby=${"tab-" + tab} key=${tab} tabindex="0">${panel[tab]()}</div>
        </section>
      </main>
      <${Done} deeds=${deeds} />
      ${spot && html`<${Spot} doc=${match} spot=${spot} names=${names} deeds=${deeds} onPick=${setSpot} onFix=${openFix} onClose=${() => setSpot(null)} />`}
      ${deeds.shown}
    </div>`;
}

const NoMatch = () => html`
  <main class="none">
    <h2>${t("No match is being played.")}</h2>
    <p>${t("As soon as one begins, it is shown here by itself.")}</p>
    <p><a class="button primary" href="/setup">${t("Begin a match")}</a></p>
  </main>`;

await wordsReady;
render(html`<${Judge} />`, document.getElementById("judge"));
