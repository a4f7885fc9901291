// The cards of the seats: who plays, and what the game counts for them.

import { html, portrait } from "./draw.js";

export function seatCards(state, looks) {
  return state.seats.map((seat, index) => {
    const active = index === state.to_act;
    const card = html(
      "div",
      { class: `seat${active ? " active" : ""}`, "aria-current": active ? "true" : null },
      portrait(seat),
      html("span", { class: "seat-name" }, seat.name, html("small", { class: seat.level == null ? "" : "level" }, seat.note)),
      html("span", { class: "seat-counts" }, ...seat.meters.flatMap((meter) => counted(meter, looks))),
    );
    card.style.setProperty("--seat", seat.colour);
    return card;
  });
}

// A token for each thing: bars for fences, dots for pellets, else portraits.
function counted({ tokens, text, note }, looks) {
  const word = note && isNaN(note); // a number is in the text already
  const row = html("span", { class: "tokens", role: "img", "aria-label": word ? `${text}, ${note}` : text });
  for (const [thing, here] of tokens) row.append(html("i", { class: `token-${thing}${here ? "" : " gone"}` }, looks[thing] ? portrait(looks[thing]) : null));
  return [row, note ? html("span", { class: word ? "rank" : "count", "aria-hidden": "true" }, note) : null];
}
