"""What is done on the board in Quoridor PAC-MAN and is no legal move gets its reason in words."""

import pytest

from companion.board import Change
from companion.games.pacman.rules import Pacman
from tests.games.pacman.tables import put_up, start


def seen(state: Pacman, *changes: tuple[str, str | None, str | None]) -> tuple[str, str]:
    refusal = state.refuse([Change(*change) for change in changes], ("Ann", "Ben"))
    return refusal.rule, refusal.text


ROOM = put_up("e5 Be7 Ii5 Pa4 Ce1", "e1h")
HUNT = put_up("e5 Be7 Ii4 Pa2 Ce1", "e1h", waiting="BIPC")


@pytest.mark.parametrize(
    ("changes", "rule", "text"),
    [
        (
            [("pacman", "e5", "e6")],
            "SV-A1",
            "Pac-Man must move two squares",
        ),
        (
            [("pacman", "e5", "h8")],
            "SV-6",
            "h8 is too far: Pac-Man moves two squares",
        ),
        (
            [("pacman", "e5", "e7"), ("blinky", "e7", None)],
            "SV-A3",
            "Blinky stands on e7, and Pac-Man eats ghosts only in his bonus",
        ),
        ([("pacman", "e5", None)], "SV-6", "Pac-Man stays on the board"),
        ([("fence", "e1h", None)], "SV-4", "fences are fixed in this game"),
        ([("fence", None, "e3h")], "SV-4", "fences are fixed in this game"),
        ([("blinky", "e7", "e8")], "SV-5", "it is Pac-Man's turn, but Blinky moved"),
        (
            [("pacman", "e5", "e3"), ("blinky", "e7", None)],
            "SV-8",
            "Blinky was not eaten and stays on the board",
        ),
        (
            [("pellet", "a1", None)],
            "SV-7",
            "the pellet on a1 stays until Pac-Man reaches it",
        ),
        (
            [("pacman", "e5", "e3"), ("pellet", "a1", None)],
            "SV-7",
            "the pellet on a1 stays until Pac-Man reaches it",
        ),
        (
            [("pellet", "a1", "a2")],
            "SV-7",
            "the pellet belongs on a1 until it is eaten",
        ),
        ([("pellet", None, "e3")], "SV-A24", "pellets that were eaten stay eaten"),
        ([("pacman", "e5", "e3h")], "SV-6", "Pac-Man belongs on a square, not e3h"),
        ([("pawn1", None, "e3")], "SV-2", "there is no pawn1 in this game"),
        ([], "SV-5", "nothing has moved; it is the turn of Ann"),
        ([("pacman", "e5", "e3")], "SV-5", "that alone is no whole move"),
    ],
)
def test_on_pacmans_turn(
    changes: list[tuple[str, str | None, str | None]], rule: str, text: str
) -> None:
    assert seen(ROOM, *changes) == (rule, text)


@pytest.mark.parametrize(
    ("changes", "rule", "text"),
    [
        ([("pinky", "a2", "a1")], "SV-10", "Pinky cannot stop on a power pellet"),
        (
            [("inky", "i4", "i6")],
            "SV-9",
            "Inky does not see Pac-Man: not frenzied, it moves one square",
        ),
        (
            [("clyde", "e1", "e2")],
            "SV-9",
            "the fence at e1h is in the way from e1 to e2",
        ),
        (
            [("blinky", "e7", "e8")],
            "SV-A14",
            "Blinky sees Pac-Man, is frenzied and must move two squares",
        ),
        (
            [("blinky", "e7", "e4")],
            "SV-11",
            "Blinky is frenzied and moves two squares, no more",
        ),
        (
            [("blinky", "e7", "e5"), ("pacman", "e5", None)],
            "SV-14",
            "Blinky has caught Pac-Man: put everybody back on the start squares",
        ),
        ([("pacman", "e5", "e3")], "SV-5", "it is the ghosts' turn, but Pac-Man moved"),
        (
            [("inky", "i4", None)],
            "SV-8",
            "Inky was not eaten and stays on the board",
        ),
        (
            [("pellet", "a1", None)],
            "SV-7",
            "the pellet on a1 is Pac-Man's alone to eat",
        ),
        (
            [("inky", "i4", "i3"), ("pinky", "a2", "a3")],
            "SV-9",
            "the ghosts move one after the other",
        ),
        ([("fence", "e1h", "e2h")], "SV-4", "fences are fixed in this game"),
    ],
)
def test_on_the_ghosts_turn(
    changes: list[tuple[str, str | None, str | None]], rule: str, text: str
) -> None:
    assert seen(HUNT, *changes) == (rule, text)


