// The parts of the page around the board, each drawn anew from the state.

import { html, icon, portrait } from "./draw.js";
import { HEADINGS, describeMove, describeRepair } from "./words.js";

export function turnBanner(state) {
  const { outcome } = state;
  if (outcome) {
    const winner = outcome.winners.length ? state.seats[outcome.winners[0]] : null;
    return [
      winner ? portrait(winner) : icon("over"),
      html("div", {}, html("strong", {}, winner ? `${winner.title} wins` : "A draw"), html("span", {}, outcome.reason)),
    ];
  }
  if (state.to_act === null) return [html("div", {}, html("strong", {}, "Nobody to move"))];
  const seat = state.seats[state.to_act];
  return [
    portrait(seat),
    html("div", {}, html("strong", {}, `${seat.title}’s turn`), html("span", {}, `${seatName(seat, state.to_act)} · turn ${turnNumber(state)}`)),
  ];
}

// A seat is called after its pawn unless somebody gave it another name.
function seatName(seat, index) {
  return seat.name === seat.title ? `Player ${index + 1}` : seat.name;
}

function turnNumber(state) {
  return Math.floor(state.moves.length / state.seats.length) + 1;
}

export function seatCards(state) {
  const share = { 2: 10, 4: 5 }[state.seats.length] ?? 10;
  return state.seats.map((seat, index) => {
    const active = index === state.to_act;
    const left = `${seat.fences} ${seat.fences === 1 ? "fence" : "fences"} left`;
    const bars = html("span", { class: "bars", role: "img", "aria-label": left });
    for (let n = 0; n < Math.max(share, seat.fences); n++) bars.append(html("i", { class: n < seat.fences ? "on" : "" }));
    const card = html(
      "div",
      { class: `seat${active ? " active" : ""}`, "aria-current": active ? "true" : null },
      portrait(seat),
      html("span", { class: "seat-name" }, seat.title, html("small", {}, seatName(seat, index))),
      html("span", { class: "seat-fences" }, html("b", { "aria-hidden": "true" }, String(seat.fences)), bars),
    );
    card.style.setProperty("--seat", seat.colour);
    return card;
  });
}

// The referee's card. `act` has answer, lookAgain and preview; watchers get no buttons.
export function verdictCard(state, looks, act, mayPlay) {
  const { verdict } = state;
  const parts = [html("p", { class: "verdict-text" }, reasonOf(verdict))];
  if (verdict.repair.length && ["not allowed", "set up"].includes(verdict.kind))
    parts.push(
      html("h3", {}, verdict.kind === "set up" ? "Still to do" : "To put it right"),
      html("ul", { class: "repair" }, ...verdict.repair.map((change) => html("li", {}, describeRepair(change, looks)))),
    );
  if (verdict.kind === "unsure" && mayPlay) parts.push(choices(state, act));
  if (["not allowed", "set up"].includes(verdict.kind) && mayPlay)
    parts.push(
      html("button", { class: "button wide", id: "look-again", onclick: act.lookAgain }, "The board is right, look again"),
    );
  return html(
    "div",
    { class: `card kind-${verdict.kind.replace(" ", "-")}` },
    html("div", { class: "badge" }, icon(verdict.kind)),
    html(
      "div",
      { class: "card-body" },
      html(
        "h2",
        {},
        HEADINGS[verdict.kind] ?? verdict.kind,
        verdict.rule ? html("span", { class: "rule", title: "the rule's id in docs/quoridor.md" }, `rule ${verdict.rule}`) : null,
      ),
      ...parts,
    ),
  );
}

// The referee's text goes on with what to do; the card lists that on its own, complete.
function reasonOf(verdict) {
  if (verdict.kind === "set up" && verdict.repair.length) return "The board is not yet as the game has it.";
  return verdict.reason || verdict.text;
}

function choices(state, act) {
  const mover = state.to_act === null ? "" : state.seats[state.to_act].title;
  const show = (move) => ({
    onpointerenter: () => act.preview(move),
    onpointerleave: () => act.preview(null),
    onfocus: () => act.preview(move),
    onblur: () => act.preview(null),
  });
  return html(
    "div",
    { class: "choices", role: "group", "aria-label": "Which move was it?" },
    ...state.verdict.moves.map((move) =>
      html(
        "button",
        { class: "button choice", "data-move": move, ...show(move), onclick: () => act.answer(move) },
        html("b", {}, move),
        html("span", {}, describeMove(move, mover).replace(` ${move}`, "").replace(" to", "")),
      ),
    ),
    html("button", { class: "button choice none", "data-move": "", onclick: () => act.answer("") }, "None of these"),
  );
}

export function moveTable(state) {
  if (!state.moves.length) return html("p", { class: "empty" }, "No moves yet.");
  const seats = state.seats.length;
  const first = Number(state.options.first ?? 1) - 1 || 0;
  const order = state.seats.map((_, index) => state.seats[(index + first) % seats]);
  const head = html("tr", {}, html("th", { scope: "col" }, html("span", { class: "sr" }, "Turn")));
  for (const seat of order) head.append(html("th", { scope: "col" }, portrait(seat), html("span", { class: "sr" }, seat.title)));
  const body = html("tbody");
  for (let start = 0; start < state.moves.length; start += seats) {
    const row = html("tr", {}, html("th", { scope: "row" }, String(start / seats + 1)));
    for (let n = start; n < start + seats; n++)
      row.append(html("td", { class: n === state.moves.length - 1 ? "newest" : "" }, state.moves[n] ?? ""));
    body.append(row);
  }
  return html("table", {}, html("thead", {}, head), body);
}

export function deviceDots(devices) {
  return devices.map((device) =>
    html("span", { class: `device ${device.state}` }, html("i", { "aria-hidden": "true" }), `${device.name}`, html("span", { class: "sr" }, `: ${device.state}`)),
  );
}

export function deviceList(devices) {
  return devices.map((device) =>
    html("li", { class: device.state }, html("b", {}, device.name), html("span", { class: "tag" }, device.state), html("span", {}, device.text), more(device)),
  );
}

// The camera has a page of its own, on which one sees whether it sees the board.
function more(device) {
  return device.name === "camera" ? html("a", { class: "device-link", href: "/camera" }, "See its picture, set the corners") : null;
}
