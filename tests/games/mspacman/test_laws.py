"""What holds in every Ms. Pac-Man game, whatever is played; and that the listed walks are all."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import MoveError
from companion.games.mspacman.rules import MsPacMan
from companion.games.mspacman.walk import AWAY, POWER_TURNS
from tests.games.mspacman.tables import put_up, start

choices = st.lists(st.integers(0, 10**6), min_size=1, max_size=150)


def played(players: int, numbers: list[int]) -> Iterator[MsPacMan]:
    """Yield the states of a game whose moves some numbers choose."""
    state = start(players)
    yield state
    for number in numbers:
        moves = state.legal_moves()
        if not moves:
            return
        state = state.play(moves[number % len(moves)])
        yield state


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), choices)
def test_dots_and_pawns_are_conserved(players: int, numbers: list[int]) -> None:
    """MS-1, MS-2, MS-6: dots only go, and only in her walk; a pawn a spot; 68 in all."""
    field = start(players).field
    before = start(players)
    for state in played(players, numbers):
        gone = before.dots & ~state.dots
        assert not state.dots & ~before.dots
        assert state.dots.bit_count() + (field.dots & ~state.dots).bit_count() == 68
        assert sum(state.left(quarter) for quarter in range(4)) == state.dots.bit_count()
        assert not gone or before.phase == "walk"
        assert gone.bit_count() <= before.steps
        pawns = [spot for spot in (state.her, *state.ghosts) if spot != AWAY]
        assert len(set(pawns)) == len(pawns)
        before = state


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), choices)
def test_who_is_on_the_board_and_for_how_long_weak(players: int, numbers: list[int]) -> None:
    """MS-4, MS-16, MS-A8, MS-A23"""
    for state in played(players, numbers):
        field = state.field
        away = [seat for seat, spot in enumerate(state.ghosts) if spot == AWAY]
        assert away == ([] if state.phase == "control" else [state.control])
        assert (state.her == AWAY) == (state.phase in ("control", "place"))
        assert state.her not in field.homes
        for seat, spot in enumerate(state.ghosts):
            assert 0 <= state.timers[seat] <= POWER_TURNS
            assert spot not in field.homes or spot == field.homes[seat]
            assert spot != AWAY or not state.timers[seat]
        if state.phase == "roll":  # the turn has begun, so a ghost has at most one to go
            assert state.timers[state.turn] <= 1
        assert (state.steps > 0) == (state.phase in ("walk", "chase"))


CASES = {
    "plain": put_up("e8", steps=4),
    "ghosts about": put_up("e8", "blinky:e10 pinky:c8 sue:h8", "pinky:1", steps=4),
    "power dot": put_up("b9", "blinky:d10 pinky:a8 sue:b8", steps=4),
    "last dot": put_up("e8", "blinky:e10", steps=4, dots="e8 d8 h1 b1 i8"),
    "ghost": put_up("e8", "blinky:h8 pinky:h10 sue:i8", turn=1, steps=4),
    "weak ghost": put_up("h10", "blinky:h8 pinky:k8 sue:l8", "blinky:1", turn=1, steps=4),
    "from the centre": put_up("h7", "pinky:e7", turn=1, steps=3),
    "crowded": put_up("b9", "blinky:e10 pinky:b10 sue:c10", turn=1, steps=3),
}


def every_walk(state: MsPacMan) -> Iterator[str]:
    """Yield all texts of walks along the links, and with each end moved on by a step or two."""
    field = state.field
    at = state.her if state.turn == state.control else state.ghosts[state.turn]
    layer: list[tuple[int, ...]] = [(at,)]
    for _ in range(state.steps):
        layer = [(*path, target) for path in layer for target in field.near[path[-1]]]
        for path in layer:
            text = "-".join(field.names[number] for number in path[1:])
            yield text
            near = {*field.near[path[-1]]} | {
                further for target in field.near[path[-1]] for further in field.near[target]
            }
            yield from (f"{text}+{field.names[onward]}" for onward in near)


@pytest.mark.parametrize("state", CASES.values(), ids=CASES)
def test_the_listed_walks_lead_to_everything_that_any_walk_leads_to(state: MsPacMan) -> None:
    """MS-10: each result once, by the shortest walk."""
    results: dict[MsPacMan, int] = {}
    for text in every_walk(state):
        try:
            result = state.play(text)
        except MoveError:
            assert state.why_not(text) is not None
            continue
        assert state.why_not(text) is None
        length = text.count("-")
        results[result] = min(length, results.get(result, length))
    listed = {state.play(move): move.count("-") for move in state.legal_moves()}
    assert listed == results
    assert len(listed) == len(state.legal_moves())


def test_any_pair_of_steps_is_either_played_or_refused_with_a_reason() -> None:
    state = put_up("e8", "blinky:e10 pinky:e7", "pinky:1", steps=2)
    for one, two in product(state.field.names, repeat=2):
        refusal = state.why_not(f"{one}-{two}")
        if refusal is None:
            assert state.play(f"{one}-{two}") != state
        else:
            assert refusal.rule.startswith("MS-")
