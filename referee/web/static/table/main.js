// The table screen: what players see, and what they do by hand at the table.

import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { access, command, decider, noticed, take } from "../base/act.js";
import { Hourglass } from "../base/glass.js";
import { follow } from "../base/link.js";
import { Dialog, Lost, Navigation, useQuestion } from "../base/parts.js";
import { kept, keep, t, wordsReady } from "../base/words.js";
import { FaceDialog } from "./face.js";
import { Goods } from "./goods.js";
import { AllByHand, ByHand, MainDeeds, questionOf } from "./hand.js";
import { Now } from "./now.js";
import { Picture, Unseen } from "./picture.js";
import { Seats } from "./seats.js";
import { Said } from "./said.js";
import { useNaming } from "./naming.js";

// Rights change while a page stands open: a device joins, somebody gives the PIN.
const RIGHTS_MS = 30000;

function useMatch() {
  const [doc, setDoc] = useState(null);
  const [lost, setLost] = useState(null);
  const [may, setMay] = useState("watch");
  const [refused, setRefused] = useState("");
  useEffect(() => {
    const look = () => access().then(setMay);
    const timer = setInterval(look, RIGHTS_MS);
    addEventListener("focus", look);
    look();
    const stop = follow("table", {
      onDoc(next) {
        noticed(next);
        setDoc(next);
        setRefused("");
      },
      onLost(seconds) {
        setLost(seconds);
        if (seconds === null) look();
      },
      onRefused: setRefused,
    });
    return () => {
      stop();
      clearInterval(timer);
      removeEventListener("focus", look);
    };
  }, []);
  return [doc, lost, may, refused];
}

// Whoever hangs a screen on the wall wants no buttons on it.
function useQuiet() {
  const [quiet, setQuiet] = useState(() => kept("quiet") === "yes");
  return [quiet, on => {
    keep("quiet", on ? "yes" : "no");
    setQuiet(on);
  }];
}

function Menu({ quiet, setQuiet, may, onClose }) {
  return html`
    <${Dialog} title=${t("Menu")} onClose=${onClose}>
      <${Navigation} here="/" />
      ${may !== "watch" && html`
        <label class="check"><input type="checkbox" checked=${quiet} onChange=${event => setQuiet(event.target.checked)} />
          ${t("Only show, without buttons")}</label>`}
    <//>`;
}

const PARTS = {
  record: () => t("Record"), camera: () => t("Camera"), box: () => t("Box"), evidence: () => t("Pictures"),
};
const Troubles = ({ troubles }) => html`
  <div class="troubles" role="status">${troubles.map(({ part, text }) => html`
    <p key=${part} class=${"note " + (part === "record" || part === "camera" ? "differs" : "waiting")}><b>${PARTS[part]()}:</b> ${text}</p>`)}
  </div>`;

function Head({ doc, hand, onHand, onMenu }) {
  return html`
    <header>
      <h1>${doc && doc.title || t("Table referee")}</h1>
      ${doc && doc.match && html`<p class="round">${doc.round ? t("Round {n}", { n: doc.round }) : t("Setting up")}</p>`}
      <span class="room"></span>
      ${hand && html`<button type="button" class="by-hand" onClick=${onHand}>✎ ${t("By hand")}</button>`}
      <button type="button" class="quiet menu" aria-label=${t("Menu")} onClick=${onMenu}>☰ <span>${t("Menu")}</span></button>
    </header>`;
}

