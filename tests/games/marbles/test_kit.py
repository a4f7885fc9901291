"""What everybody else learns of the marble game: what moves do on the board, what is counted."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import Effect, Rolls
from companion.games.marbles.kit import KITS
from companion.games.maze.maze import Meeting
from tests.games.marbles.tables import game, put_up
from tests.games.marbles.test_laws import options, wander

(KIT,) = KITS


@given(options, st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_every_walk_is_written_as_it_was_read(chosen: dict[str, str], seed: int) -> None:
    for state in wander(chosen, seed, 120):
        for move in state.legal_moves():
            if move.startswith(("P", "G", "return")):
                assert KIT.write(state.effect(move)) == move


@given(options, st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_a_walk_follows_the_paths_and_ends_where_its_pawn_then_stands(
    chosen: dict[str, str], seed: int
) -> None:
    maze = game().field.maze
    centre, exits = maze.of_kind("centre"), set(maze.of_kind("exit"))
    for state in wander(chosen, seed, 120):
        where = {thing: spot for spot, thing in state.position().items()}
        for move in state.legal_moves():
            effect = state.effect(move)
            if effect.path and move.startswith(("P", "G")):
                here = where[effect.thing]
                for spot in effect.path:
                    assert spot in maze.links[here] or {here, spot} <= exits or here in centre
                    here = spot
                assert state.play(move).position()[here] == effect.thing


def test_off_and_on_the_board_leads_over_both_arrows() -> None:
    """MB-9"""
    state = put_up(pacmen="b7 l12", dice=(1, 1))
    assert state.effect("P1:~l7") == Effect("pacyellow", ("a7", "m7", "l7"), rolled="1")


def test_a_walk_tells_its_die_and_whom_it_meets() -> None:
    """MB-6, MB-16, MB-20: which die is used is a choice where both lead to the same spot."""
    state = put_up(pacmen="b4 g11", ghosts="g9 h8", dice=(3, 5))
    met = Meeting("ghost1", ("g10", "g11"), rolled="5", meets="pacgreen")
    assert state.effect("G1/5:g10-g11x") == met
    assert state.effect("G1/3:g10-g11x") == replace(met, rolled="3")


def test_who_stays_has_no_path() -> None:
    """MB-12, MB-A8"""
    shut = put_up(pacmen="b2 b3", ghosts="c2 h8")
    assert shut.effect("P3=") == Effect("pacyellow", rolled="3")


@pytest.mark.parametrize(
    ("move", "effect"),
    [
        ("roll:5-3", Effect(rolled="5-3")),
        ("return:d4", Effect("yellow", ("d4",))),
        ("take:green", Effect("white")),
        ("missed:b4", Effect("white", ("b4",))),
        ("missed:d4", Effect("yellow", ("d4",))),
        ("end", Effect()),
    ],
)
def test_what_other_moves_do(move: str, effect: Effect) -> None:
    """MB-5, MB-22, MB-23, MB-A31"""
    state = put_up(pacmen="b2 l12", missed="stays")
    number = state.table.field.number
    eaten = state.eaten._replace(white=1 << number["b4"], yellow=1 << number["d4"])
    assert replace(state, eaten=eaten).effect(move) == effect


def test_dice_decide() -> None:
    state = game().start()
    assert isinstance(state, Rolls)
    assert state.chance == "dice"


def test_marbles_are_counted_beside_the_fullest_tray() -> None:
    state = replace(put_up(trays=(3, 12), gold=(1, 0), owed=(0, 1)), belly=2)
    mine, yellow = KIT.meters(state, 0)
    assert (mine.text, mine.note) == ("3 white marbles in the tray", "2 more inside Pac-Man")
    assert mine.gauge
    assert mine.share == 3 / 12
    assert (yellow.tokens, yellow.text) == ((("yellow", True),), "may gobble one ghost")
    theirs, none = KIT.meters(state, 1)
    assert theirs.share == 1
    assert (none.tokens, none.text) == ((), "no yellow marble")
    assert none.note == "one yellow marble to put back"


def test_an_empty_tray_has_a_share_of_nothing() -> None:
    assert KIT.meters(game().start(), 0)[0].share == 0


def test_at_the_table_a_game_without_progress_ends_and_over_ugi_it_need_not() -> None:
    (kit,) = KITS
    assert kit.house == {"noProgress": "40"}
    assert kit.game.options["noProgress"][0] == "off"
    assert set(kit.words["noProgress"].values) == set(kit.game.options["noProgress"])
