// What the overlay's address may say. The page reads nothing else, and /overlay/help lists all of
// it from here: what is not documented does not exist.
//   read(search)     { parts: [...], theme, lang, scale, delay, side, unknown: [...] }
//   written(values)  the query that says so; what is as usual is left out

import { t } from "../base/words.js";

export const PARAMETERS = [
  {
    name: "parts", usual: ["timer", "verdict", "standings"], among: ["turn", "timer", "verdict", "standings"],
    words: () => t("What is shown, from top to bottom; with commas between. Several sources can show one part each."),
  },
  {
    name: "theme", usual: "dark", among: ["dark", "light", "contrast"],
    words: () => t("Colours: light on dark, dark on light, or white on black with a border."),
  },
  {
    name: "lang", usual: "", among: ["", "en", "de"],
    words: () => t("Language; without it that of the program that shows the overlay."),
  },
  {
    name: "scale", usual: 1, from: 0.5, to: 3, step: 0.1,
    words: () => t("Size of everything. 1 is made for a picture of 1920 × 1080; take 0.7 for 1280 × 720."),
  },
  {
    name: "delay", usual: 0, from: 0, to: 300, step: 1,
    words: () => t("Seconds by which everything comes later, so that nobody at the table can peek; the server holds it back."),
  },
  {
    name: "side", usual: "left", among: ["left", "right"],
    words: () => t("On which side of the picture it stands."),
  },
];

const number = ({ from, to, usual }, text) => {
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? usual : Math.min(to, Math.max(from, value));
};

export function read(search) {
  const query = new URLSearchParams(search);
  const unknown = [];
  const values = {};
  for (const each of PARAMETERS) {
    const text = query.get(each.name);
    if (text === null) values[each.name] = each.usual;
    else if (each.from !== undefined) {
      values[each.name] = number(each, text.trim());
      if (String(values[each.name]) !== String(Number(text))) unknown.push(each.name + "=" + text);
    } else if (Array.isArray(each.usual)) {
      const asked = text.split(",").map(part => part.trim()).filter(Boolean);
      unknown.push(...asked.filter(part => !each.among.includes(part)).map(part => each.name + "=" + part));
      values[each.name] = asked.filter(part => each.among.includes(part));
    } else {
      values[each.name] = each.among.includes(text) ? text : each.usual;
      if (!each.among.includes(text)) unknown.push(each.name + "=" + text);
    }
  }
  for (const name of query.keys())
    if (!PARAMETERS.some(each => each.name === name)) unknown.push(name);
  return { ...values, unknown };
}

export function written(values) {
  const query = PARAMETERS.filter(({ name, usual }) => String(values[name]) !== String(usual))
    .map(({ name }) => name + "=" + encodeURIComponent(values[name]).replace(/%2C/g, ","));
  return query.length ? "?" + query.join("&") : "";
}
