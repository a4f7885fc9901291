"""What must hold in every position of the marble game, and the records that are played again."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import CHANCE
from companion.games.marbles.field import Step
from companion.games.marbles.rules import Marbles
from companion.games.record import parse
from tests.games.marbles.tables import game, put_up

RECORDS = Path(__file__).parents[2] / "records"

options = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in game().options.items()}
)


def wander(chosen: dict[str, str], seed: int, plies: int) -> list[Marbles]:
    """Return the states of a random game; gobbling and landing are preferred, to see more of it."""
    rng = random.Random(seed)
    states = [game().start(chosen)]
    while len(states) <= plies and states[-1].to_act is not None:
        moves = states[-1].legal_moves()
        rare = [move for move in moves if move.endswith("x")]
        states.append(states[-1].play(rng.choice(rare or moves)))
    return states


@given(options, st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_marbles_never_appear_or_vanish(chosen: dict[str, str], seed: int) -> None:
    for state in wander(chosen, seed, 150):
        tallies = state.tallies()
        white = state.white.bit_count() + sum(tallies["tray"]) + sum(tallies["belly"])
        yellow = state.yellow.bit_count() + sum(tallies["yellow"]) + sum(tallies["owed"])
        assert (white, yellow) == (72, 4)
        assert all(count >= 0 for counts in tallies.values() for count in counts)


@given(options, st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_pawns_stand_where_they_may(chosen: dict[str, str], seed: int) -> None:
    for state in wander(chosen, seed, 150):
        field = state.table.field
        holes = field.white | field.ringed
        assert len({*state.pacmen, *state.ghosts}) == state.seats + 2
        for number, ghost in enumerate(state.ghosts):
            assert holes >> ghost & 1 or ghost == field.centre[number]
        for seat, pacman in enumerate(state.pacmen):
            assert holes >> pacman & 1 or pacman == state.table.home(seat)
        assert not field.ringed & state.white
        assert not state.yellow & ~field.ringed


@given(options, st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_no_two_moves_of_a_pawn_come_to_the_same(chosen: dict[str, str], seed: int) -> None:
    """Two ghosts may: each can go to and fro and end where it was. So may a reward be taken from
    one empty tray or another (MB-A15)."""
    for state in wander(chosen, seed, 60)[::3]:
        if state.to_act not in (CHANCE, None):
            moves = [move for move in state.legal_moves() if move[0] in "PG"]
            assert len({(state.play(move), move[:2]) for move in moves}) == len(moves)


@given(options, st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_pacman_has_the_ways_that_a_plain_search_finds(chosen: dict[str, str], seed: int) -> None:
    """A second search, step by step with the pawns in the way, finds the same ends."""
    for state in wander(chosen, seed, 80)[::4]:
        for die in range(1, 7):
            ways, full = state.pacman_ways(die)
            if state.white.bit_count() > 6:  # otherwise ways are cut short
                found = plain_ends(state, die)
                assert {(way.end, way.lands) for way in ways} == found
                assert full == any(not lands for _, lands in found)


def plain_ends(state: Marbles, die: int) -> set[tuple[int, bool]]:
    field, seat = state.table.field, state.turn
    start = state.pacmen[seat]
    found = set()

    def go(steps: list[Step], left: int) -> None:
        here = steps[-1].to if steps else start
        before = steps[-2].to if len(steps) > 1 else start if steps else -1
        for step in field.steps[here]:
            if step.to == before or (steps and 0 <= step.out == steps[-1].into):
                continue
            home = step.to in field.homes
            if step.to in state.ghosts:
                over = [each.to for each in steps]
                if state.gold[seat] or any(state.yellow >> spot & 1 for spot in over):
                    found.add((step.to, True))
            elif step.to in state.pacmen and step.to != start:
                continue
            elif home and not state.table.home_counts:
                if len(steps) < 12:
                    go([*steps, step], left)
            elif left > 1:
                go([*steps, step], left - 1)
            elif not home or step.to == state.table.home(seat):
                found.add((step.to, False))

    go([], die)
    return found


def test_the_quarters_of_the_board_are_alike() -> None:
    """From every home there are as many ways of every length."""
    field = game().field
    for count in range(1, 7):
        numbers = {len(field.walks(home, count)) for home in field.homes}
        assert len(numbers) == 1
    lengths = {
        len({way.end for way in field.hunts(field.centre[0], count, 0, 0, False).values()})
        for count in (1, 2)
    }
    assert lengths == {4, 8}


def test_no_hole_is_a_dead_end() -> None:
    field = game().field
    assert all(
        len(steps) >= 2 for spot, steps in enumerate(field.steps) if spot not in field.centre
    )


ENDINGS = {
    "last-marble": ("1-1", (36, 35), (0, 1)),
    "off-and-on": ("*", (7, 5), (0, 0)),
    "gobble": ("*", (8, 3), (0, 0)),
    "payment": ("*", (3, 0), (0, 0)),
    "blocked": ("*", (1, 1, 0, 2), (0, 0, 0, 0)),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_record_is_played_again(name: str) -> None:
    record = parse((RECORDS / f"marbles-{name}.txt").read_text(encoding="utf-8"))
    last = record.replay()[-1]
    tallies = last.tallies()
    assert (record.result, tallies["tray"], tallies["belly"]) == ENDINGS[name]
    assert str(parse(str(record))) == str(record)


def test_every_record_is_played_again() -> None:
    names = {path.stem.removeprefix("marbles-") for path in RECORDS.glob("marbles-*.txt")}
    assert names == set(ENDINGS)


def test_the_rare_cases_of_the_records_are_in_them() -> None:
    texts = {name: (RECORDS / f"marbles-{name}.txt").read_text() for name in ENDINGS}
    assert "~" in texts["off-and-on"]
    assert "return:d4" in texts["gobble"]
    assert "P3=" in texts["blocked"]
    assert "l11x" in texts["payment"]
    assert put_up().why_not("P3=") is not None
