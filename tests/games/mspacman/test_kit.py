"""What everybody else learns of Ms. Pac-Man: what moves do on the board, what is counted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import CHANCE, Effect, Rolls
from companion.games.maze.maze import Meeting
from companion.games.mspacman.kit import KITS
from tests.games.mspacman.tables import after, put_up, start
from tests.games.mspacman.test_laws import choices, played

(KIT,) = KITS


@given(st.integers(2, 4), choices)
@settings(max_examples=30, deadline=None)
def test_every_walk_is_written_as_it_was_read(players: int, numbers: list[int]) -> None:
    for state in played(players, numbers):
        if state.phase in ("walk", "chase"):
            for move in state.legal_moves():
                assert KIT.write(state.effect(move)) == move


@given(st.integers(2, 4), choices)
@settings(max_examples=30, deadline=None)
def test_a_walk_that_ends_alone_ends_where_its_pawn_then_stands(
    players: int, numbers: list[int]
) -> None:
    for state in played(players, numbers):
        if state.phase in ("walk", "chase"):
            for move in state.legal_moves():
                effect = state.effect(move)
                assert effect.thing in state.position().values()
                if not isinstance(effect, Meeting):
                    assert state.play(move).position()[effect.end] == effect.thing


def test_a_ghost_that_moves_on_enters_both_squares() -> None:
    """MS-11"""
    state = put_up("e1", "blinky:h8 pinky:h9", weak="blinky:1", turn=1, steps=1)
    assert state.effect("h9+h10") == Meeting("blinky-weak", ("h9", "h10"), meets="pinky")


def test_a_ghost_only_meets_whom_it_ends_on() -> None:
    """MS-A4, MS-A18: other ghosts are passed."""
    state = put_up("h10", "blinky:h8 pinky:h9", turn=1, steps=2)
    assert state.effect("h9-h10") == Meeting("blinky", ("h9", "h10"), meets="mspacman")
    passing = put_up("e1", "blinky:h8 pinky:h9", turn=1, steps=2)
    assert passing.effect("h9-h10") == Effect("blinky", ("h9", "h10"))


def test_she_meets_the_last_ghost_on_her_way_that_is_still_there() -> None:
    """MS-14, MS-A15: one that she has eaten is not met again."""
    state = put_up("h10", "blinky:h9 pinky:h8", weak="blinky:2 pinky:2", steps=3)
    effect = state.effect("h9-h8-h9")
    assert effect == Meeting("mspacman", ("h9", "h8", "h9"), meets="pinky-weak")


@pytest.mark.parametrize(
    ("move", "effect"),
    [
        ("spin:4", Effect(rolled="4")),
        ("roll:F2", Effect(rolled="F2")),
        ("place:e7", Effect("mspacman", ("e7",))),
    ],
)
def test_what_other_moves_do(move: str, effect: Effect) -> None:
    assert start().effect(move) == effect


def test_the_spinner_decides_for_her_and_the_die_for_ghosts() -> None:
    """MS-4, MS-6, MS-7"""
    for state, chance in (
        (start(), "spinner"),
        (put_up(), "spinner"),
        (put_up(turn=1), "die"),
    ):
        assert isinstance(state, Rolls)
        assert state.to_act is CHANCE
        assert state.chance == chance


def test_dots_left_and_pawns_are_counted() -> None:
    state = put_up("e7", weak="blinky:2 pinky:1", dots="b1 h10")
    dots, pawn = KIT.meters(state, 0)
    assert dots.gauge
    assert len(dots.tokens) == 17
    assert pawn.text == "plays Ms. Pac-Man"
    assert pawn.tokens == (("mspacman", True),)
    weak = KIT.meters(state, 1)[1]
    assert (weak.text, weak.tokens) == ("plays Blinky", (("blinky-weak", True),))
    assert weak.note == "weak until its turn has begun twice"
    assert KIT.meters(state, 2)[1].note == "weak until its turn has begun once"
    left = [KIT.meters(state, seat)[0] for seat in range(4)]
    assert [round(17 * (meter.share or 0)) for meter in left] == list(state.tallies()["dots"])


def test_before_anybody_has_her_all_play_their_ghosts() -> None:
    state = after(start(2), "spin:1")
    assert [KIT.meters(state, seat)[1].text for seat in (0, 1)] == ["plays Inky", "plays Blinky"]


def test_at_the_table_a_game_without_progress_ends_and_over_ugi_it_need_not() -> None:
    (kit,) = KITS
    assert kit.house == {"noProgress": "40"}
    assert kit.game.options["noProgress"][0] == "off"
    assert set(kit.words["noProgress"].values) == set(kit.game.options["noProgress"])
