// Parts that several pages share; Preact components with htm.
//   <${Seat} seat=${line} />                  a seat's shape in its colour, and its name
//   <${Verdict} verdict=${…} last=${…} />     what the referee says now, or the last thing that holds
//   <${Finding} finding=${…} />               one thing that the rules say
//   <${Evidence} pictures=${[…]} />           pictures that it rests on; gone when they are deleted
//   <${Tiles} tiles=${doc.tiles} goods=${doc.goods} onPick=${tile => …} />   tiles over a picture,
//     to be pressed
//   <${FaceDrawing} label=${…} goods=${…} />  a face by what it is worth
//   <${Dialog} title=${…} onClose=${…}>…<//>  a modal dialog; Escape closes it, the focus goes back
//   useQuestion()                             asks for yes or no, and for a reason
//   <${Answer} answer=${{accepted, text}} />  what became of a command, told to screen readers
//   <${Navigation} here="/judge" />           the pages, the language and light or dark
//   <${Lost} seconds=${…} />                  the banner in place of what is stale
//   asRead(tile, goods), faceWords(label, goods)   what a tile was read as, and a face, in words

import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { LANGUAGES, lang, list, setLanguage, setTheme, t, theme } from "./words.js";

// A shape for each colour, since colour alone says nothing to many.
const SHAPES = {
  circle: "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
  square: "M3 3h18v18H3z",
  triangle: "M12 2l11 20H1z",
  diamond: "M12 1l11 11-11 11L1 12z",
  star: "M12 1l3.300 7.100 7.700.9-5.700 5.300 1.500 7.700L12 18.200 5.200 22l1.500-7.700L1 9l7.700-.9z",
  cross: "M8 2h8v6h6v8h-6v6H8v-6H2V8h6z",
};
const SHAPE_OF = {
  yellow: "circle", blue: "square", grey: "triangle", purple: "diamond", red: "star", green: "cross",
};
// A game with other colours takes them by the order of its seats.
const BY_SEAT = Object.keys(SHAPES);

// The outline of a seat's shape in a square of 24 units.
export const shapeOf = seat => SHAPES[SHAPE_OF[seat.piece] || BY_SEAT[seat.seat % BY_SEAT.length]];

export const SeatMark = ({ seat }) => html`
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d=${shapeOf(seat)} style=${{ fill: seat.colour }} /></svg>`;

// Whoever gave a name is called by it; the colour's word then stands small beside it.
export const Seat = ({ seat }) => html`
  <span class="seat-name"><${SeatMark} seat=${seat} /> ${seat.player || seat.name}${seat.player && seat.player !== seat.name
    && html` <small>${seat.name}</small>`}</span>`;

export const Rules = ({ rules }) => rules.length
  ? html`<span class="rule">${rules.map(rule => t("rules {rule}", { rule })).join(", ")}</span>` : null;

export const Finding = ({ finding }) => html`
  <p class=${finding.illegal ? "finding illegal" : "finding"}>
    <b>${finding.illegal ? "✗" : "ℹ"} ${finding.seats.length ? list(finding.seats) + ": " : ""}</b>
    ${finding.text} <${Rules} rules=${finding.rule ? [finding.rule] : []} />
  </p>`;

// Pictures are deleted after a stated time: then only the words are left.
function Picture({ url, words, onOpen }) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  const src = rooted(url);
  return html`
    <button type="button" class="picture" onClick=${() => onOpen({ src, words })}>
      <img src=${src} alt="" loading="lazy" onError=${() => setGone(true)} /><span>${words}</span>
    </button>`;
}

export function Evidence({ pictures }) {
  const [open, setOpen] = useState(null);
  if (!pictures.length) return null;
  return html`
    <div class="evidence">${pictures.map(each => html`<${Picture} key=${each.name} ...${each} onOpen=${setOpen} />`)}</div>
    ${open && html`
      <${Dialog} title=${open.words[0].toUpperCase() + open.words.slice(1)} wide onClose=${() => setOpen(null)}>
        <img class="large" src=${open.src} alt=${t("The table as the camera saw it")} />
      <//>`}`;
}

