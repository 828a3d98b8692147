// Logging in with the PIN, and what whoever judges can do about sessions.

import { html, render, useEffect, useRef, useState } from "../vendor/preact.js";
import { access, ask, login, logout } from "../base/act.js";
import { Answer, Navigation, useQuestion } from "../base/parts.js";
import { plural, t, wordsReady } from "../base/words.js";

const asked = new URLSearchParams(location.search);
// Why somebody was sent here instead of joining.
const WHY = {
  code: () => t("This code is no longer valid. Scan the one that is shown now."),
  wait: () => t("Too many wrong codes. Wait a little, then scan the code again."),
};

// Where to go on: only to a page of this server.
function wanted() {
  try {
    const url = new URL(asked.get("to") || "/judge", location.origin);
    return url.origin === location.origin ? url.pathname + url.search : "/judge";
  } catch {
    return "/judge";
  }
}

// Seconds until the next try; counts down.
function useWait() {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 250);
    return () => clearInterval(timer);
  }, [until]);
  return [left, seconds => setUntil(Date.now() + seconds * 1000)];
}

const waiting = left => left < 60
  ? plural(left, "Too many wrong tries: wait one second.", "Too many wrong tries: wait {n} seconds.")
  : plural(Math.ceil(left / 60), "Too many wrong tries: wait one minute.", "Too many wrong tries: wait {n} minutes.");

function Form() {
  const field = useRef(null);
  const [answer, setAnswer] = useState(null);
  const [busy, setBusy] = useState(false);
  const [left, wait] = useWait();
  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    const told = await login(field.current.value);
    if (told.accepted) {
      location.replace(wanted());
      return;
    }
    setBusy(false);
    setAnswer(told);
    wait(told.wait);
    field.current.value = "";
    field.current.focus();
  }
  useEffect(() => field.current.focus(), []);
  const shown = left ? { accepted: false, text: waiting(left) } : answer && answer.wait ? null : answer;
  return html`
    <form class="grid" onSubmit=${submit}>
      <label class="field">${t("PIN")}
        <input ref=${field} type="password" inputmode="numeric" autocomplete="current-password" maxlength="64" required aria-describedby="hint" /></label>
      <p id="hint" class="soft">${t("It stands in the window in which the referee was started.")}</p>
      <button class="primary" disabled=${busy || left > 0}>${busy ? t("One moment …") : t("Log in")}</button>
      <${Answer} answer=${shown} />
    </form>`;
}

// What can be done about sessions by whoever has one.
function Inside() {
  const [question, put] = useQuestion();
  const [answer, setAnswer] = useState(null);
  const failed = () => setAnswer({ accepted: false, text: t("That did not work: load this page again.") });
  async function leave(deed) {
    await deed();
    location.reload();
  }
  async function renew() {
    const sure = await put({
      title: t("Make a new code?"), yes: t("Make a new code"),
      text: t("Devices that players joined with have to scan the new one."),
    });
    if (sure === null) return;
    const { ok } = await ask("/api/join-code", {});
    if (ok) setAnswer({ accepted: true, text: t("There is a new code: the print page shows it.") });
    else failed();
  }
  async function endAll() {
    const sure = await put({
      title: t("Log everybody out?"), yes: t("Log everybody out"),
      text: t("Everybody who judges has to give the PIN again, and players’ devices have to scan a new code."),
    });
    if (sure !== null) await leave(() => ask("/api/logout-all", {}));
  }
  return html`
    <p>${t("This device may judge.")}</p>
    <p><a class="button primary" href=${wanted()}>${t("Go on")}</a></p>
    <div class="deeds">
      <button type="button" onClick=${() => leave(logout)}>${t("Log out")}</button>
      <button type="button" onClick=${renew}>${t("New code for players …")}</button>
      <button type="button" onClick=${endAll}>${t("Log everybody out …")}</button>
    </div>
    <${Answer} answer=${answer} />
    ${question}`;
}

function Login({ may }) {
  const why = WHY[asked.get("join")];
  return html`
    <${Navigation} here="/login" />
    <main class="grid login">
      ${why && html`<p class="note waiting" role="alert">${why()}</p>`}
      <section class="card">
        <h1>${may === "judge" ? t("Logged in") : t("For the judge")}</h1>
        ${may === "judge" ? html`<${Inside} />` : html`<${Form} />`}
      </section>
    </main>`;
}

await wordsReady;
document.title = t("Log in");
render(html`<${Login} may=${await access()} />`, document.getElementById("login"));
