// A match: who plays, begun, gone on with, or ended.

import { html, useState } from "../vendor/preact.js";
import { decider, setDecider } from "../base/act.js";
import { SeatMark, useQuestion } from "../base/parts.js";
import { lang, t } from "../base/words.js";

function Seats({ match, deed }) {
  const [seats, setSeats] = useState(() => match.chairs.map(chair => ({ piece: chair.piece, plays: false, name: "" })));
  const [ranks, setRanks] = useState("");
  const plays = seats.filter(seat => seat.plays);
  const chair = piece => match.chairs.findIndex(each => each.piece === piece);
  const put = (piece, change) => setSeats(old => old.map(seat => seat.piece === piece ? { ...seat, ...change } : seat));
  const move = (k, by) => setSeats(old => {
    const next = [...old];
    [next[k], next[k + by]] = [next[k + by], next[k]];
    return next;
  });
  const begin = event => {
    event.preventDefault();
    deed("/api/setup/begin", {
      seats: plays.map(({ piece, name }) => ({ piece, name: name.trim() || match.chairs[chair(piece)].name })),
      ranks: ranks.trim(), by: decider() || "host",
    });
  };
  const few = Math.min(...match.players), many = Math.max(...match.players);
  return html`
    <form class="grid" onSubmit=${begin}>
      <h2>${t("Begin a match")}</h2>
      <p>${t("Tick who plays, in the order in which they sit, and give names if you like.")}</p>
      <ol class="seats">${seats.map((seat, k) => {
        const of = match.chairs[chair(seat.piece)];
        return html`<li key=${seat.piece} class=${seat.plays ? "plays" : ""}>
          <label class="check"><input type="checkbox" checked=${seat.plays} onChange=${event => put(seat.piece, { plays: event.target.checked })} />
            <${SeatMark} seat=${{ ...of, seat: chair(seat.piece) }} /> <span>${of.name}</span></label>
          <label><span class="only-read">${t("Name of {seat}", { seat: of.name })}</span>
            <input value=${seat.name} maxlength="40" placeholder=${t("Name")} autocomplete="off" onInput=${event => put(seat.piece, { name: event.target.value, plays: seat.plays || event.target.value !== "" })} /></label>
          <span class="moves">
            <button type="button" class="quiet" disabled=${k === 0} aria-label=${t("{seat} further up", { seat: of.name })} onClick=${() => move(k, -1)}>↑</button>
            <button type="button" class="quiet" disabled=${k === seats.length - 1} aria-label=${t("{seat} further down", { seat: of.name })} onClick=${() => move(k, 1)}>↓</button>
          </span></li>`;
      })}</ol>
      <label class="field">${t("Ranks, one for each seat, such as 2, 1, 3; empty: they are drawn")}
        <input value=${ranks} autocomplete="off" inputmode="numeric" maxlength="40" onInput=${event => setRanks(event.target.value.replace(/\s/g, ""))} /></label>
      <p class="deeds"><button class="primary" disabled=${!match.players.includes(plays.length)}>${t("Begin")}<small>${t("{n} of {few} to {many} play", { n: plays.length, few, many })}</small></button></p>
    </form>`;
}

const when = created => new Date(created * 1000).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });

function Left({ unfinished, deed }) {
  return html`
    <section class="grid"><h2>${t("Go on with a match")}</h2>
      <ul class="left">${unfinished.map(each => html`
        <li key=${each.id}><button type="button" onClick=${() => deed("/api/setup/take-up", { id: each.id })}>
          ${t("Go on with this match")}<small>${when(each.created)}: ${Object.values(each.people).join(", ")} (${each.id})</small></button></li>`)}</ul>
    </section>`;
}

function Open({ open, deed }) {
  const [question, put] = useQuestion();
  const end = async () => {
    const reason = await put({
      title: t("End this match?"), text: open.over ? t("It is over; its record stays.") : t("It will count as finished, with your name and reason on record. Its record stays."),
      yes: t("End it"), why: !open.over,
    });
    if (reason === null) return;
    if (!decider()) setDecider(t("Host"));
    deed("/api/setup/end", { by: decider(), reason });
  };
  return html`
    ${question}
    <section class="grid">
      <h2>${t("Who plays")}</h2>
      <ul class="left">${open.seats.map((seat, k) => html`<li key=${seat.piece}><b>${seat.name}</b> ${seat.person !== seat.name && seat.person !== seat.piece ? seat.person : ""} <span class="soft">${t("rank {n}", { n: seat.rank })}</span></li>`)}</ul>
      ${open.at_start && html`<h2>${t("How the table is laid")}</h2><ol class="lay">${open.lay.map(each => html`<li key=${each}>${each}</li>`)}</ol>`}
      <div class="deeds">
        <a class="button primary" href="/">${t("To the table screen")}</a>
        <a class="button" href="/judge">${t("To the judge's page")}</a>
        <button type="button" onClick=${end}>${t("End this match …")}</button>
      </div>
    </section>`;
}

export function Match({ doc, deed }) {
  const { match } = doc;
  return html`
    ${match.open && html`<${Open} open=${match.open} deed=${deed} />`}
    ${!match.open && match.unfinished.length > 0 && html`<${Left} unfinished=${match.unfinished} deed=${deed} />`}
    ${(!match.open || match.open.over) && (match.chairs.length > 0 ? html`<${Seats} match=${match} deed=${deed} />`
      : html`<p><a href="#edition">${t("Complete the edition first")}</a></p>`)}`;
}
