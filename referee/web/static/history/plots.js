// Plots: lines over the rounds, and bars. Each seat has its shape, each part its pattern.

import { html, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { shapeOf } from "../base/parts.js";
import { t } from "../base/words.js";

const HEIGHT = 240, TOP = 14, BOTTOM = 34, LEFT = 40, RIGHT = 22, MARK = 14;
// Besides the shapes: what keeps lines apart that cross.
const DASHES = ["", "10 5", "3 4", "12 4 3 4"];
let plots = 0;

function useWidth() {
  const node = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    watch.observe(node.current);
    return () => watch.disconnect();
  }, []);
  return [node, width];
}

// Round numbers for an axis: at most six steps of 1, 2 or 5 times a power of ten.
export function ticks(most) {
  const raw = Math.max(1, most) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map(each => each * power).find(each => each >= raw));
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, k) => k * step);
}

// "Ann: from 15 to 7" for each, for those who hear it.
const told = (measure, players) => players.map((player, seat) => {
  const line = measure.seats[seat].rounds;
  return t("{who}: from {first} to {last}.", { who: player.player || player.name, first: line[0], last: line[line.length - 1] });
}).join(" ");

export function Lines({ measure, players }) {
  const [node, width] = useWidth();
  const [id] = useState(() => "plot-" + ++plots);
  const { rounds, seats } = measure;
  const marks = ticks(Math.max(...seats.flatMap(seat => seat.rounds)));
  const highest = marks[marks.length - 1];
  const x = k => rounds.length < 2 ? (LEFT + width - RIGHT) / 2 : LEFT + k * (width - LEFT - RIGHT) / (rounds.length - 1);
  const y = value => HEIGHT - BOTTOM - value * (HEIGHT - TOP - BOTTOM) / highest;
  // Lines on the same value lie side by side.
  const beside = seat => (seat - (players.length - 1) / 2) * 3;
  const path = line => line.map((value, k) => `${k ? "L" : "M"}${x(k)} ${y(value)}`).join("");
  const some = Math.max(1, Math.ceil(rounds.length / Math.max(2, Math.floor(width / 44))));
  return html`
    <div class="lines" ref=${node}>${width > 0 && html`
      <svg role="img" aria-labelledby=${id} width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`}>
        <title id=${id}>${t("{what} over the rounds.", { what: measure.words })} ${told(measure, players)}</title>
        <g class="axis" aria-hidden="true">
          ${marks.map(value => html`<g key=${value}><line x1=${LEFT - 10} x2=${width - RIGHT + 10} y1=${y(value)} y2=${y(value)} /><text x=${LEFT - 14} y=${y(value) + 5} class="end">${value}</text></g>`)}
          ${rounds.map((round, k) => k % some === 0 && html`<text key=${k} x=${x(k)} y=${HEIGHT - 10} class="middle">${round || t("Start")}</text>`)}
        </g>
        ${players.map((player, seat) => html`
          <g key=${seat} aria-hidden="true" transform=${`translate(0 ${beside(seat)})`}>
            <path class="edge" d=${path(seats[seat].rounds)} />
            <path class="line" d=${path(seats[seat].rounds)} style=${{ stroke: player.colour, strokeDasharray: DASHES[seat % DASHES.length] }} />
            ${seats[seat].rounds.map((value, k) => html`<g key=${k} class="point" transform=${`translate(${x(k) - MARK / 2} ${y(value) - MARK / 2}) scale(${MARK / 24})`}><path d=${shapeOf(player)} style=${{ fill: player.colour }} /></g>`)}
          </g>`)}
      </svg>`}</div>`;
}

const percent = (value, most) => 100 * value / most + "%";

export const Bar = ({ values, most, line, meaning }) => html`
  <span class="bar">
    ${line > 0 && html`<span class="whisker" style=${{ width: percent(line, most) }}></span>`}
    ${values.map((value, k) => value > 0 && html`<span key=${k} class=${"part-" + k % 5 + (meaning ? " " + meaning : "")} style=${{ width: percent(value, most) }}></span>`)}
  </span>`;
