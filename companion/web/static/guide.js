// Leads people through what is to be put right: one thing at a time, and how far they have come.

import { isHunt, isWalked, movers, parse, rounds } from "./walks.js";

// The first thing whose place is free; the others wait until it has made room.
export function nextChange(repair) {
  const taken = (spot, own) => repair.some((other) => other !== own && other.source === spot);
  return repair.find((change) => !change.target || !taken(change.target, change)) ?? repair[0] ?? null;
}

// What lies on the board while it is put right: the agreed position with the repairs undone.
export function lying(state) {
  const pawns = new Map();
  const pellets = new Set();
  const fences = new Set();
  const put = (thing, spot) => {
    if (thing === "fence") fences.add(spot);
    else if (thing === "pellet") pellets.add(spot);
    else pawns.set(thing, spot);
  };
  const take = (thing, spot) => {
    if (thing === "fence") fences.delete(spot);
    else if (thing === "pellet") pellets.delete(spot);
    else pawns.delete(thing);
  };
  for (const [spot, thing] of Object.entries(state.position)) put(thing, spot);
  if (state.verdict.kind === "set up") {
    for (const { thing, target } of state.verdict.repair) if (target) take(thing, target);
    for (const { thing, source } of state.verdict.repair) if (source) put(thing, source);
  }
  return { pawns, pellets, fences };
}

export function lastMover(state) {
  const move = state.moves.at(-1);
  if (move === undefined) return null;
  if (isWalked(state)) return state.seats[isHunt(move) ? 1 : 0];
  const first = Number(state.options.first ?? 1) - 1 || 0;
  return state.seats[(first + state.moves.length - 1) % state.seats.length];
}

// Whether what is asked for belongs to the last move, which people carry out or finish.
function ofLastMove(state, change) {
  return state.last_changes.some(({ thing, target }) => thing === change.thing && target === change.target);
}

// What happened, when more than one thing moves because of it.
function caught(state) {
  const move = state.moves.at(-1) ?? "";
  return isWalked(state) && isHunt(move) && state.last_changes.length > 1 ? parse(move).piece : null;
}

export class Guide {
  constructor() {
    this.game = null;
    this.total = 0;
  }

  // Follows the table; returns the next change with its number, or null.
  follow(state) {
    const { verdict } = state;
    const game = `${state.game_id} ${state.moves.length}`;
    if (game !== this.game || !["set up", "hands"].includes(verdict.kind)) this.total = 0;
    this.game = game;
    const change = verdict.kind === "set up" ? nextChange(verdict.repair) : null;
    if (!change) return null;
    this.total = Math.max(this.total, verdict.repair.length);
    const last = ofLastMove(state, change);
    const own = last && lastMover(state)?.level != null;
    return { change, own, finish: last && !own, caught: last ? caught(state) : null, progress: this.progress(state, own) };
  }

  progress(state, own) {
    if (this.total > 1) return `${this.total - state.verdict.repair.length + 1} of ${this.total}`;
    const hunted = isWalked(state) && own ? (rounds(state.moves).at(-1)?.[1].length ?? 0) : 0;
    if (!hunted) return "";
    const waiting = state.to_act === 1 ? movers(state).length : 0;
    return hunted + waiting > 1 ? `ghost ${hunted} of ${hunted + waiting}` : "";
  }
}
