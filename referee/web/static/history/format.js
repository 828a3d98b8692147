// How days, lengths of time and addresses are written.

import { lang, plural, t } from "../base/words.js";

const LOCALE = { en: "en-GB", de: "de-DE" }[lang];
const DAY = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });
const TIME = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });
const CLOCK = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

const date = seconds => new Date(seconds * 1000);
export const day = seconds => DAY.format(date(seconds));
export const moment = seconds => t("{day}, {time}", { day: day(seconds), time: TIME.format(date(seconds)) });
export const clock = seconds => CLOCK.format(date(seconds));
export const number = value => value === null ? "–" : NUMBER.format(value);

// 50 s, 4 min 10 s, 1 h 5 min
export function length(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return t("{n} s", { n: number(seconds < 10 ? seconds : whole) });
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 ? t("{m} min {s} s", { m: minutes, s: whole % 60 }) : t("{m} min", { m: minutes });
  return t("{h} h {m} min", { h: Math.floor(minutes / 60), m: minutes % 60 });
}

// The same page with another match, or with none.
export function address(match) {
  const url = new URL(location.href);
  if (match) url.searchParams.set("match", match);
  else url.searchParams.delete("match");
  return url.pathname + url.search;
}

export const rounds = n => plural(n, "one round", "{n} rounds");
