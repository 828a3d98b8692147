// The overlay of a stream, for a browser source of OBS: it never ends trying, and shows nothing
// that may be old.

import { html, render, useEffect, useState } from "../vendor/preact.js";
import { follow } from "../base/link.js";
import { wordsReady } from "../base/words.js";
import { read } from "./parameters.js";
import { Overlay } from "./parts.js";

const values = read(location.search);

function Page() {
  const [doc, setDoc] = useState(null);
  const [lost, setLost] = useState(null);
  useEffect(() => follow("overlay", { onDoc: setDoc, onLost: setLost, delay: values.delay }), []);
  return html`<${Overlay} doc=${doc} lost=${lost} values=${values} />`;
}

await wordsReady;
render(html`<${Page} />`, document.getElementById("overlay"));