// What a verdict is: a word and a sign of its own, and the accent of its meaning.
const OUTCOMES = {
  "inconclusive": () => ["waiting", "…", t("not yet")],
  "out-of-sync": () => ["differs", "≠", t("table and record differ")],
  "degraded": () => ["waiting", "…", t("camera unfit")],
};
const KINDS = {
  confirmed: () => ["confirmed", "✓", t("confirmed")],
  ruled: by => ["byhand", "✎", t("decided by {by}", { by })],
  back: by => ["byhand", "↶", t("taken back by {by}", { by })],
  set: by => ["byhand", "✎", t("set by {by}", { by })],
  begin: () => ["idle", "▸", t("begin")],
};

export function Stamp({ verdict, last, over }) {
  const [meaning, sign, words] = verdict ? OUTCOMES[verdict.outcome]()
    : over ? ["confirmed", "★", t("the game is over")] : KINDS[last.kind](last.by);
  return html`<p class=${"stamp " + meaning}><span class="sign" aria-hidden="true">${sign}</span> ${words}</p>`;
}

export const meaningOf = ({ verdict, last, over }) =>
  verdict ? OUTCOMES[verdict.outcome]()[0] : over ? "confirmed" : KINDS[last.kind](last.by)[0];

// `verdict`: what keeps the referee from one now; without it `last`: what holds.
export function Verdict({ verdict, last, over, winner, brief }) {
  const said = verdict || last;
  const headline = !verdict && over && winner ? winner : said.headline;
  const sentences = verdict ? [] : last.sentences;
  return html`
    <section class=${"card verdict " + meaningOf({ verdict, last, over })} aria-live="polite"
        aria-label=${verdict ? t("What the table shows now") : t("The last verdict")}>
      <div class="stamped"><${Stamp} verdict=${verdict} last=${last} over=${over} /><${Rules} rules=${!verdict && over ? [] : said.rules} /></div>
      <h2>${headline}</h2>
      ${verdict && verdict.missing.map(each => html`<p class="missing" key=${each}>${each}</p>`)}
      ${!brief && sentences.map(each => html`<p key=${each}>${each}</p>`)}
      ${!brief && said.findings.map(each => html`<${Finding} key=${each.text} finding=${each} />`)}
      ${verdict && html`<p class="remedy">${verdict.remedy}</p>`}
      ${!brief && html`<${Evidence} pictures=${said.evidence} />`}
    </section>`;
}

// A face in words: by what it is worth, such as "bread 2", if no other face is worth the same.
export function faceWords(label, goods) {
  const worth = face => goods.filter(good => good.worth[face]).map(good => good.name + " " + good.worth[face]).join(", ");
  const words = worth(label);
  const faces = new Set(goods.flatMap(good => Object.keys(good.worth)));
  return words && [...faces].filter(face => worth(face) === words).length === 1 ? words : label;
}

export function asRead(tile, goods) {
  if (tile.down) return t("face down");
  if (tile.label) return faceWords(tile.label, goods);
  return tile.rivals.length ? tile.rivals.map(face => faceWords(face, goods)).join(t(" or ")) : t("nothing known");
}

const middle = quad => [0, 1].map(axis => quad.reduce((sum, point) => sum + point[axis], 0) / 4);

// Over a picture that fills the same box. One stop for the keyboard; arrow keys go on from tile to tile.
export function Tiles({ tiles, goods, onPick }) {
  const [at, setAt] = useState(0);
  const group = useRef(null);
  const all = tiles.tiles, here = Math.min(at, all.length - 1);
  function press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" || event.key === " ") onPick(all[here]);
    else if (!step) return;
    else {
      const next = (here + step + all.length) % all.length;
      setAt(next);
      group.current.querySelectorAll("polygon")[next].focus();
    }
    event.preventDefault();
  }
  return html`
    <svg class="tiles" ref=${group} viewBox=${"0 0 " + tiles.size.join(" ")} role="group"
        aria-label=${t("Tiles that can be corrected")} onKeyDown=${press}>
      ${all.map((tile, k) => html`
        <polygon key=${tile.tile} points=${tile.quad.map(point => point.join(",")).join(" ")}
          role="button" tabindex=${k === here ? 0 : -1} class=${tile.corrected ? "corrected" : tile.rivals.length ? "doubtful" : ""}
          aria-label=${t("Tile read as {what}: correct it", { what: asRead(tile, goods) })}
          onClick=${() => onPick(tile)} onFocus=${() => setAt(k)} />`)}
      ${all.filter(tile => tile.corrected).map(tile => {
        const [x, y] = middle(tile.quad);
        return html`<text key=${"t" + tile.tile} x=${x} y=${y} font-size=${Math.round(tiles.size[0] / 70)}>✎ ${faceWords(tile.label, goods)}</text>`;
      })}
    </svg>`;
}

