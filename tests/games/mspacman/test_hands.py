"""What hands may do wrong on the Ms. Pac-Man board, and what the referee says to it."""

import pytest

from companion.board import Change
from companion.games.mspacman.rules import MsPacMan
from tests.games.mspacman.tables import put_up, start


def said(state: MsPacMan, *changes: tuple[str, str | None, str | None]) -> tuple[str, str]:
    """Return rule and text for what was done: things with the spots they left and reached."""
    refusal = state.refuse([Change(*change) for change in changes], ("Ann", "Ben", "Cleo", "Dan"))
    return refusal.rule, refusal.text


def test_a_forgotten_dot_must_go() -> None:
    """MS-A29"""
    state = put_up("c10", steps=2)
    assert said(state, ("mspacman", "c10", "e10"), ("dot", "e10", None)) == (
        "MS-A29",
        "Ms. Pac-Man moved off d10: take what she left there off the board",
    )
    under_her = said(
        state,
        ("mspacman", "c10", "e10"),
        ("dot", "d10", None),
        ("dot", "e10", None),
        ("dot", None, "c10"),
    )
    assert under_her[1].startswith("Ms. Pac-Man moved off c10")
    later = state.play("d10-e10")
    assert said(later, ("dot", None, "d10")) == (
        "MS-A29",
        "no dot belongs on d10: take it off",
    )


def test_a_dot_too_many_stays() -> None:
    """MS-6"""
    state = put_up("c10", steps=2)
    assert said(
        state, ("mspacman", "c10", "e10"), *[("dot", spot, None) for spot in ("d10", "e10", "h1")]
    ) == ("MS-6", "Ms. Pac-Man did not move off h1: the dot stays")
    assert said(state, ("dot", "d10", None))[0] == "MS-6"
    assert said(put_up("e1", "blinky:h8", turn=1, steps=1), ("dot", "d10", None))[0] == "MS-6"


def test_a_ghost_on_its_wrong_side_is_turned_over() -> None:
    """MS-A30: what the rules say of its side holds."""
    state = put_up("e1", "blinky:h8", "blinky:1", turn=1)
    assert said(state, ("blinky-weak", "h8", None), ("blinky", None, "h8")) == (
        "MS-A30",
        "Blinky is weak now: turn it weak side up",
    )
    state = put_up("e1", "blinky:h8", turn=1, steps=2)
    assert said(state, ("blinky-weak", None, "h8"))[1] == (
        "Blinky is strong now: turn it strong side up"
    )


def test_she_belongs_where_she_was_until_the_spin_is_read() -> None:
    """MS-A28"""
    assert said(put_up("e7"), ("mspacman", "e7", "e6")) == (
        "MS-A28",
        "Ms. Pac-Man belongs on e7 until the spin is read",
    )
    assert said(put_up("e7"), ("blinky", "g6", "g7"))[0] == "MS-6"
    assert said(put_up("e7", turn=1), ("blinky", "g6", "g7"))[0] == "MS-7"
    assert said(start(), ("inky", "f6", "f7"))[0] == "MS-4"


def test_only_the_pawn_whose_turn_it_is_moves() -> None:
    """MS-5"""
    state = put_up("e7", "blinky:h8", turn=1, steps=1)
    assert said(state, ("mspacman", "e7", "e8")) == (
        "MS-5",
        "Ben moves Blinky 1 square now, but Ms. Pac-Man moved",
    )
    state = put_up("e7", "blinky:h8", steps=1)
    both = (("mspacman", "e7", "e8"), ("blinky", "h8", "h9"))
    assert said(state, *both)[1].endswith("but Blinky moved")


def test_what_belongs_to_her_move_is_told_one_by_one() -> None:
    """MS-13, MS-14, MS-A30: ghosts that turn over or go back, not only dots."""
    state = put_up("b10", "blinky:e10 pinky:d10", steps=2)
    hers = [("mspacman", "b10", "d10"), ("dot", "c10", None), ("pinky", "d10", None)]
    assert said(state, *hers) == (
        "MS-14",
        "Pinky is caught and goes back to g5, strong side up",
    )
    hers.append(("pinky", None, "g5"))
    assert said(state, *hers) == ("MS-13", "a power dot went: turn all ghosts weak side up")
    weak = [("blinky", "e10", None), ("blinky-weak", None, "e10")]
    weak += [("sue", "f5", None), ("sue-weak", None, "f5"), ("pinky-weak", None, "g5")]
    assert said(state, *hers[:-1], *weak) == (
        "MS-A30",
        "Pinky is strong now: turn it strong side up",
    )
    assert said(state, *hers, *weak[:4], ("dot", None, "c10"))[0] == "MS-A29"


def test_when_they_meet_the_pawns_do_not_stay_there() -> None:
    """MS-15, MS-16"""
    state = put_up("e8", "blinky:e10", steps=2)
    assert said(state, ("mspacman", "e8", "e10"), ("dot", "e9", None)) == (
        "MS-16",
        "Blinky catches Ms. Pac-Man on e10: Ben takes her over",
    )
    state = put_up("e8", "pinky:e10", turn=2, steps=5)
    assert said(state, ("pinky", "e10", "e8"))[0] == "MS-16"
    state = put_up("e8", "pinky:e10", "pinky:1", turn=2, steps=5)
    assert said(state, ("pinky-weak", "e10", "e8")) == (
        "MS-15",
        "Pinky is weak and goes back to g5, strong side up",
    )


def test_a_pawn_goes_exactly_as_far_as_its_number() -> None:
    """MS-A5"""
    state = put_up("e7", steps=2)
    assert said(state, ("mspacman", "e7", "e10")) == (
        "MS-A5",
        "Ms. Pac-Man cannot get from e7 to e10 in exactly 2 squares",
    )
    state = put_up("e1", "blinky:h8", turn=1, steps=2)
    assert said(state, ("blinky", "h8", "h9"))[0] == "MS-A5"


def test_where_a_ghost_may_not_stop() -> None:
    """MS-11, MS-A23, MS-7"""
    state = put_up("e1", "blinky:h8 pinky:h9", turn=1, steps=1)
    assert said(state, ("blinky", "h8", "h9"))[0] == "MS-11"
    assert said(state, ("blinky", "h8", "g6"))[0] == "MS-A23"
    assert said(state, ("blinky", "h8", "i8"), ("dot", "e1", None)) == (
        "MS-7",
        "a ghost takes no dots",
    )
    assert said(state, ("blinky", "h8", None))[0] == "MS-7"
    turned = (("blinky", "h8", None), ("blinky-weak", None, "h10"))
    assert said(state, *turned)[0] == "MS-A30"


def test_she_is_put_on_a_free_white_circle_and_takes_nothing_there() -> None:
    """MS-4, MS-A19, MS-A20"""
    state = put_up("e8", "pinky:e10 sue:e4", turn=2, steps=2).play("e9-e8")
    assert said(state, ("mspacman", None, "e8"))[0] == "MS-4"
    assert said(state, ("mspacman", None, "e4"))[0] == "MS-A19"
    assert said(state, ("mspacman", None, "h4"), ("dot", "h3", None))[0] == "MS-A20"


@pytest.mark.parametrize("thing", ["mspacman", "blinky", "dot", "clyde"])
def test_after_the_end_nothing_moves(thing: str) -> None:
    """MS-17"""
    state = put_up("h8", steps=4, dots="h8 e1 i1 d8").play("h9")
    assert said(state, (thing, None, "h10"))[0] == "MS-17"
