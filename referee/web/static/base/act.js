// What people decide: each command carries the state that it was decided on, and one id for each
// intent, so that a double tap does nothing twice; a stray one right after a change does nothing.
//   noticed(doc)                        call it with every new document, before it is drawn
//   await take(doc, deed, { naming, question })   `doc`: what they saw. Asks first who decides if
//     nobody is named yet, then the question, if there is one
//   await command(doc, deed)            at once, without the calm time (a form that was filled in)
//     both give { accepted, text }: text is a sentence to show, "" if there is nothing to say.
//     deed: { do, text?, to?, frame?, reason?, overrule? } as referee/match/commands.py has it.
//     naming: async () => name | ""; question: async () => reason | null, such as a Dialog that
//     answers; "" and null: nothing is done.
//   decider(), setDecider(name)         who decides, as this device remembers it
//   await access()                      "watch" | "play" | "judge": what this device may do
//   await login(pin), await logout()    the judge's PIN: { accepted, text, wait }; wait: seconds
//   await ask(url, body?)               a route that only our own pages may use: its JSON, with
//     ok and status; a body is posted

import { keep, kept, lang, t } from "./words.js";

// What was pressed just after the match had gone on was meant for what stood there before.
const CALM_MS = 600;
// Pages from elsewhere can't read this, so they can't send it.
let token = "";

let before = null, calmAt = 0, busy = false;
let name = kept("by");

export const decider = () => name;
export function setDecider(value) {
  name = value.trim();
  keep("by", name);
}

const offered = doc => JSON.stringify([doc.match, doc.state, doc.by_hand && doc.by_hand.deeds]);

export function noticed(doc) {
  const now = offered(doc);
  // The second tap of a double tap on "Start" must not find "Stop" in its place.
  if (before !== null && before !== now) calmAt = performance.now() + CALM_MS;
  before = now;
}

async function session() {
  const told = await (await fetch("/api/session", { cache: "no-store" })).json();
  token = told.token || "";
  return told;
}

const wanted = (url, body) => fetch(url, {
  cache: "no-store",
  headers: { "X-Referee": token, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
  ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
});

export async function ask(url, body) {
  const target = url + (url.includes("?") ? "&" : "?") + "lang=" + lang;
  if (!token) await session();
  let answer = await wanted(target, body);
  if (answer.status === 403) {
    // Whoever has logged in elsewhere in this browser has another one by now.
    const old = token;
    await session();
    if (token !== old) answer = await wanted(target, body);
  }
  const told = await answer.json().catch(() => ({}));
  return { ok: answer.ok, status: answer.status, ...told };
}

const refused = text => ({ accepted: false, text });
const unnamed = () => refused(t("Say first who decides."));
const silent = () => refused(t("The referee does not answer: nothing may have happened. Look, then try again."));

export async function command(doc, deed) {
  if (busy) return refused("");
  if (!name) return unnamed();
  const body = { at: doc.state, by: name, ...deed };
  // The number of the last event belongs to it: the same thing pressed after that is a new intent.
  body.id = [doc.match, doc.state, doc.seq, ...["do", "text", "to", "reason"].map(key => body[key])]
    .join("/").slice(0, 300);
  busy = true;
  try {
    const told = await ask("/api/command", body);
    if (told.status === 401 || told.status === 403)
      return refused(told.text || t("This device may only watch."));
    return { accepted: told.accepted === true, text: told.text || "" };
  } catch {
    return silent();
  } finally {
    busy = false;
  }
}

export async function take(doc, deed, { naming, question } = {}) {
  if (performance.now() < calmAt)
    return refused(t("The match has just gone on: look at it, then press again."));
  if (!name && naming) setDecider(await naming());
  if (!name) return unnamed();
  if (!question) return command(doc, deed);
  const reason = await question();
  return reason === null ? refused("") : command(doc, { ...deed, reason });
}

export async function access() {
  try { return (await session()).access || "watch"; } catch { return "watch"; }
}

export async function login(pin) {
  try {
    const told = await ask("/api/login", { pin });
    token = "";
    return { accepted: told.accepted === true, text: told.text || "", wait: told.wait_s || 0 };
  } catch {
    return silent();
  }
}

export async function logout() {
  await ask("/api/logout", {});
  token = "";
}
