// The page's own sentences about moves and repairs. What the referee says comes from the table.

import { isSlot } from "./geometry.js";

export function thingName(thing, looks) {
  return thing === "fence" ? "the fence" : (looks[thing]?.title ?? thing);
}

// Starts a sentence with a capital, but never writes e4 as E4.
export function capital(text) {
  return /^[a-i][1-9]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

export function describeMove(move, mover) {
  if (move === "pass") return `${mover} passes`;
  if (!isSlot(move)) return `${mover} to ${move}`;
  return `${move[2] === "h" ? "Horizontal" : "Vertical"} fence ${move}`;
}

// How to put one thing right: from where it lies to where it belongs.
export function describeRepair(change, looks) {
  const name = thingName(change.thing, looks);
  if (change.source && change.target) return `Move ${name} from ${change.source} to ${change.target}`;
  if (change.source) return capital(`take ${name} off ${change.source}`);
  return capital(`put ${name} on ${change.target}`);
}

export function describeBoard(state, looks) {
  const pawns = [];
  const fences = [];
  for (const [spot, thing] of Object.entries(state.position)) {
    if (isSlot(spot)) fences.push(spot);
    else pawns.push(`${thingName(thing, looks)} on ${spot}`);
  }
  return `${pawns.join(", ")}. ${fences.length ? `Fences: ${fences.sort().join(", ")}.` : "No fences yet."}`;
}

export const HEADINGS = {
  waiting: "Watching",
  accepted: "Accepted",
  unsure: "Which move was it?",
  "not allowed": "Not allowed",
  hands: "Hand over the board",
  "set up": "Set the board up",
};

export const GAMES = { quoridor: "Quoridor", quoridor4: "Quoridor, 4 players" };
