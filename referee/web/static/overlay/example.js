// What the preview shows while no match is being played.

import { serverNow } from "../base/link.js";
import { t } from "../base/words.js";

const SEATS = [["Ann", "yellow", "rgb(245, 196, 30)"], ["Ben", "blue", "rgb(40, 90, 190)"], ["Cleo", "purple", "rgb(128, 50, 140)"]];
let end = 0;

export function example() {
  if (end < serverNow()) end = serverNow() + 20;
  return {
    match: "example", round: 2, over: false, review: false,
    step: { title: t("Place statues") },
    timer: { kind: "glass", stage: "running", seconds: 20, end },
    verdict: {
      outcome: "confirmed", stamp: t("confirmed"), headline: t("Tumult over bread!"),
      sentences: [t("Two symbols of bread remain, 4 demanded.")], rules: ["3.3"],
    },
    standings: SEATS.map(([name, piece, colour], seat) => ({
      name, piece, colour, seat, rank: seat + 1, badges: [], acts: seat === 1, facts: [[t("supporters"), 15 - 2 * seat]],
    })),
  };
}