def test_a_ghost_that_has_moved_or_is_not_due_is_told_so() -> None:
    moved = HUNT.play("Ii3")
    assert seen(moved, ("inky", "i3", "i2")) == (
        "SV-A12",
        "Inky has already moved this round",
    )
    fixed = put_up("e5 Be7 Ii4 Pa2 Cd1", waiting="BIPC", ghostOrder="fixed")
    assert seen(fixed, ("clyde", "d1", "c1")) == ("SV-A12", "Blinky moves before Clyde")


def test_a_ghost_that_stays_or_shares_a_square_is_told_so() -> None:
    assert seen(HUNT, ("inky", "i4", "i4")) == (
        "SV-A13",
        "Inky can move, so it may not stay",
    )
    close = put_up("e5 Ba3 Ia4", waiting="BI")
    assert seen(close, ("blinky", "a3", "a4")) == (
        "SV-A19",
        "Blinky cannot stop on a4: Inky is there",
    )


def test_an_eaten_ghost_stays_off_the_board() -> None:
    rule, text = seen(put_up("e5 Be7"), ("clyde", None, "e1"))
    assert rule == "SV-A10"
    assert text == "Clyde has been eaten and comes back when Pac-Man loses a life"


def test_a_pellet_and_a_ghost_that_were_eaten_come_off_the_board() -> None:
    near = put_up("c1 Ba3 Ii5")
    assert seen(near, ("pacman", "c1", "a1")) == (
        "SV-7",
        "Pac-Man eats the pellet on a1: take it off the board",
    )
    assert seen(near, ("pacman", "c1", "a3"), ("pellet", "a1", None)) == (
        "SV-8",
        "Pac-Man eats Blinky on a3: take it off the board",
    )
    assert seen(near, ("pacman", "c1", "b3")) == (
        "SV-7",
        "Pac-Man comes to b3 only over a pellet: take it off the board",
    )


def test_a_fence_that_makes_a_near_square_far_is_named() -> None:
    walled = put_up("e5 Bi1", "e5h c5h")
    assert seen(walled, ("pacman", "e5", "e7")) == (
        "SV-6",
        "the fence at e5h is in the way from e5 to e7",
    )
    assert seen(put_up("e5 Be6 Id9"), ("pacman", "e5", "e7")) == (
        "SV-A3",
        "Blinky stands on e6, and Pac-Man eats ghosts only in his bonus",
    )


def test_after_a_capture_all_are_sent_back_to_the_start() -> None:
    caught = put_up("h5 Bh6 Ii8", waiting="BI").play("Bh5")
    text = "after a capture everybody goes back to the start squares"
    assert seen(caught, ("pacman", "e5", "h5"), ("inky", "i5", "i8")) == ("SV-14", text)


def test_when_it_is_over_nothing_is_a_move() -> None:
    over = put_up("e5 Be6", waiting="B", lives=1).play("Be5")
    assert seen(over, ("blinky", "e5", "e6")) == (
        "SV-15",
        "the game is over: Ben took the last life",
    )


def test_a_legal_move_alone_has_no_fault_of_its_own() -> None:
    assert seen(start(), ("pacman", "e5", "d6"))[1] == "that alone is no whole move"
