"""What a position of the advanced variant is worth: who reaches which pellet, who reaches whom.

A static evaluation, the weighted sum of features that are mostly distances from breadth-first
searches over bitboards, and the forward pruning of moves for :mod:`companion.players.lookahead`.
"""

from companion.games.advanced.ground import TUNNELS, Ground, ground
from companion.games.advanced.rules import Advanced
from companion.games.advanced.setup import GHOSTS, PACMAN
from companion.games.bits import BIT, SLOT_BIT, each_bit, find_route, layers, ways
from companion.games.game import Move, Seat, State

WON = 10_000.0
LIFE = (0, 400, 650, 850)
PELLET = 150
RESERVE = 70
GHOST = 90
FENCE = 3
REACHED = 60  # a pellet he comes to before any ghost
ROUND = 7  # less for every round it takes him
CAUGHT = 170  # a ghost that is to move and can catch him
NEAR = 12  # a step nearer than a ghost can go in two rounds
ENTERED = 20
MOST = 40
#: So few moves are all thought of.
FEW = 20


def worth(state: State, seat: Seat) -> float:
    """Return what a state is worth to a seat: what one side wins, the other loses."""
    assert isinstance(state, Advanced)
    value = _to_pacman(state)
    return value if seat == PACMAN else -value


def _to_pacman(state: Advanced) -> float:
    if not state.pellets:
        return WON
    if not state.lives:
        return -WON
    ghosts = [bit for bit in state.ghosts if bit]
    value: float = (
        LIFE[state.lives]
        - PELLET * state.pellets.bit_count()
        + RESERVE * state.reserve
        - GHOST * len(ghosts)
        + FENCE * (state.fences_left[PACMAN] - 3 * state.fences_left[GHOSTS])
    )
    if not state.pacman:
        return value - ENTERED
    board = ground(state.fenced)
    his = steps_from(board, state.pacman)
    speed = state.speed
    theirs = [steps_from(board, bit) for bit in ghosts]
    for pellet in each_bit(state.pellets):
        rounds = (steps_to(his, pellet) + 1) // 2
        first = min(
            ((steps_to(each, pellet) + speed - 1) // speed for each in theirs), default=MOST
        )
        value += REACHED * (rounds < first or not ghosts) - ROUND * min(rounds, 9) / 2
    reserve_helps = 0.5 if state.reserve else 1.0
    for ghost, bit in enumerate(state.ghosts):
        if not bit or state.chamber.bit_count() == 4:
            continue
        steps = steps_to(his, bit)
        ready = state.turn == GHOSTS and bool(state.waiting >> ghost & 1)
        if ready and steps <= speed:
            value -= CAUGHT
        elif steps <= 2 * speed + 1:
            value -= NEAR * (2 * speed + 2 - steps) * reserve_helps
    return value


def sift(state: State) -> list[Move]:
    """Return the moves worth a thought: all walks, and fences in somebody's way.

    The ghosts build between Pac-Man and the pellets, he builds between the ghosts and himself.
    """
    assert isinstance(state, Advanced)
    moves = state.legal_moves()
    if len(moves) <= FEW:
        return moves
    north, east = ways(state.fenced)
    here = state.pacman or BIT["e5"]
    goals = [bit for bit in state.ghosts if bit]
    if state.turn == GHOSTS:
        goals = list(each_bit(state.pellets))
    wanted = 0
    for goal in goals:
        route = find_route(here, goal, north, east)
        wanted |= route.cut if route else 0
    kept = []
    for move in moves:
        slot = SLOT_BIT.get(move.rpartition(">")[2])
        if slot is None or slot & wanted:
            kept.append(move)
    return kept or moves[:FEW]


def steps_from(board: Ground, start: int) -> tuple[int, ...]:
    """Return the squares within 0, 1, 2 … steps of a square, tunnels included."""
    return layers(start, board.north, board.east, TUNNELS)


def steps_to(rings: tuple[int, ...], bit: int) -> int:
    """Return in which ring a square lies first."""
    for steps, squares in enumerate(rings):
        if squares & bit:
            return steps
    return MOST
