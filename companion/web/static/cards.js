// Cards, and what lies open of a game that is played with them. The sentences are the table's.

import { html, piece, portrait, renew, svg } from "./draw.js";

const GHOST = { shape: "ghost", colour: "#ff5ea8", title: " " };

// What is printed on a card, by its role.
const SIGNS = {
  dot: () => [svg("circle", { class: "sign-dot", r: 3.4 })],
  ghost: () => [piece(GHOST, 8)],
  fruit: () => [
    svg("path", { class: "sign-stem", d: "M-3.500 2 Q-1 -5 4 -8 Q3 -3 3.500 3" }),
    svg("circle", { class: "sign-fruit", cx: -3.8, cy: 4, r: 4 }),
    svg("circle", { class: "sign-fruit", cx: 4, cy: 4.4, r: 4 }),
  ],
};
const POWER = () => [svg("path", { class: "sign-power", d: "M1.500 -9 -5.500 1.500H0L-1.500 9 5.500 -1.500H0Z" })];

// A card face up.
export function face({ name, title, role, points }, more = {}, tag = "span") {
  const sign = svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, ...(SIGNS[role] ?? POWER)());
  const worth = points ? html("span", { class: "playing-points" }, String(points)) : null;
  return html(tag, { class: `playing role-${role}`, "data-card": name, ...more }, sign, html("b", {}, title), worth);
}

const back = () => html("i", { class: "playing back" });

// A pile as one card of each kind with how many there are of it.
function pile(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card.name, { card, count: (counts.get(card.name)?.count ?? 0) + 1 });
  return [...counts.values()].map(({ card, count }) => html("span", { class: "pile" }, face(card), html("small", {}, `× ${count}`)));
}

// The middle of the table, for everybody: the piles, and around them who holds how much.
export function drawTable(element, { shown, seats, to_act: acting, outcome }) {
  renew(element, [shown, seats, acting, outcome], () => [
    html(
      "div",
      { class: "piles" },
      html("div", { class: "heap" }, html("span", { class: "deck", "data-left": Math.min(3, shown.deck) }, back()), html("span", {}, shown.deck_text)),
      html("div", { class: "heap wide" }, html("span", { class: "pile-row" }, ...pile(shown.discard)), html("span", {}, shown.discard_text)),
    ),
    html("div", { class: "around" }, ...shown.seats.map((seat, number) => place(seat, seats[number], number === acting, outcome?.winners.includes(number)))),
  ]);
}

function place({ name, cards, text, status, open }, look, active, won) {
  const held = open ? open.map((card) => face(card)) : Array.from({ length: Math.min(cards, 12) }, back);
  const box = html(
    "div",
    { class: `place${active ? " active" : ""}${won ? " won" : ""}` },
    html("div", { class: "place-head" }, portrait(look), html("b", {}, name), html("span", {}, text)),
    status ? html("p", { class: "place-status" }, status) : null,
    look.note ? html("p", { class: "place-note" }, look.note) : null,
    html("div", { class: "fan", "aria-hidden": "true" }, ...held),
  );
  box.style.setProperty("--seat", look.colour);
  return box;
}

// What has happened, the newest last.
export function storyList({ story }) {
  return html("ol", { class: "story" }, ...story.map((said) => html("li", {}, said)));
}
