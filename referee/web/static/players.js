// What players see: whose turn it is, what remains, what lies where, what the referee says.

import { $, image, make, rules, svg, update } from "./parts.js";

function crown() {
  return svg("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": "first in rank" },
    svg("path", { d: "M2 7l5 5 5-8 5 8 5-5-2 12H4z" }));
}

function sandGlass() {
  return svg("svg", { viewBox: "0 0 24 24", class: "sand", "aria-hidden": "true" },
    svg("path", { d: "M5 2h14v2h-1c0 4-2 6-4 8 2 2 4 4 4 8h1v2H5v-2h1c0-4 2-6 4-8-2-2-4-4-4-8H5zm5 9.500h4c2-2 2.500-3 3-4.500H7c.5 1.500 1 2.500 3 4.500zM8 20h8c0-2-1.500-3.500-4-5-2.500 1.500-4 3-4 5z" }));
}

function showGood(good, demand) {
  const known = good.left !== null;
  const settled = known && demand > 0;
  const enough = settled && good.left >= demand;
  const pips = make("div", "pips");
  for (let i = 0; i < Math.min(Math.max(demand, good.left || 0), 14); i++)
    pips.append(make("i", known && i < good.left ? "on" : ""));
  const number = make("span", "number", known ? String(good.left) : "?");
  if (demand) number.append(make("small", "", " / " + demand));
  return make("div", "good" + (!settled ? "" : enough ? " enough" : " short"), image(good.art, ""),
    make("div", "", make("b", "", good.name),
      settled ? make("span", "say", enough ? "enough" : "too few") : null, pips), number);
}

const READ = {
  now: "",
  before: "As it was read last; the table can’t be read just now.",
  never: "The camera has not read the table yet.",
};
function showGoods(node, { goods, demand, read }) {
  node.hidden = goods.length === 0;
  const words = demand ? "Of each must remain in the centre" : "What lies in the centre";
  node.replaceChildren(
    make("h2", "", words, demand ? make("span", "number", String(demand)) : null),
    ...goods.map(good => showGood(good, demand)),
    ...(READ[read] ? [make("p", "soft", READ[read])] : []));
}

const finding = each => make("p", each.illegal ? "finding illegal" : "finding",
  make("b", "", (each.illegal ? "✗ " : "ℹ ") + (each.seats.length ? each.seats.join(", ") + ": " : "")),
  each.text + " ", rules(each.rule ? [each.rule] : []));

function pictures(evidence) {
  if (!evidence.length) return null;
  return make("div", "evidence", ...evidence.map(({ name, words }) => {
    const link = make("a", "", image("evidence/" + name + ".jpg", ""), make("span", "", words));
    link.href = "evidence/" + name + ".jpg";
    link.target = "_blank";
    link.dataset.key = name;
    link.firstChild.loading = "lazy";
    // Pictures are deleted after a stated time: then only the words are left.
    link.firstChild.onerror = () => link.remove();
    return link;
  }));
}

const OUTCOMES = {
  "inconclusive": ["… not yet", "wait"],
  "out-of-sync": ["✗ table and record differ", "stir"],
  "degraded": ["… camera unfit", "wait"],
};
const KINDS = {
  confirmed: () => ["✓ confirmed", "calm"],
  ruled: by => ["✎ ruled by " + by, "hand"],
  back: by => ["↶ taken back by " + by, "hand"],
  set: by => ["✎ set by " + by, "hand"],
  begin: () => ["begin", "idle"],
};

const stamped = (stamp, list) => make("div", "stamp", make("span", "", stamp), rules(list));

// What keeps the referee from a verdict stands above the last one, which holds meanwhile.
function showNow(node, verdict) {
  node.hidden = verdict === null;
  if (verdict === null) return;
  const [stamp, cls] = OUTCOMES[verdict.outcome];
  node.className = "card verdict " + cls;
  node.replaceChildren(stamped(stamp, verdict.rules), make("h2", "", verdict.headline),
    ...verdict.missing.map(each => make("p", "missing", "• " + each)),
    ...verdict.findings.map(finding), make("p", "", verdict.remedy),
    pictures(verdict.evidence) || "");
}

function showVerdict(node, { last, before, over, winner, apart }) {
  const [stamp, cls] = over ? ["★ the game is over", "calm"] : KINDS[last.kind](last.by);
  node.className = "card verdict " + cls;
  const headline = over && winner ? winner : last.headline;
  node.replaceChildren(stamped(stamp, over ? [] : last.rules), make("h2", "", headline),
    ...(apart ? [] : [...last.sentences.map(each => make("p", "", each)),
      ...last.findings.map(finding), pictures(last.evidence) || "",
      before ? make("p", "soft before", "Before that: " + before) : ""]));
}

