// Moves that are walks: which piece goes over which squares. This reads what the table sends and
// leaves the rules to it.

export const GHOSTS = { B: "blinky", I: "inky", P: "pinky", C: "clyde" };
export const PACMAN = "pacman";

const LETTERS = Object.fromEntries(Object.entries(GHOSTS).map(([letter, ghost]) => [ghost, letter]));
const WALKED = ["pacman"];

// Whether the moves of this game are walks.
export const isWalked = (state) => WALKED.includes(state.game);

export const isHunt = (move) => /^[BIPC]/.test(move);

// The piece and the squares it enters; none when it cannot move.
export function parse(move) {
  const piece = GHOSTS[move[0]] ?? PACMAN;
  const path = move.match(/[a-i][1-9]/g) ?? [];
  return { move, piece, path };
}

export const write = (piece, path) => (LETTERS[piece] ?? "") + path.join("-");

export const spotOf = (state, piece) => Object.keys(state.position).find((spot) => state.position[spot] === piece);

// The pieces of which one moves next.
export function movers(state) {
  if (state.to_act === null) return [];
  if (!isWalked(state)) return [state.seats[state.to_act].piece];
  return [...new Set(state.legal.map((move) => parse(move).piece))];
}

// All pieces of the game, on the board or beside it; only games of walks take pieces off.
export const company = (state) => (isWalked(state) ? [PACMAN, ...Object.values(GHOSTS)] : null);

// Rounds so far: Pac-Man's move and those of the ghosts that follow it.
export function rounds(moves) {
  const all = [];
  for (const move of moves) {
    if (!isHunt(move) || !all.length) all.push([move, []]);
    else all.at(-1)[1].push(move);
  }
  return all;
}

// The ends of the legal walks of a piece.
export function ends(state, piece) {
  const walks = state.legal.map(parse).filter((walk) => walk.piece === piece);
  return [...new Set(walks.map(({ path }) => path.at(-1)).filter(Boolean))];
}
