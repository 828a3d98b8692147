// Follows the referee: whole documents, then changes; connects again for ever.
//   follow("table", { onDoc(doc), onLost(seconds | null), onRefused("login" | "forbidden" | "unknown") })
//     onDoc: every new document, always a new object. onLost: each second in which nothing has
//     been heard for more than 3 s, and null as soon as a whole document has come again.
//     { delay: 20 } asks for documents that old. Gives a function that ends it.
//   video(img, "table", { onAge(seconds | null) }): shows the newest picture in an <img>, as fast
//     as this machine can; onAge each second, null before the first one. Gives a function that
//     ends it.
//   serverNow(): the server's clock in unix seconds, as near as its messages tell; with a delay it
//     is the moment that is shown.
// Documents: a member without a value is absent, never null: test `doc.verdict == null`.

import { lang } from "./words.js";

const SILENT_MS = 3000;
// A camera that stands still sends nothing either.
const VIDEO_SILENT_MS = 10000;
const WAITS_MS = [150, 400, 1000, 2000];
const REFUSED = { 4401: "login", 4403: "forbidden", 4404: "unknown" };
// Who was refused asks again, but not often: rights may change while a page stands open.
const REFUSED_MS = 10000;

let ahead = null;
function heardClock(at) {
  const now = at - performance.now() / 1000;
  // A late message seems to be an older clock, so the newest of all is the nearest; two clocks drift
  // apart slowly, and one that was set jumps.
  ahead = ahead === null || Math.abs(now - ahead) > 2 ? now : Math.max(now, ahead - 0.005);
}
export const serverNow = () => ahead === null ? Date.now() / 1000 : performance.now() / 1000 + ahead;

// RFC 7396; objects that change are made anew, those that don't stay the same.
export function merged(old, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const whole = old !== null && typeof old === "object" && !Array.isArray(old) ? { ...old } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete whole[key];
    else whole[key] = merged(whole[key], value);
  }
  return whole;
}

function address(path, query) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return url.href;
}

// A socket that is opened again whenever it closes, or is silent for too long.
function lasting(url, { binary = false, patience = SILENT_MS, onMessage, onOpen, onSilent, onRefused }) {
  let socket = null, tries = 0, again = 0, heardAt = performance.now(), stopped = false;

  function open() {
    clearTimeout(again);
    if (stopped) return;
    const mine = new WebSocket(url);
    let opened = performance.now();
    socket = mine;
    if (binary) mine.binaryType = "blob";
    if (onOpen) onOpen();
    mine.onopen = () => { opened = performance.now(); };
    mine.onmessage = event => {
      if (mine !== socket) return;
      heardAt = performance.now();
      tries = 0;
      onMessage(event.data, mine);
    };
    mine.onclose = event => {
      if (mine !== socket) return;
      socket = null;
      const refused = REFUSED[event.code];
      if (refused && onRefused) onRefused(refused);
      const wait = refused || event.code === 4429 ? REFUSED_MS : WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)];
      again = setTimeout(open, wait * (0.8 + 0.2 * Math.random()));
    };
    mine.silent = () => performance.now() - Math.max(opened, heardAt);
  }

  function drop() {
    const old = socket;
    socket = null;
    if (old) old.close();
    open();
  }

  const watching = setInterval(() => {
    const silent = performance.now() - heardAt;
    if (onSilent) onSilent(silent / 1000);
    if (socket && socket.silent() > patience) drop();
  }, 500);
  // Back from sleep, from another scene, or from a network that was gone: at once.
  const wake = () => { if (socket === null && !stopped) { tries = 0; open(); } };
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", wake);
  open();
  return {
    drop,
    stop() {
      stopped = true;
      clearInterval(watching);
      clearTimeout(again);
      removeEventListener("online", wake);
      removeEventListener("pageshow", wake);
      document.removeEventListener("visibilitychange", wake);
      if (socket) socket.close();
    },
  };
}

export function follow(audience, { onDoc, onLost = () => {}, onRefused, delay = 0 }) {
  let doc = null, version = -1, lost = 0;
  const query = delay > 0 ? { audience, lang, delay } : { audience, lang };

  function take(next, v) {
    doc = next;
    version = v;
    if (lost) {
      lost = 0;
      onLost(null);
    }
    onDoc(doc);
  }

  const line = lasting(address("/ws", query), {
    // What comes after this is new from the ground.
    onOpen() { version = -1; },
    onMessage(text, socket) {
      const told = JSON.parse(text);
      if (typeof told.at === "number") heardClock(told.at);
      if (told.kind === "beat") {
        socket.send(JSON.stringify({ kind: "beat", v: version }));
      } else if (told.kind === "whole") {
        take(told.doc, told.v);
      } else if (told.kind === "change") {
        if (told.from === version) take(merged(doc, told.patch), told.v);
        else if (told.v > version) line.drop();
      }
    },
    onSilent(seconds) {
      if (seconds * 1000 <= SILENT_MS) return;
      const whole = Math.floor(seconds);
      if (whole !== lost) {
        lost = whole;
        onLost(whole);
      }
    },
    onRefused,
  });
  return line.stop;
}

export function video(img, audience, { onAge = () => {}, delay = 0 } = {}) {
  let shown = "", shownAt = null;
  const query = delay > 0 ? { audience, delay } : { audience };
  const line = lasting(address("/ws/video", query), {
    binary: true,
    patience: VIDEO_SILENT_MS,
    async onMessage(data, socket) {
      if (typeof data === "string") return;
      const next = URL.createObjectURL(data);
      await new Promise(done => {
        img.onload = img.onerror = done;
        img.src = next;
      });
      if (shown) URL.revokeObjectURL(shown);
      shown = next;
      if (shownAt === null) onAge(0);
      shownAt = performance.now();
      if (socket.readyState === WebSocket.OPEN) socket.send('{"kind":"shown"}');
    },
    onSilent() { onAge(shownAt === null ? null : (performance.now() - shownAt) / 1000); },
  });
  return () => {
    line.stop();
    img.removeAttribute("src");
    if (shown) URL.revokeObjectURL(shown);
  };
}