function Screen() {
  const [doc, lost, may, refused] = useMatch();
  const [quiet, setQuiet] = useQuiet();
  const [open, setOpen] = useState("");
  const [tile, setTile] = useState(null);
  const [answer, setAnswer] = useState(null);
  const [question, put] = useQuestion();
  const [naming, askName] = useNaming(doc);
  const state = useRef(-1);

  const match = doc && doc.match ? doc : null;
  useEffect(() => {
    document.title = (match ? match.title + " – " : "") + t("Table referee");
    // What was answered before belongs to what was there before.
    if (match && state.current !== match.state) {
      state.current = match.state;
      setAnswer(old => old && old.accepted ? null : old);
    }
  });

  async function press(deed) {
    const asked = questionOf(deed);
    const { judge, words, hint, why, ...sent } = deed;
    setAnswer(await take(match, sent, { naming: askName, question: asked && (() => put(asked)) }));
  }

  async function pick(found) {
    const on = match;
    if (!decider() && !await askName()) return;
    setTile({ on, found });
  }

  async function correct(face) {
    const { on, found } = tile;
    setTile(null);
    setAnswer(await command(on, { do: "correct", text: face, to: found.tile, frame: on.tiles.frame }));
  }

  const gone = refused || lost !== null;
  const head = html`<${Head} doc=${gone ? null : doc} hand=${match && !gone && match.camera && may !== "watch" && !quiet}
    onHand=${() => setOpen("hand")} onMenu=${() => setOpen("menu")} />`;
  const menu = open === "menu" && html`<${Menu} quiet=${quiet} setQuiet=${setQuiet} may=${may} onClose=${() => setOpen("")} />`;
  if (refused) return html`<div class="plain">${head}<${Refused} /></div>${menu}`;
  if (lost !== null) return html`<div class="plain">${head}<${Lost} seconds=${lost} /></div>${menu}`;
  if (doc === null) return html`<div class="plain">${head}<p class="empty soft">${t("Asking the referee …")}</p></div>${menu}`;
  if (!match) return html`<div class="plain">${head}<${NoMatch} may=${may} /></div>${menu}`;

  const plays = may !== "watch" && !quiet && !match.review;
  const hand = { doc: match, may, answer, onPress: press, onName: askName };
  return html`
    <div class="screen">
      <div class="top">
        ${head}
        ${match.review && html`<p class="review" role="status"><span aria-hidden="true">⚖</span> ${t("The judges are looking at this. Everything stands as it was.")}</p>`}
        <${Troubles} troubles=${match.troubles} />
      </div>
      <${Now} doc=${match}>
        ${plays && match.camera && html`<${MainDeeds} doc=${match} may=${may} answer=${answer} onPress=${press} onMore=${() => setOpen("hand")} />`}
      <//>
      <div class=${match.camera ? "middle" : "middle blind"}>
        ${match.camera ? html`<${Picture} doc=${match} plays=${plays} onPick=${pick} />`
          : plays ? html`<${AllByHand} ...${hand} />` : html`<${Unseen} />`}
        <${Goods} doc=${match} />
      </div>
      <aside class="side">
        ${runs(match.device) && html`<${Hourglass} device=${match.device} kind="card glass" />`}
        <${Said} doc=${match} />
      </aside>
      <${Seats} doc=${match} />
      ${open === "hand" && html`<${ByHand} ...${hand} onClose=${() => setOpen("")} />`}
      ${tile && html`<${FaceDialog} tile=${tile.found} doc=${tile.on} onPick=${correct} onClose=${() => setTile(null)} />`}
      ${menu}${question}${naming}
    </div>`;
}

const runs = device => device && device.kind === "glass" && device.stage === "running" && device.end != null;

const Refused = () => html`
  <main class="empty">
    <h2>${t("This device may not watch here.")}</h2>
    <p>${t("Ask whoever runs the referee to let the network watch, or scan the code to join.")}</p>
    <p><a class="button" href="/login">${t("Log in with the PIN")}</a></p>
  </main>`;

const NoMatch = ({ may }) => html`
  <main class="empty">
    <h2>${t("No match is being played.")}</h2>
    <p>${t("As soon as one begins, it is shown here by itself.")}</p>
    ${may !== "watch" && html`<p><a class="button primary" href="/setup">${t("Begin a match")}</a></p>`}
  </main>`;

await wordsReady;
render(html`<${Screen} />`, document.getElementById("screen"));
