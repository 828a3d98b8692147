// How sure a reading is, and what it says. Scores are for the judge only.

import { t } from "../base/words.js";

// What people said of a tile counts without doubt.
export const doubtOf = tile => tile.corrected == null && !tile.down && !(tile.certain && tile.label != null);

export const readAs = (tile, names) => tile.corrected != null ? names.face(tile.corrected)
  : tile.down ? t("face down")
    : tile.label != null ? names.face(tile.label)
      : tile.rivals.length ? tile.rivals.slice(0, 3).map(([label]) => names.face(label)).join(t(" or ")) : t("nothing known");

// What a tile may show; of one that lies face down nothing is read.
export const rivalsOf = tile => tile.down ? [] : tile.rivals;

// How far the likeliest face is ahead of the next one; null without any.
export function marginOf(tile) {
  const rivals = rivalsOf(tile);
  return rivals.length ? rivals[0][1] - (rivals.length > 1 ? rivals[1][1] : 0) : null;
}

export const percent = score => score == null ? "–" : Math.round(score * 100) + " %";
