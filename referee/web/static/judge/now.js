// What the referee says, and what the judge can decide about it.

import { html } from "../vendor/preact.js";
import { Choices } from "../base/choices.js";
import { serverNow } from "../base/link.js";
import { Rules, Seat, useTick, Verdict } from "../base/parts.js";
import { t } from "../base/words.js";
import { Pictures } from "./evidence.js";

const DECISIONS = ["table-right", "record-right"];

// Table and record differ: one of three ways, each with what it will do.
function Apart({ doc, deeds, onFix }) {
  const { by_hand, verdict, state } = doc;
  const offered = Object.fromEntries(by_hand.deeds.map(deed => [deed.do, deed]));
  const move = verdict && verdict.move || [];
  const broken = verdict ? verdict.findings.filter(finding => finding.illegal) : [];
  const table = () => deeds.act({ do: "table-right" }, {
    words: t("The table stands: {what}", { what: move.join(" ") }),
    question: {
      title: t("The table is right?"), yes: t("The table is right"), why: "must", reasons: ["seen", "agreed", "misread"],
      lines: [t("On record will be: {what}", { what: move.join(" ") }),
        broken.length ? t("It stands although the rules forbid it: {what}", { what: broken.map(each => each.text).join(" ") }) : ""],
    },
    back: { words: t("Take it back"), press: () => deeds.undo(state, move[0] || "") },
  });
  const record = () => deeds.act({ do: "record-right" }, {
    words: t("The record stands. The table is to be put as it says; then the referee looks again."),
    question: {
      title: t("The record is right?"), yes: t("The record is right"), why: "must", reasons: ["seen", "agreed", "misread"],
      lines: [t("Nothing on record changes. The players put the table as the record says.")],
    },
    back: { words: t("Decide otherwise"), press: onFix },
  });
  return html`
    <section class="card apart" aria-labelledby="apart">
      <h3 id="apart">${t("Which is right?")}</h3>
      <div class="ways">
        <button type="button" data-do="table-right" disabled=${!offered["table-right"]} onClick=${table}>
          <span>${t("The table is right …")}</span>
          <small>${offered["table-right"] ? t("Records: {what}", { what: move[0] || "" }) : t("No single move leads to this table: fix it by hand.")}</small></button>
        <button type="button" data-do="record-right" disabled=${!offered["record-right"]} onClick=${record}>
          <span>${t("The record is right …")}</span><small>${t("The players put the table as it says.")}</small></button>
        <button type="button" data-do="fix" onClick=${onFix}>
          <span>${t("Fix it by hand …")}</span><small>${t("Enter the move, or set what is on record.")}</small></button>
      </div>
    </section>`;
}

function Moves({ title, choices, deeds, doc, confirm }) {
  const from = doc.state;
  const enter = each => deeds.act({ do: "enter", text: each.text }, {
    words: t("Recorded: {what}", { what: each.words }),
    question: confirm && { title: t("Record this?"), lines: [each.words], yes: t("Record it"), why: "may", reasons: ["seen", "agreed", "misread"] },
    back: { words: t("Take it back"), press: () => deeds.undo(from, each.words) },
  });
  return html`
    <section class="card" aria-label=${title}>
      <h3>${title}</h3>
      <div class="deeds"><${Choices} choices=${choices} onPick=${enter} more=${confirm} /></div>
    </section>`;
}

const TOLD = {
  start: () => t("It is started."), stop: () => t("Time is up."), done: () => t("Done: the table is judged as it lies."),
};

// Hourglass and arrow begin anew when the position is set to what it is.
const anew = (deeds, position) => deeds.act({ do: "position", text: position }, {
  words: t("The step begins anew."),
  question: {
    title: t("Begin this step anew?"), yes: t("Begin anew"), why: "must", reasons: ["slip", "agreed", "asked"],
    lines: [t("Nothing on record changes; hourglass and arrow are as they were before this step.")],
  },
});

// What box and players do, in their place: at once, since it decides against nobody.
function Steps({ doc, deeds }) {
  const { by_hand, device, state } = doc;
  const steps = by_hand.deeds.filter(deed => !DECISIONS.includes(deed.do));
  if (!steps.length && !by_hand.due && !device) return null;
  const press = deed => {
    const moves = deed.do === "done" && by_hand.due;
    deeds.act({ do: deed.do }, {
      words: moves ? t("Recorded: {what}", { what: by_hand.due[0] }) : TOLD[deed.do] ? TOLD[deed.do]() : deed.words,
      back: moves ? { words: t("Take it back"), press: () => deeds.undo(state, by_hand.due[0]) }
        : { words: t("Begin the step anew …"), press: () => anew(deeds, doc.position) },
    });
  };
  return html`
    <section class="card" aria-label=${t("This step")}>
      <${Device} device=${device} />
      ${by_hand.due && html`<p class="due">${by_hand.due.join(" ")}</p>`}
      <div class="deeds">${steps.map((deed, k) => html`
        <button type="button" key=${deed.do + k} data-do=${deed.do} onClick=${() => press(deed)}>
          <span>${deed.words}</span>${deed.hint && html`<small>${deed.hint}</small>`}</button>`)}</div>
    </section>`;
}

