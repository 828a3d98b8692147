// What people decide: each command carries the state that it was decided on, and one id for each
// intent, so that a double tap does nothing twice; a stray one right after a change does nothing.
//   noticed(doc)                        call it with every new document, before it is drawn
//   await take(doc, deed, question)     asks first if there is a question; `doc`: what they saw
//   await command(doc, deed)            at once, without the calm time (a form that was filled in)
//     both give { accepted, text }: text is a sentence to show, "" if there is nothing to say.
//     deed: { do, text?, to?, frame?, reason?, overrule? } as referee/match/commands.py has it.
//     question: async () => reason | null, such as a Dialog that answers; null: nothing is done.
//   decider(), setDecider(name)         who decides; command says so if nobody is named
//   await access()                      "watch" | "play" | "judge": what this device may do
//   await login(pin), await logout()    the judge's PIN: { accepted, text }
//   ask(url, body?)                     JSON from a route that only our own pages may use

import { keep, kept, t } from "./words.js";

// What was pressed just after the match had gone on was meant for what stood there before.
const CALM_MS = 600;
// Pages from elsewhere can't send this.
const OURS = { "X-Referee": "page" };

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

export async function ask(url, body) {
  const sent = body === undefined ? { headers: OURS } : {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...OURS },
  };
  const answer = await fetch(url, { cache: "no-store", ...sent });
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

export async function take(doc, deed, question) {
  if (performance.now() < calmAt)
    return refused(t("The match has just gone on: look at it, then press again."));
  if (!name) return unnamed();
  if (!question) return command(doc, deed);
  const reason = await question();
  return reason === null ? refused("") : command(doc, { ...deed, reason });
}

export async function access() {
  const told = await ask("/api/session");
  return told.ok ? told.access : "watch";
}

export async function login(pin) {
  try {
    const told = await ask("/api/login", { pin });
    return { accepted: told.accepted === true, text: told.text || "" };
  } catch {
    return silent();
  }
}

export const logout = () => ask("/api/logout", {});
