"""The compiled core and the rules: the same moves, the same distances, the same races."""

from collections.abc import Iterator
from random import Random

import pytest

from bench.perft import KNOWN
from companion.games.bits import CELLS, SLOTS, each_bit, slot_names, square_name
from companion.games.quoridor.player import board_of
from companion.games.quoridor.rules import Quoridor
from companion.games.quoridor.track import Track, solve_race
from companion.players.native import Board, Library
from tests.games.tables import after, put_up

GAMES_PLAYED = 120
PLIES = 90


def name_of(move: int) -> str:
    return square_name(1 << move) if move < CELLS else slot_names(1 << move - CELLS)[0]


def random_positions(seed: int, fences: float) -> Iterator[Quoridor]:
    """Yield the positions of a game in which that share of the moves are fences, while there are.

    Pawns like to stay near each other, where the jumps are.
    """
    rng = Random(seed)
    state = after("", "quoridor")
    for _ in range(PLIES):
        if state.to_act is None:
            return
        yield state
        steps = state.pawn_moves()
        others = [move for move in state.legal_moves() if move not in steps]
        if others and rng.random() < fences:
            state = state.play(rng.choice(others))
        else:
            them = state.at[1 - state.turn].bit_length() - 1

            def apart(step: str, them: int = them) -> int:
                column, row = ord(step[0]) - ord("a"), int(step[1]) - 1
                return abs(column - them % 9) + abs(row - them // 9)

            inside = [s for s in steps if s not in state.goal(state.turn)] or steps
            near = min(inside, key=lambda step: (apart(step), rng.random()))
            state = state.play(near if rng.random() < 0.6 else rng.choice(inside))


@pytest.mark.parametrize("fences", [0.1, 0.3, 0.8])
def test_legal_moves_and_distances_are_those_of_the_rules(library: Library, fences: float) -> None:
    compared = jumps = shut = 0
    for seed in range(GAMES_PLAYED // 3):
        for state in random_positions(seed, fences):
            board = board_of(state)
            legal = state.legal_moves()
            assert sorted(map(name_of, library.moves(board))) == legal
            assert library.distances(board) == (state.distance(0), state.distance(1))
            compared += 1
            jumps += any(bit_apart(state.at[state.turn], step) > 1 for step in state.pawn_moves())
            room, _, _ = state._room or state._look_for_room()
            shut += bool(state.fences_left[state.turn]) and (room & SLOTS).bit_count() > len(
                legal
            ) - len(state.pawn_moves())
    assert compared > 2_000
    assert jumps > 300
    assert shut > (50 if fences > 0.2 else 0)


def bit_apart(mine: int, step: str) -> int:
    number = mine.bit_length() - 1
    column, row = ord(step[0]) - ord("a"), int(step[1]) - 1
    return abs(column - number % 9) + abs(row - number // 9)


def count(library: Library, board: Board, depth: int) -> int:
    """Return the leaves of all games so long, by the core's moves alone."""
    at, turn = board.at, board.turn
    if (at[1 - turn] >= 72) if turn else (at[1 - turn] < 9):
        return 1
    moves = library.moves(board)
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        left, fences, there = list(board.left), board.fences, list(at)
        if move < CELLS:
            there[turn] = move
        else:
            left[turn] -= 1
            fences = (*fences, move)
        following = Board((there[0], there[1]), (left[0], left[1]), 1 - turn, fences)
        leaves += count(library, following, depth - 1)
    return leaves


@pytest.mark.parametrize(("moves", "figures"), KNOWN["quoridor"])
def test_it_counts_the_known_positions(
    library: Library, moves: str, figures: tuple[int, ...]
) -> None:
    board = board_of(after(moves, "quoridor"))
    assert [count(library, board, depth) for depth in (1, 2)] == list(figures[:2])


@pytest.mark.parametrize("seed", range(6))
def test_races_come_to_the_same_end(library: Library, seed: int) -> None:
    rng = Random(seed)
    state = after("", "quoridor")
    for _ in range(20):
        fences = [move for move in state.legal_moves() if len(move) == 3]
        state = state.play(rng.choice(fences))
    track = Track(state.table)
    cells = list(each_bit((1 << CELLS) - 1))
    for _ in range(8):
        one, other = rng.sample(cells, 2)
        turn = rng.randrange(2)
        at = one, other
        if any(at[seat] & track.goals[seat] for seat in (0, 1)):
            continue
        if min(track.distance(state.fenced, seat, at[seat]) for seat in (0, 1)) < 0:
            continue
        values = solve_race(track, state.fenced, at, turn, 1 << 20)
        assert values is not None
        best = max(values.values(), key=lambda plies: 1 / plies if plies else 0)
        board = Board(
            (one.bit_length() - 1, other.bit_length() - 1), (0, 0), turn, board_of(state).fences
        )
        plies = library.race(board)
        if best == 0:
            assert plies is None
        else:
            assert plies == abs(best)


def test_a_pawn_that_is_shut_in_has_no_distance(library: Library) -> None:
    a1_and_b1 = CELLS, 2 * CELLS + 1  # a1h and b1v
    assert library.distances(Board((0, 76), (10, 10), 0, a1_and_b1)) is None
    assert library.moves(Board((0, 76), (10, 10), 0, a1_and_b1)) == []


@pytest.mark.parametrize("nodes", [1, 50, 1_500])
def test_every_answer_is_legal(library: Library, nodes: int) -> None:
    core, asked = library.core(), 0
    for seed in range(6):
        for state in random_positions(seed, 0.4):
            found = core.search(board_of(state), seed, 60, nodes, lambda: False)
            assert state.why_not(name_of(found.move)) is None
            assert found.depth >= 1
            asked += 1
    assert asked > 200


def test_the_same_questions_get_the_same_answers(library: Library) -> None:
    def answers() -> list[object]:
        core = library.core()
        return [
            core.search(board_of(state), 7, 60, 5_000, lambda: False)
            for state in random_positions(3, 0.4)
        ]

    assert answers() == answers()


def test_a_search_goes_no_further_than_it_may(library: Library) -> None:
    board = board_of(after("e2 e8 e3 e7 e4 e6"))
    found = library.core().search(board, 1, 60, 10_000, lambda: False)
    assert 10_000 <= found.nodes < 10_500  # the last look may be at a race, which counts for many
    assert library.core().search(board, 1, 3, 1 << 60, lambda: False).depth == 3


def test_it_does_not_come_back_to_where_it_was(library: Library) -> None:
    board = board_of(put_up("e6 a9", left=(2, 2)))
    best = library.core().search(board, 1, 1, 1 << 60, lambda: False)
    assert best.move == board.at[0] + 9
    seen = [(best.move, board.at[1])]
    other = library.core().search(board, 1, 1, 1 << 60, lambda: False, seen)
    assert other.move != best.move
