// Follows the referee: the state as events come, the picture as fast as it can be shown.

import { $, sleep } from "./parts.js";
import { showHand } from "./hand.js";
import { showLost, showPlayers } from "./players.js";

// So long without an answer, the page says so instead of showing what was.
const LOST_MS = 4000, STALE_MS = 4000;
let heardAt = performance.now(), seenAt = performance.now(), camera = false;

async function get(url) {
  const answer = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer;
}

async function follow() {
  let after = -1;
  for (;;) {
    try {
      const state = await (await get("api/state?after=" + after)).json();
      after = state.seq;
      camera = state.camera;
      heardAt = performance.now();
      showLost(null);
      showPlayers(state);
      showHand(state);
      document.body.classList.remove("waiting");
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) after = -1;
      else console.error(error);
      await sleep(500);
    }
  }
}

async function watch() {
  let after = -1, url = "";
  for (;;) {
    try {
      const answer = await get("frame.jpg?after=" + after);
      if (answer.status !== 200) {
        if (!camera) await sleep(1000);
        continue;
      }
      after = Number(answer.headers.get("X-Frame"));
      const next = URL.createObjectURL(await answer.blob());
      await new Promise(done => { $("picture").onload = $("picture").onerror = done; $("picture").src = next; });
      if (url) URL.revokeObjectURL(url);
      url = next;
      $("picture").hidden = false;
      seenAt = performance.now();
    } catch (error) {
      after = -1;
      await sleep(1000);
    }
  }
}

setInterval(() => {
  const silent = performance.now() - heardAt;
  if (silent > LOST_MS) showLost(Math.round(silent / 1000));
  const age = performance.now() - seenAt;
  $("stale").hidden = !camera || age < STALE_MS;
  $("stale").textContent = "The picture is " + Math.round(age / 1000) + " s old";
}, 500);
follow();
watch();