function Device({ device }) {
  const runs = device != null && device.kind === "glass" && device.stage === "running";
  useTick(250, runs);
  if (device == null) return null;
  if (runs) {
    const left = device.end == null ? device.left : Math.max(0, device.end - serverNow());
    return html`<p class="device"><b class="number">${Math.ceil(left)}</b> ${t("seconds are left of the hourglass")}${device.by_hand ? " (" + t("counted here, without the box") + ")" : ""}</p>`;
  }
  const words = device.kind === "glass"
    ? { idle: t("The hourglass is not turned yet."), over: t("The hourglass has run out.") }[device.stage]
    : { idle: t("The arrow is not spun yet."), running: t("The arrow turns …"), over: t("The arrow stands.") }[device.stage];
  return html`<p class="device">${words}${device.label != null && device.stage === "over" ? " " + t("The motor believes at {n}.", { n: device.label }) : ""}</p>`;
}

function Back({ doc, deeds, onRecord }) {
  const { undo } = doc.by_hand;
  return html`
    <section class="card" aria-label=${t("Take back")}>
      <div class="deeds">
        ${undo && html`
          <button type="button" data-do="undo" onClick=${() => deeds.undo(undo.to, undo.words)}>
            <span>↶ ${t("Take back the last move …")}</span><small>${undo.words}</small></button>`}
        <button type="button" data-do="earlier" onClick=${onRecord}>
          <span>↶ ${t("Back to an earlier state …")}</span><small>${t("Choose it in the record.")}</small></button>
      </div>
    </section>`;
}

function Sheet({ doc }) {
  return html`
    <section class="card sheet" aria-label=${t("The score sheet")}>
      <table>
        <thead><tr><th>${t("Seat")}</th>${(doc.lines[0] ? doc.lines[0].facts : []).map(([name]) => html`<th key=${name}>${name}</th>`)}<th>${t("Castle")}</th></tr></thead>
        <tbody>${doc.lines.map(line => html`
          <tr key=${line.name} class=${line.acts ? "acts" : ""}>
            <th scope="row"><${Seat} seat=${line} />${line.acts ? html` <span class="turn" title=${t("acts now")}>◂</span>` : ""}
              ${line.badges.length > 0 && html`<small>${line.badges.join(", ")}</small>`}</th>
            ${line.facts.map(([name, value]) => html`<td key=${name}>${value}</td>`)}
            <td><${Castle} castle=${line.castle} goods=${doc.goods} /></td>
          </tr>`)}</tbody>
      </table>
    </section>`;
}

function Castle({ castle, goods }) {
  if (castle == null) return "–";
  const symbols = goods.map((good, k) => [good, castle.goods[k]]).filter(([, n]) => n);
  return html`<span class="castle">
    ${symbols.map(([good, n]) => html`<span key=${good.name}><img src=${"/" + good.art} alt=${good.name} /> ${n}</span>`)}
    ${castle.down > 0 && html`<span>${t("{n} face down", { n: castle.down })}</span>`}
    ${castle.unread > 0 && html`<b class="unsure">${t("{n} in doubt", { n: castle.unread })}</b>`}
    ${!symbols.length && !castle.down && !castle.unread ? "–" : ""}</span>`;
}

export function Now({ doc, deeds, onFix, onRecord }) {
  const { verdict, last, by_hand, step } = doc;
  const said = verdict || last;
  return html`
    ${step && html`<p class="step"><b>${step.title}</b> <${Rules} rules=${[step.rule]} /> ${step.instruction}</p>`}
    <${Verdict} verdict=${verdict && { ...verdict, evidence: [], remedy: doc.apart ? "" : verdict.remedy }}
      last=${{ ...last, evidence: [] }} over=${doc.over} winner=${doc.winner} />
    ${doc.behind && html`<p class="note waiting">${t("The table need not show yet what was entered by hand.")}</p>`}
    ${doc.apart && html`<${Apart} doc=${doc} deeds=${deeds} onFix=${onFix} />`}
    ${by_hand.rivals.length > 0 && html`<${Moves} title=${t("Which was it?")} choices=${by_hand.rivals} deeds=${deeds} doc=${doc} confirm />`}
    <${Pictures} pictures=${said.evidence} />
    <${Steps} doc=${doc} deeds=${deeds} />
    ${by_hand.choices.length > 0 && html`<${Moves} title=${t("Enter what was done")} choices=${by_hand.choices} deeds=${deeds} doc=${doc} />`}
    <${Back} doc=${doc} deeds=${deeds} onRecord=${onRecord} />
    <${Sheet} doc=${doc} />`;
}