function castle(line, goods) {
  const part = make("div", "castle");
  const lying = line.castle;
  if (!goods.length) return "";
  if (lying === null) return make("div", "castle", make("em", "", "not read yet"));
  lying.goods.forEach((n, i) => {
    if (n) part.append(make("span", "", image(goods[i].art, goods[i].name), String(n)));
  });
  const hidden = [[lying.down, "face down"], [lying.unread, "not read"]];
  for (const [n, how] of hidden)
    if (n) part.append(make("em", "", n + (n === 1 ? " tile " : " tiles ") + how));
  if (!part.childNodes.length) part.append(make("em", "", "no tiles here"));
  return part;
}

function showSeat(line, goods) {
  const seat = make("article", "card seat" + (line.acts ? " turn" : ""));
  seat.style.setProperty("--seat", line.colour);
  seat.append(make("h2", "", line.name, line.rank === 1 ? crown() : null,
    line.acts ? make("span", "badge acts", "▶ acts") : null,
    ...line.badges.map(badge => make("span", "badge " + badge, badge))));
  const facts = make("dl");
  for (const [name, value] of line.facts) facts.append(make("dt", "", name), make("dd", "", value));
  seat.append(facts, castle(line, goods));
  return seat;
}

// The hourglass runs down smoothly by this machine's clock; the server says when it ends.
const glass = { end: null, seconds: 0 };
function showGlass(device) {
  const runs = device !== null && device.kind === "glass" && device.stage === "running";
  $("glass").hidden = !runs;
  if (!runs) {
    glass.end = null;
    return;
  }
  const end = performance.now() + 1000 * device.left;
  if (glass.end === null || Math.abs(end - glass.end) > 300) glass.end = end;
  glass.seconds = device.seconds;
  tick();
}
function tick() {
  if (glass.end === null) return;
  const left = Math.max(0, (glass.end - performance.now()) / 1000);
  update("glass", [Math.ceil(left), glass.seconds], (node, [seconds]) => node.replaceChildren(
    sandGlass(), make("b", "number", String(seconds)),
    make("span", "", seconds === 1 ? "second left" : seconds ? "seconds left" : "time is up"),
    make("i", "run")));
  $("glass").style.setProperty("--left", Math.min(1, left / glass.seconds));
}
setInterval(tick, 100);

const PARTS = { record: "✗ Record", camera: "✗ Camera", box: "Box", evidence: "Pictures" };
function showTroubles(node, troubles) {
  node.replaceChildren(...troubles.map(({ part, text }) =>
    make("p", "trouble " + part, make("b", "", PARTS[part] + ": "), text)));
}

function waiting({ device }) {
  if (device === null || device.stage !== "running" || device.kind === "glass") return "";
  return "The arrow turns …";
}

function actors({ step, lines }) {
  const all = lines.length > 1 && step.actors.length === lines.length;
  return all ? "everybody" : step.actors.join(", ");
}

export function showPlayers(state) {
  const { step, lines, goods } = state;
  document.title = state.title + " – table referee";
  $("title").textContent = state.title;
  $("round").textContent = state.round ? "Round " + state.round : "Setup";
  $("phase").textContent = step === null ? "The game is over"
    : [step.title, actors(state)].filter(Boolean).join(" · ");
  $("rule").textContent = step === null ? "" : "rules " + step.rule;
  $("rule").hidden = step === null;
  const caption = step === null ? state.winner : waiting(state) || step.instruction;
  update("caption", caption, node => { node.textContent = caption; });
  update("troubles", state.troubles, showTroubles);
  const read = state.current || !state.camera ? "now" : state.tiles === null ? "never" : "before";
  update("goods", { goods, demand: state.demand, read }, showGoods);
  const { last, over, winner, apart, recent } = state;
  update("now", state.verdict, showNow);
  const before = recent.slice(1).find(each => each.holds)?.words;
  update("verdict", { last, before, over, winner, apart }, showVerdict);
  const ranked = lines.map((line, k) => [line, k])
    .sort(([a, i], [b, k]) => a.rank - b.rank || i - k).map(([line]) => line);
  update("seats", [ranked, goods], node =>
    node.replaceChildren(...ranked.map(line => showSeat(line, goods))));
  showGlass(state.device);
  $("unseen").hidden = state.camera;
  $("unseen").textContent = "No camera is used: what happens is entered by hand.";
  update("footer", [state.match, state.state, state.behind], node => node.replaceChildren(
    make("span", "", "Match " + state.match), make("span", "", "state " + state.state),
    ...(state.behind ? [make("span", "", "The table need not show yet what was entered by hand.")] : [])));
}

// What was shown before says nothing while nobody answers.
export function showLost(seconds) {
  document.body.classList.toggle("gone", seconds !== null);
  $("lost").hidden = seconds === null;
  if (seconds !== null)
    $("lost").textContent = "The referee has not answered for " + seconds + " s. Trying again …";
}
