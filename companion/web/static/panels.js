// The parts of the page around the board, each drawn anew from the state.

import { html, icon, portrait } from "./draw.js";
import { isWalked, rounds } from "./walks.js";
import { describeRepair, possessive } from "./words.js";

// The referee's card. `guide` is the thing to do next, if any; `act` has answer, lookAgain and
// preview; watchers get no buttons.
export function verdictCard(state, looks, act, mayPlay, guide = null) {
  const { verdict } = state;
  const parts = guide ? guided(state, looks, guide) : [html("p", { class: "verdict-text" }, verdict.reason || verdict.text)];
  if (verdict.kind === "not allowed" && verdict.repair.length)
    parts.push(
      html("h3", {}, "To put it right"),
      html("ul", { class: "repair" }, ...verdict.repair.map((change) => html("li", {}, describeRepair(change, looks)))),
    );
  if (verdict.answers.length && mayPlay) parts.push(choices(verdict, act));
  if (["not allowed", "set up"].includes(verdict.kind) && mayPlay)
    parts.push(
      html("button", { class: "button wide", id: "look-again", onclick: act.lookAgain }, "The board is right, look again"),
    );
  const book = `docs/${isWalked(state) ? "pacman" : "quoridor"}.md`;
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
        heading(state, looks, guide),
        verdict.rule ? html("span", { class: "rule", title: `the rule's id in ${book}` }, `rule ${verdict.rule}`) : null,
        guide?.progress ? html("span", { class: "progress" }, guide.progress) : null,
      ),
      ...parts,
    ),
  );
}

function heading(state, looks, guide) {
  if (guide?.caught) return "All go back to the start";
  if (guide && guide.change.source === guide.change.target) return "Put it straight";
  if (guide?.finish) return "Finish the move";
  if (!guide?.own) return state.verdict.heading;
  const title = looks[guide.change.thing]?.title;
  return state.last_changes.length > 1 || !title ? "Carry out the companion’s move" : `${possessive(title)} move`;
}

// One thing at a time, large: the lights, the arrow on the board and this sentence say the same.
function guided(state, looks, { change, caught }) {
  const lives = state.tallies?.lives?.[0];
  const left = state.verdict.repair.length - 1;
  const { thing, source, target } = change;
  const steps = [source ?? "beside", target ?? "beside"].map((spot) => html("b", {}, spot));
  return [
    caught ? html("p", { class: "verdict-text" }, `${looks[caught].title} caught Pac-Man: ${lives} ${lives === 1 ? "life" : "lives"} left.`) : null,
    html("p", { class: "guided" }, `${describeRepair(change, looks)}.`),
    html(
      "p",
      { class: "from-to", "aria-hidden": "true" },
      looks[thing] ? portrait(looks[thing]) : html("span", { class: `mini ${thing}` }),
      ...(source === target ? [steps[1]] : [steps[0], html("span", { class: "from-to-arrow" }, "➜"), steps[1]]),
    ),
    ...(left > 0 ? [html("p", { class: "then" }, left === 1 ? "One more thing after that." : `${left} more things after that.`)] : []),
  ].filter(Boolean);
}

// The answers to a question; their places are on the board already, and stand out under a finger.
function choices({ heading: question, answers }, act) {
  const show = (move) => ({
    onpointerenter: () => act.preview(move),
    onpointerleave: () => act.preview(null),
    onfocus: () => act.preview(move),
    onblur: () => act.preview(null),
  });
  return html(
    "div",
    { class: "choices", role: "group", "aria-label": question },
    ...answers.map(({ move, text, note }) =>
      html(
        "button",
        { class: `button choice${move ? "" : " none"}`, "data-move": move, ...(move ? show(move) : {}), onclick: () => act.answer(move) },
        html("b", {}, text),
        note ? html("span", {}, note) : null,
      ),
    ),
  );
}

export function moveTable(state) {
  if (!state.moves.length) return html("p", { class: "empty" }, "No moves yet.");
  if (isWalked(state)) return roundTable(state);
  const seats = state.seats.length;
  const first = Number(state.options.first ?? 1) - 1 || 0;
  const order = state.seats.map((_, index) => state.seats[(index + first) % seats]);
  const head = headRow("Turn", order);
  const body = html("tbody");
  for (let start = 0; start < state.moves.length; start += seats) {
    const row = html("tr", {}, html("th", { scope: "row" }, String(start / seats + 1)));
    for (let n = start; n < start + seats; n++)
      row.append(html("td", { class: n === state.moves.length - 1 ? "newest" : "" }, state.moves[n] ?? ""));
    body.append(row);
  }
  return html("table", {}, html("thead", {}, head), body);
}

function headRow(what, seats) {
  const head = html("tr", {}, html("th", { scope: "col" }, html("span", { class: "sr" }, what)));
  for (const seat of seats) head.append(html("th", { scope: "col" }, portrait(seat), html("span", { class: "sr" }, seat.name)));
  return head;
}

function roundTable(state) {
  const body = html("tbody");
  const all = rounds(state.moves);
  all.forEach(([walk, hunts], index) => {
    const newest = (last) => (index === all.length - 1 && last ? "newest" : "");
    const cell = html("td");
    hunts.forEach((hunt, n) => cell.append(html("span", { class: `hunt ${newest(n === hunts.length - 1)}` }, hunt), " "));
    body.append(html("tr", {}, html("th", { scope: "row" }, String(index + 1)), html("td", { class: newest(!hunts.length) }, walk), cell));
  });
  return html("table", { class: "rounds" }, html("thead", {}, headRow("Round", state.seats)), body);
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
