// Small helpers to build the page: no framework, nothing from elsewhere.

export const $ = id => document.getElementById(id);

export function make(tag, cls, ...inside) {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...inside.filter(part => part !== null && part !== undefined && part !== ""));
  return node;
}

export function image(src, alt) {
  const node = make("img");
  node.src = src;
  node.alt = alt;
  return node;
}

export function svg(tag, attributes, ...inside) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
}

export const rules = list =>
  list.length ? make("span", "rule", list.map(rule => "rules " + rule).join(", ")) : null;

// A part is only built anew when what it shows has changed: nothing flickers, nothing is read
// twice. Whoever was on a control in it by keyboard stays on it.
const shown = new Map();
export function update(id, data, build) {
  const text = JSON.stringify(data);
  if (shown.get(id) === text) return;
  shown.set(id, text);
  const node = $(id);
  const key = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  build(node, data);
  if (key === undefined) return;
  const again = [...node.querySelectorAll("[data-key]")].find(each => each.dataset.key === key);
  if (again) again.focus();
}

export const sleep = ms => new Promise(done => setTimeout(done, ms));
