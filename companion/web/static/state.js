// What the pages read out of the state that the table sends. They know no rules and no notation.

export const spotOf = (state, thing) => Object.keys(state.position).find((spot) => state.position[spot] === thing);

// Where a choice comes to rest: its fence, or the last spot of its path; none when nothing moves.
export const endOf = (choice) => choice?.fence ?? choice?.path?.at(-1) ?? null;

export const choiceOf = (state, move) => state.choices.find((choice) => choice.move === move);

// Who is to act, if it is a person.
export function person(state) {
  const seat = state.seats[state.to_act];
  return seat && seat.level == null ? seat : null;
}

// The pieces of which one moves next.
export function movers(state) {
  const things = [...new Set(state.choices.map(({ thing }) => thing).filter(Boolean))];
  const seat = state.seats[state.to_act];
  return things.length || !seat ? things : [seat.piece];
}

// Who sees whom, as pairs of spots; not while things lie elsewhere than agreed.
export function sights(state) {
  const seen = spotOf(state, state.seen);
  if (!seen || state.outcome || state.verdict.kind === "set up") return [];
  const seers = Object.keys(state.sight).map((by) => ({ by, from: spotOf(state, by), to: seen }));
  return seers.filter(({ from }) => from);
}

// What lies on the board while it is put right: the agreed position with the repairs undone.
export function lying(state) {
  const here = { pawns: new Map(), pellet: new Set(), fence: new Set() };
  const put = (thing, spot) => here[thing]?.add(spot) ?? here.pawns.set(thing, spot);
  const take = (thing, spot) => (here[thing] ?? here.pawns).delete(here[thing] ? spot : thing);
  for (const [spot, thing] of Object.entries(state.position)) put(thing, spot);
  if (state.verdict.kind === "set up") {
    for (const { thing, target } of state.verdict.repair) if (target) take(thing, target);
    for (const { thing, source } of state.verdict.repair) if (source) put(thing, source);
  }
  return here;
}

// How far people have come with what is to be put right.
export class Progress {
  of(state) {
    const { verdict, guide } = state;
    const game = `${state.game_id} ${state.moves.length}`;
    if (game !== this.game || !["set up", "hands"].includes(verdict.kind)) this.total = 0;
    this.game = game;
    if (!guide) return "";
    this.total = Math.max(this.total, verdict.repair.length);
    return this.total > 1 ? `${this.total - verdict.repair.length + 1} of ${this.total}` : guide.progress;
  }
}
