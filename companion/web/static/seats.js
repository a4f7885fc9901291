// The cards of the seats: who plays, and what the game counts for them.

import { html, portrait } from "./draw.js";
import { GHOSTS, PACMAN, isWalked, spotOf } from "./walks.js";
import { levelBadge, seatNote } from "./words.js";

// How many lives Pac-Man began with.
export const livesAtStart = (state) => Number(state.options?.lives ?? 3);

// What Pac-Man may call himself, by the pellets he has eaten.
const RANKS = ["no pellet yet", "beginner", "promising", "advanced", "elite"];

export function seatCards(state, looks) {
  return state.seats.map((seat, index) => {
    const active = index === state.to_act;
    const card = html(
      "div",
      { class: `seat${active ? " active" : ""}`, "aria-current": active ? "true" : null },
      portrait(seat),
      html(
        "span",
        { class: "seat-name" },
        seat.name,
        seat.level == null
          ? html("small", {}, seatNote(seat, index))
          : html("small", { class: "level" }, levelBadge(seat)),
      ),
      ...counts(state, seat, index, looks),
    );
    card.style.setProperty("--seat", seat.colour);
    return card;
  });
}

function counts(state, seat, index, looks) {
  if (isWalked(state)) return [index === 0 ? lives(state, looks) : ghosts(state, looks)];
  return state.tallies.fences ? [fences(state, seat)] : [];
}

function fences(state, seat) {
  const share = { 2: 10, 4: 5 }[state.seats.length] ?? 10;
  const left = `${seat.fences} ${seat.fences === 1 ? "fence" : "fences"} left`;
  const bars = html("span", { class: "bars", role: "img", "aria-label": left });
  for (let n = 0; n < Math.max(share, seat.fences); n++) bars.append(html("i", { class: n < seat.fences ? "on" : "" }));
  return html("span", { class: "seat-counts" }, html("b", { "aria-hidden": "true" }, String(seat.fences)), bars);
}

function lives(state, looks) {
  const left = state.tallies.lives?.[0] ?? 0;
  const eaten = state.tallies.pellets?.[0] ?? 0;
  const all = eaten + Object.values(state.position).filter((thing) => thing === "pellet").length;
  const label = `${left} ${left === 1 ? "life" : "lives"} left`;
  const pacs = html("span", { class: "tokens", role: "img", "aria-label": label });
  for (let n = 0; n < livesAtStart(state); n++) pacs.append(html("i", { class: n < left ? "" : "gone" }, portrait(looks[PACMAN])));
  const dots = html("span", { class: "dots-eaten", "aria-hidden": "true" });
  for (let n = 0; n < all; n++) dots.append(html("i", { class: n < eaten ? "eaten" : "" }));
  return html(
    "span",
    { class: "seat-counts" },
    pacs,
    dots,
    html("span", { class: "rank" }, html("span", { class: "sr" }, `${eaten} of ${all} pellets eaten, `), RANKS[Math.min(eaten, 4)]),
  );
}

function ghosts(state, looks) {
  const here = Object.values(GHOSTS).map((ghost) => [ghost, Boolean(spotOf(state, ghost))]);
  const away = here.filter(([, on]) => !on).map(([ghost]) => looks[ghost].title);
  const label = away.length ? `Beside the board: ${away.join(", ")}` : "All four are on the board";
  const faces = html("span", { class: "tokens", role: "img", "aria-label": label });
  for (const [ghost, on] of here) faces.append(html("i", { class: on ? "" : "gone" }, portrait(looks[ghost])));
  return html("span", { class: "seat-counts" }, faces);
}