// Faces are drawn by what they are worth, for those who do not know their names.
export function FaceDrawing({ label, goods }) {
  const parts = goods.filter(good => good.worth[label]).flatMap(good =>
    Array.from({ length: Math.min(good.worth[label], 6) }, () => good.art));
  return parts.length
    ? html`<span class="drawing">${parts.map((art, k) => html`<img key=${k} src=${rooted(art)} alt="" />`)}</span>` : null;
}
export const rooted = url => url.startsWith("/") ? url : "/" + url;

let dialogs = 0;
export function Dialog({ title, wide, onClose, children }) {
  const node = useRef(null);
  const [id] = useState(() => "dialog-" + ++dialogs);
  useLayoutEffect(() => {
    const came = document.activeElement, dialog = node.current;
    dialog.showModal();
    return () => {
      // As long as it is open, nothing else can have the focus.
      dialog.close();
      if (came && came.isConnected) came.focus();
    };
  }, []);
  // A press beside it closes it, as people expect.
  const beside = event => { if (event.target === node.current) onClose(); };
  return html`
    <dialog ref=${node} class=${wide ? "wide" : ""} aria-labelledby=${id} onClick=${beside}
        onCancel=${event => { event.preventDefault(); onClose(); }}>
      <div class="inside">
        <div class="dialog-head"><h2 id=${id}>${title}</h2>
          <button type="button" class="quiet close" aria-label=${t("Close")} onClick=${onClose}>✕</button></div>
        ${children}
      </div>
    </dialog>`;
}

// Asks with a dialog: [what to draw, question => promise of the reason, or of null for no].
//   question: { title, text, yes, why }; why: a reason must be given
export function useQuestion() {
  const [asked, setAsked] = useState(null);
  function answer(value) {
    setAsked(null);
    asked.done(value);
  }
  const put = question => new Promise(done => setAsked({ ...question, done }));
  return [asked && html`<${Question} ...${asked} onAnswer=${answer} />`, put];
}

function Question({ title, text, yes, why, onAnswer }) {
  const [reason, setReason] = useState("");
  const submit = event => {
    event.preventDefault();
    onAnswer(reason.trim());
  };
  return html`
    <${Dialog} title=${title} onClose=${() => onAnswer(null)}>
      <form class="grid" onSubmit=${submit}>
        ${text && html`<p>${text}</p>`}
        <label class="field">${why ? t("Why") : t("Why (if you like)")}
          <input value=${reason} onInput=${event => setReason(event.target.value)} required=${why} autocomplete="off" maxlength="400" /></label>
        <div class="deeds">
          <button class="primary">${yes}</button>
          <button type="button" onClick=${() => onAnswer(null)}>${t("Cancel")}</button>
        </div>
      </form>
    <//>`;
}

export const Answer = ({ answer }) => html`
  <p class=${"answer" + (answer && !answer.accepted ? " wrong" : "")} role="status">${answer ? answer.text || (answer.accepted ? t("Done.") : "") : ""}</p>`;

// Said once, not anew each second.
export const Lost = ({ seconds }) => html`
  <p class="lost" role="alert">${t("The referee does not answer. Trying again …")} <span aria-hidden="true">(${seconds} s)</span></p>`;

const PAGES = [
  ["/", () => t("Table")], ["/judge", () => t("Judge")], ["/history", () => t("History")],
  ["/setup", () => t("Setup")], ["/kit", () => t("Print")], ["/overlay/help", () => t("Stream")],
];

export const Navigation = ({ here }) => html`
  <nav class="navigation" aria-label=${t("Pages")}>
    <ul>${PAGES.map(([url, words]) => html`<li key=${url}><a href=${url} aria-current=${url === here ? "page" : null}>${words()}</a></li>`)}</ul>
    <span class="tastes">
      ${Object.entries(LANGUAGES).map(([code, name]) => html`
        <button type="button" class="quiet" key=${code} lang=${code} aria-pressed=${code === lang} onClick=${() => setLanguage(code)}>${name}</button>`)}
      <button type="button" class="quiet" onClick=${() => setTheme(dark() ? "light" : "dark")}>${dark() ? t("Light") : t("Dark")}</button>
    </span>
  </nav>`;

const dark = () => theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;

// Draws again at most so often as the screen does; `value` is read anew each time.
export function useTick(everyMs, active = true) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => draw(n => n + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
}
