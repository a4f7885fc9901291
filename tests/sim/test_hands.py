"""A scripted person makes whole moves on the simulated table."""

import random

import pytest

from companion.board import FENCE, Board
from companion.referee.changes import compare
from companion.sim.hands import Person
from companion.sim.table import SimTable


@pytest.fixture
def person(table: SimTable, board: Board) -> Person:
    return Person(table, board)


def test_a_pawn_move_passes_through_the_hand(table: SimTable, person: Person) -> None:
    table.set_up({"e1": "pacman"})
    seen = []
    for step in person.move_pawn("pacman", "e1", "e2"):
        seen.append((step.what, table.body("pacman").state, len(table.scene().hands)))
    whats = [what for what, _, _ in seen]
    assert list(dict.fromkeys(whats)) == ["reach", "lift", "carry", "put", "withdraw", "done"]
    assert all(state == "held" for what, state, _ in seen if what in ("lift", "carry"))
    assert all(hands == 1 for what, _, hands in seen if what != "done")
    assert table.truth() == {"e2": "pacman"}
    assert table.scene().hands == ()


def test_a_fence_is_placed_and_removed(table: SimTable, person: Person) -> None:
    for _ in person.place_fence("e3v"):
        pass
    assert table.truth() == {"e3v": FENCE}
    for _ in person.remove_fence("e3v"):
        pass
    assert table.truth() == {}
    with pytest.raises(ValueError, match="expected a fence in e3v"):
        list(person.remove_fence("e3v"))


def test_a_hovering_hand_changes_nothing(table: SimTable, person: Person) -> None:
    table.set_up({"e1": "pacman"})
    seconds = sum(step.seconds for step in person.hover("e5", 2.0))
    assert seconds > 2.0
    assert table.truth() == {"e1": "pacman"}
    assert table.scene().hands == ()


def test_the_steps_between_any_two_positions_lead_there(table: SimTable, board: Board) -> None:
    rng = random.Random(4)
    before = {"e1": "pacman", "e9": "blinky", "a1h": FENCE, "g6v": FENCE}
    after = {"d4": "pacman", "a5": "pinky", "g6v": FENCE, "c3h": FENCE}
    table.set_up(before)
    side = rng.choice(["south", "north", "east", "west"])
    list(Person(table, board, side=side).do(compare(before, after)))
    assert table.truth() == after


def test_a_slow_person_takes_longer(table: SimTable, board: Board) -> None:
    table.set_up({"e1": "pacman"})
    quick = sum(s.seconds for s in Person(table, board).move_pawn("pacman", "e1", "e2"))
    slow = sum(s.seconds for s in Person(table, board, pace=3).move_pawn("pacman", "e2", "e3"))
    assert slow == pytest.approx(3 * quick)
    with pytest.raises(ValueError, match="got 'up'"):
        Person(table, board, side="up")
