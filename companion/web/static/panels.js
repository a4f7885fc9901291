// The parts of the page around the board, each drawn anew from the state.

import { html, icon, portrait, renew } from "./draw.js";
import { $, board } from "./here.js";
import { seatCards } from "./seats.js";
import { Progress } from "./state.js";
import { TurnBanner } from "./turn.js";
import { Voice } from "./voice.js";

// Whose turn it is, who plays, and what the referee says: as a card, to those who cannot see it, and aloud.
export class Story {
  // `ask` sends commands, `preview` shows a move on the board.
  constructor(ask, preview) {
    this.act = { answer: (move) => ask("/api/answer", { move }), lookAgain: () => ask("/api/look-again"), preview };
    this.turn = new TurnBanner($("turn"), board.pieces);
    this.voice = new Voice($("voice"));
    this.progress = new Progress();
  }

  render(state, mayPlay) {
    this.turn.render(state);
    $("seats").className = `seats of-${state.seats.length}`;
    $("seats").replaceChildren(...seatCards(state, board.pieces));
    this.showVerdict(state, mayPlay);
  }

  showVerdict(state, mayPlay) {
    const { verdict, guide } = state;
    const progress = this.progress.of(state);
    const key = [verdict, guide, progress, mayPlay, state.to_act, state.unsaid];
    const kept = document.activeElement?.dataset?.move;
    const card = $("verdict-card");
    if (!renew(card, key, () => [verdictCard(state, progress, this.act, mayPlay)])) return;
    if (kept !== undefined) card.querySelector(`[data-move="${kept}"]`)?.focus();
    const loud = verdict.kind === "not allowed";
    const text = guide?.text ?? verdict.text;
    $("verdict-assertive").textContent = loud ? `${verdict.heading}. ${text}` : "";
    $("verdict-polite").textContent = loud ? "" : text;
    this.voice.say(text, verdict.kind);
  }
}

// Watchers get no buttons.
function verdictCard(state, progress, act, mayPlay) {
  const { verdict, guide } = state;
  const parts = guide ? guided(verdict.repair[0], guide) : [html("p", { class: "verdict-text" }, verdict.reason || verdict.text)];
  if (verdict.kind === "not allowed" && verdict.repair.length)
    parts.push(
      html("h3", {}, "To put it right"),
      html("ul", { class: "repair" }, ...verdict.repair.map(({ text }) => html("li", {}, text))),
    );
  if (verdict.answers.length && mayPlay) parts.push(choices(verdict, act));
  if (state.unsaid && mayPlay) parts.push(...unsaid(state.unsaid, act));
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
        guide?.heading ?? verdict.heading,
        verdict.rule ? html("span", { class: "rule", title: `the rule's id in docs/${state.rulebook}` }, `rule ${verdict.rule}`) : null,
        progress ? html("span", { class: "progress" }, progress) : null,
      ),
      ...parts,
    ),
  );
}

// One thing at a time, large: the lights, the arrow on the board and this sentence say the same.
function guided({ thing, source, target }, { said, text, then }) {
  const look = board.pieces[thing];
  const steps = [source ?? "beside", target ?? "beside"].map((spot) => html("b", {}, spot));
  return [
    said ? html("p", { class: "verdict-text" }, said) : null,
    html("p", { class: "guided" }, text),
    html(
      "p",
      { class: "from-to", "aria-hidden": "true" },
      look ? portrait(look) : html("span", { class: `mini ${thing}` }),
      ...(source === target ? [steps[1]] : [steps[0], html("span", { class: "from-to-arrow" }, "➜"), steps[1]]),
    ),
    then ? html("p", { class: "then" }, then) : null,
  ];
}

// What leaves no trace on the board is said with a tap.
function unsaid({ move, text, said }, act) {
  return [
    html("button", { class: "button primary wide", id: "unsaid", "data-move": move, onclick: () => act.answer(move) }, text),
    html("p", { class: "then" }, said),
  ];
}

// The answers to a question; their places are on the board already, and stand out under a finger.
function choices({ heading: question, answers }, act) {
  const leave = () => act.preview(null);
  const shown = { onpointerleave: leave, onblur: leave };
  const show = (enter) => ({ onpointerenter: enter, onfocus: enter, ...shown });
  return html(
    "div",
    { class: "choices", role: "group", "aria-label": question },
    ...answers.map(({ move, text, note }) =>
      html(
        "button",
        { class: `button choice${move ? "" : " none"}`, "data-move": move, ...(move ? show(() => act.preview(move)) : {}), onclick: () => act.answer(move) },
        html("b", {}, text),
        note ? html("span", {}, note) : null,
      ),
    ),
  );
}

export function moveTable({ history, seats }) {
  const { columns, rows, called } = history;
  const head = html("tr", {}, html("th", { scope: "col" }, html("span", { class: "sr" }, called)));
  for (const seat of columns.map((number) => seats[number]))
    head.append(html("th", { scope: "col" }, portrait(seat), html("span", { class: "sr" }, seat.name)));
  const cell = (moves) => html("td", {}, ...moves.flatMap((move) => [html("span", { class: "move" }, move), " "]));
  const body = html("tbody");
  rows.forEach((row, n) => body.append(html("tr", {}, html("th", { scope: "row" }, String(n + 1)), ...row.map(cell))));
  [...body.querySelectorAll(".move")].at(-1).classList.add("newest");
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
