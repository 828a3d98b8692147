// Words of the pages, and this page's language and theme.
//   await wordsReady                          before the first drawing
//   t("{name} has {n} tiles.", { name, n })   the sentence in the page's language; literals only
//   plural(n, "one tile", "{n} tiles")        the first for exactly one, else the second
//   list(["Ann", "Ben"])                      "Ann and Ben"
//   lang, setLanguage("de"), theme, setTheme("dark" | "light" | "")
// Language: ?lang=, else what was chosen on this device, else the house's, else the browser's. German is in
// ../words.de.json: {English: German}, sorted; a test fails on a missing or an unused one.
// What the server sends is already in the language that was asked for: never give it to t().

export const LANGUAGES = { en: "English", de: "Deutsch" };
const THEMES = ["light", "dark"];
const asked = new URLSearchParams(location.search);

export function kept(key) {
  try { return localStorage.getItem(key) || ""; } catch { return ""; }
}
export function keep(key, value) {
  try { localStorage.setItem(key, value); } catch { /* a private window forgets */ }
}

const wanted = [asked.get("lang"), kept("lang"), document.documentElement.dataset.house, ...(navigator.languages || [])]
  .map(each => (each || "").slice(0, 2).toLowerCase());
export const lang = wanted.find(each => each in LANGUAGES) || "en";
export const theme = [asked.get("theme"), kept("theme")].find(each => THEMES.includes(each)) || "";
document.documentElement.lang = lang;
if (theme) document.documentElement.dataset.theme = theme;

// The page is loaded anew: what the server says changes its language too.
function choose(key, value) {
  keep(key, value);
  const url = new URL(location.href);
  url.searchParams.delete(key);
  if (url.href === location.href) location.reload();
  else location.replace(url);
}
export const setLanguage = value => choose("lang", value);
export const setTheme = value => choose("theme", value);

let words = {};
async function load() {
  if (lang === "en") return;
  for (let tries = 0; tries < 5; tries++) {
    try {
      const answer = await fetch("/static/words." + lang + ".json", { cache: "no-cache" });
      if (answer.ok) {
        words = await answer.json();
        return;
      }
    } catch { /* the server has just gone: once more, then English is better than nothing */ }
    await new Promise(done => setTimeout(done, 400));
  }
}
export const wordsReady = load();

const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => name in values ? String(values[name]) : whole);

export const t = (english, values = {}) => filled(words[english] || english, values);

export const plural = (n, one, many, values = {}) => t(n === 1 ? one : many, { n, ...values });

export const list = names => new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
