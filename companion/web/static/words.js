// The page's own sentences about moves and repairs. What the referee says comes from the table.

import { isSlot } from "./geometry.js";
import { GHOSTS, isHunt, isWalked, parse, spotOf } from "./walks.js";

// Starts a sentence with a capital, but never writes e4 as E4.
export function capital(text) {
  return /^[a-i][1-9]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const isPlural = (name) => name.endsWith("s");

export const possessive = (name) => `${name}${isPlural(name) ? "’" : "’s"}`;

export const verb = (name, word) => `${word}${isPlural(name) ? "" : "s"}`;

export const levelBadge = (seat) => `companion, level ${seat.level}`;

// Who sits there. A seat is called after its piece unless somebody gave it another name.
export function seatNote(seat, index) {
  if (seat.level != null) return levelBadge(seat);
  return `Player ${index + 1}`;
}

export const LEVELS = [
  "gentle", "easy-going", "relaxed", "fair", "watchful", "keen", "clever", "strong", "fierce", "merciless",
];

// What a move does; `state` tells where its piece stands.
export function describeMove(move, mover, state = null, looks = {}) {
  if (move === "pass") return `${mover} passes`;
  if (isSlot(move)) return `${move[2] === "h" ? "Horizontal" : "Vertical"} fence ${move}`;
  if (!isHunt(move) && !move.includes("-")) return `${mover} to ${move}`;
  return describeWalk(move, state, looks);
}

function describeWalk(move, state, looks) {
  const { piece, path } = parse(move);
  const name = looks[piece]?.title ?? capital(piece);
  if (!path.length) return `${name} stays`;
  const end = path.at(-1);
  if (state && spotOf(state, piece) === end) return `${name} out to ${path[0]} and back`;
  const over = path.slice(0, -1);
  return `${name}${over.length ? ` over ${over.join(", ")}` : ""} to ${end}`;
}

function named(thing, looks, article) {
  return thing === "fence" || thing === "pellet" ? `${article} ${thing}` : (looks[thing]?.title ?? thing);
}

// How to put one thing right: from where it lies to where it belongs.
export function describeRepair({ thing, source, target }, looks) {
  if (source && source === target) return `Push ${named(thing, looks, "the")} to the middle of ${target}`;
  if (source && target) return `Move ${named(thing, looks, "the")} from ${source} to ${target}`;
  if (target) return `Put ${named(thing, looks, "a")} on ${target}`;
  const beside = looks[thing] ? " and put it beside the board" : "";
  return `Take ${named(thing, looks, "the")} off ${source}${beside}`;
}

export function describeBoard(state, looks) {
  const pawns = [];
  const fences = [];
  const pellets = [];
  for (const [spot, thing] of Object.entries(state.position)) {
    if (isSlot(spot)) fences.push(spot);
    else if (thing === "pellet") pellets.push(spot);
    else pawns.push(`${named(thing, looks, "the")} on ${spot}`);
  }
  const told = [pawns.join(", ")];
  if (isWalked(state)) {
    const away = Object.values(GHOSTS).filter((ghost) => !spotOf(state, ghost));
    const sighted = Object.keys(state.sight ?? {}).map((ghost) => named(ghost, looks, "the"));
    told.push(pellets.length ? `Pellets: ${pellets.sort().join(", ")}` : "No pellets left");
    if (away.length) told.push(`Beside the board: ${away.map((ghost) => named(ghost, looks, "the")).join(", ")}`);
    if (sighted.length) told.push(`Pac-Man is seen by ${sighted.join(", ")}`);
  }
  told.push(fences.length ? `Fences: ${fences.sort().join(", ")}` : "No fences yet");
  return `${told.join(". ")}.`;
}

export const GAMES = { quoridor: "Quoridor", quoridor4: "Quoridor, 4 players", pacman: "Quoridor PAC-MAN" };
