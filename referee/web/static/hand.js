// What people decide: every command carries the state that it was decided on, and one id for each
// intent, so that a double click does nothing twice.

import { $, image, make, svg, update } from "./parts.js";

// What was pressed just after the match had gone on was meant for what stood there before.
const CALM_MS = 600;
// Pages from elsewhere can't send this.
const ours = async () => ({ "X-Referee": (await (await fetch("api/session", { cache: "no-store" })).json()).token });
let state = null, calmAt = 0, busy = false;

function say(text, wrong) {
  $("answer").className = "answer" + (wrong ? " wrong" : "");
  $("answer").textContent = text;
}

const by = $("by");
by.value = localStorage.getItem("by") || "";
by.addEventListener("change", () => localStorage.setItem("by", by.value.trim()));

function named() {
  if (by.value.trim()) return true;
  say("Say first who decides.", true);
  by.focus();
  return false;
}

// `on` is the state that somebody looked at when they decided.
async function command(on, deed) {
  if (busy || !named()) return false;
  const body = { at: on.state, by: by.value.trim(), ...deed };
  body.id = [on.match, on.state, on.seq, ...["do", "text", "to", "reason"].map(key => body[key])]
    .join("/").slice(0, 300);
  busy = true;
  document.body.classList.add("busy");
  try {
    const answer = await fetch("api/command", {
      method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...await ours() },
    });
    const { text } = await answer.json();
    say(answer.ok ? text || "Done." : text, !answer.ok);
    return answer.ok;
  } catch (error) {
    say("The referee does not answer: nothing may have happened. Look, then try again.", true);
    return false;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

// A question with two answers; the reason if it is yes, null if it is no.
function ask({ title, text, yes, why }) {
  $("ask-title").textContent = title;
  $("ask-text").textContent = text;
  $("ask-yes").textContent = yes;
  $("ask-reason").value = "";
  $("ask-reason").required = why;
  $("ask-why").firstChild.textContent = why ? "Why " : "Why (if you like) ";
  $("ask").returnValue = "no";
  $("ask").showModal();
  return new Promise(done => $("ask").addEventListener("close", () =>
    done($("ask").returnValue === "yes" ? $("ask-reason").value.trim() : null), { once: true }));
}

// What a button does: at once, or after a question.
async function take(on, deed, question) {
  if (performance.now() < calmAt) {
    say("The match has just gone on: look at it, then press again.", true);
    return;
  }
  if (!named()) return;
  if (!question) {
    await command(on, deed);
    return;
  }
  const reason = await ask(question);
  if (reason !== null) await command(on, { ...deed, reason });
}

function button(key, words, hint, press) {
  const node = make("button", "", make("span", "", words), hint ? make("small", "", hint) : null);
  node.type = "button";
  node.dataset.key = key;
  node.addEventListener("click", press);
  return node;
}

const back = (on, to, words) => take(on, { do: "undo", to },
  { title: "Take it back?", text: words, yes: "Take it back", why: false });

function deedButton(on, deed) {
  const question = !deed.why && deed.do !== "record-right" ? null
    : { title: deed.words + "?", text: deed.hint, yes: deed.words, why: deed.why };
  const node = button(deed.do, deed.words, deed.hint, () => take(on, { do: deed.do }, question));
  node.classList.add(deed.do);
  return node;
}

// Choices of one kind, such as "Build …", that are more than so many become a list.
const MANY = 4;
function choiceButtons(on, choices) {
  const enter = each => take(on, { do: "enter", text: each.text });
  const kinds = new Map();
  for (const each of choices) {
    const kind = each.words.split(" ", 1)[0];
    kinds.set(kind, [...(kinds.get(kind) || []), each]);
  }
  return [...kinds].flatMap(([kind, some]) => {
    if (some.length <= MANY)
      return some.map(each => button("enter " + each.text, each.words, "", () => enter(each)));
    const list = make("select", "", ...some.map((each, k) => new Option(each.words, String(k))));
    list.setAttribute("aria-label", kind + ": moves to choose from");
    list.dataset.key = "choices " + kind;
    const go = button("choose " + kind, "Enter this", "", () => enter(some[Number(list.value)]));
    return [make("span", "pick", list, go)];
  });
}

function fixByHand() {
  $("fix").open = true;
  $("position-text").focus();
}

function showDeeds(node, { by_hand, over, apart }) {
  const on = state;
  const { deeds, due, rivals, choices, undo } = by_hand;
  const picked = new Map([...node.querySelectorAll("select")].map(list => [list.dataset.key, list.selectedIndex]));
  node.replaceChildren(
    ...(due ? [make("p", "due", due.join(" "))] : []),
    ...(rivals.length ? [make("p", "due", "Which was it?"), ...choiceButtons(on, rivals)] : []),
    ...(apart ? [make("p", "due", "Verdicts pause until the table and the record agree. Put it right, or decide:")] : []),
    ...deeds.map(deed => deedButton(on, deed)),
    ...(apart ? [button("fix", "Fix it by hand", "Write down how it really is.", fixByHand)] : []),
    ...choiceButtons(on, choices),
    ...(undo ? [button("undo", "Undo", undo.words, () => back(on, undo.to, undo.words))] : []),
    ...(over || apart || deeds.length || choices.length ? [] : [make("p", "due", "Enter below what happened.")]));
  for (const list of node.querySelectorAll("select"))
    if (picked.get(list.dataset.key) < list.length) list.selectedIndex = picked.get(list.dataset.key);
  const undoing = node.querySelector("[data-key=undo]");
  if (undoing) undoing.classList.add("undo");
}

function showRecent(node, { recent }) {
  const on = state;
  node.replaceChildren(...recent.map(({ state: id, words, holds }) => {
    const item = make("li", holds ? "" : "gone", make("span", "", words),
      holds ? null : make("small", "", " (taken back)"));
    if (id > 0 && holds)
      item.append(button("before " + id, "Back to before this", "", () =>
        back(on, id - 1, "Everything since: " + words)));
    return item;
  }));
}

$("overrule").addEventListener("change", event => {
  $("move-why").hidden = !event.target.checked;
  $("move-reason").required = event.target.checked;
});
$("enter").addEventListener("submit", async event => {
  event.preventDefault();
  const overrule = $("overrule").checked;
  const reason = overrule ? $("move-reason").value.trim() : "";
  if (await command(state, { do: "enter", text: $("move").value.trim(), overrule, reason })) event.target.reset();
  $("move-why").hidden = !$("overrule").checked;
});

let asked = null;
$("fix").addEventListener("toggle", async () => {
  if (!$("fix").open) return;
  try {
    const { at, text } = await (await fetch("api/position", { cache: "no-store" })).json();
    asked = { ...state, state: at };
    $("position-text").value = text;
  } catch (error) {
    say("The referee does not answer.", true);
  }
});
$("position").addEventListener("submit", async event => {
  event.preventDefault();
  const reason = $("position-reason").value.trim();
  if (await command(asked || state, { do: "position", text: $("position-text").value.trim(), reason })) {
    event.target.reset();
    $("fix").open = false;
  }
});

// Faces are drawn by what they are worth, for those who do not know their names.
function faceDrawing(label, goods) {
  const parts = goods.filter(good => good.worth[label])
    .flatMap(good => Array.from({ length: Math.min(good.worth[label], 6) }, () => image(good.art, "")));
  return parts.length ? make("span", "drawing", ...parts) : null;
}

const asRead = tile => tile.down ? "face down" : tile.label
  || (tile.rivals.length ? tile.rivals.join(" or ") : "nothing known");

async function correct(tile) {
  if (!named()) return;
  const on = state;
  const { goods, tiles, by_hand } = on;
  const order = [...new Set([...tile.rivals, ...by_hand.faces])].filter(face => by_hand.faces.includes(face));
  $("face-text").textContent = "It is read as " + asRead(tile) + ".";
  $("faces").replaceChildren(...order.map(label => {
    const node = make("button", "", faceDrawing(label, goods), make("span", "", label));
    node.value = label;
    return node;
  }));
  $("face").returnValue = "";
  $("face").showModal();
  await new Promise(done => $("face").addEventListener("close", done, { once: true }));
  const text = $("face").returnValue;
  if (text) await command(on, { do: "correct", text, to: tile.tile, frame: tiles.frame });
}

// One stop for the keyboard; arrow keys go from tile to tile.
function showTiles(node, { tiles, faces, current }) {
  const on = tiles !== null && current && faces.length > 0;
  $("tip").hidden = !on;
  if (!on) {
    node.replaceChildren();
    return;
  }
  node.setAttribute("viewBox", "0 0 " + tiles.size.join(" "));
  const spots = tiles.tiles.map((tile, k) => {
    const spot = svg("polygon", {
      points: tile.quad.map(point => point.join(",")).join(" "), role: "button",
      tabindex: k ? "-1" : "0", "aria-label": "Tile read as " + asRead(tile) + ": correct it",
      class: tile.corrected ? "corrected" : "", "data-key": "tile " + tile.tile,
    });
    spot.addEventListener("click", () => correct(tile));
    return spot;
  });
  const words = tiles.tiles.filter(tile => tile.corrected).map(tile => {
    const at = axis => tile.quad.reduce((sum, point) => sum + point[axis], 0) / 4;
    const text = svg("text", { x: at(0), y: at(1), "font-size": Math.round(tiles.size[0] / 70) });
    text.textContent = "✎ " + tile.label;
    return text;
  });
  node.replaceChildren(...spots, ...words);
}
$("tiles").addEventListener("keydown", event => {
  const spots = [...$("tiles").querySelectorAll("polygon")];
  const here = spots.indexOf(document.activeElement);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (here < 0 || (!step && event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  if (!step) {
    spots[here].dispatchEvent(new MouseEvent("click"));
    return;
  }
  const next = spots[(here + step + spots.length) % spots.length];
  spots[here].setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});

const offered = ({ match, state, by_hand }) => JSON.stringify([match, state, by_hand.deeds]);

export function showHand(now) {
  const before = state;
  state = now;
  // The second click of a double click on "Start" must not find "Stop" in its place.
  if (before !== null && offered(before) !== offered(now)) calmAt = performance.now() + CALM_MS;
  if (before !== null && before.state !== now.state) asked = null;
  const instruction = now.step === null ? "The game is over." : now.step.instruction;
  update("instruction", instruction, node => { node.textContent = instruction; });
  const { by_hand, over, apart, seq, recent } = now;
  // The number of the last event belongs to it: a button pressed again after that is a new intent.
  update("deeds", { by_hand, over, apart, seq }, showDeeds);
  update("recent", { recent, seq }, showRecent);
  $("move").placeholder = by_hand.example;
  update("tiles", { tiles: now.tiles, faces: by_hand.faces, current: now.current }, showTiles);
}
