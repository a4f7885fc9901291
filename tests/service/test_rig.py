"""The rig in simulated time: what its room, its clock and its loop promise to tests and benches."""

from collections.abc import Iterator

import numpy as np
import pytest

from companion.errors import CompanionError
from companion.referee.verdict import Kind
from companion.service.requests import TakeBack
from companion.service.simulated.rig import Rig
from companion.sim.hands import Person
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD

SMALL = (864, 648)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig(Room(BOARD, Setting(hall=True, lights=True), size=SMALL))
    rig.begin("quoridor")
    yield rig
    rig.close()


def test_rooms_of_one_setting_give_the_same_pictures() -> None:
    rooms = [Room(BOARD, Setting("lamp", seed), size=SMALL) for seed in (3, 3, 4)]
    first, same, other = (room.shoot().picture for room in rooms)
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_time_goes_only_when_it_is_told_to_and_to_the_very_end(rig: Rig) -> None:
    before = rig.clock.now
    assert rig.clock.now == before
    assert not rig.wait(0.71)
    assert rig.clock.now == before + 0.71


def test_a_move_by_hand_is_seen_accepted_and_told_at_once(rig: Rig) -> None:
    told: list[tuple[str, ...]] = []
    rig.on_moves = told.append
    rig.kinds.clear()
    rig.watch(Person(rig.table, rig.board).move_pawn("pacman", "e1", "e2"))
    assert rig.wait(1.0, until=lambda: rig.moves == ("e2",))
    assert told == [("e2",)]
    assert Kind.HANDS in rig.kinds
    assert any(any(colour) for colour in rig.room.pixels.colours)


def test_a_command_is_answered_or_refused_and_the_next_game_is_set_up(rig: Rig) -> None:
    with pytest.raises(CompanionError, match="no move to take back"):
        rig.ask(TakeBack())
    rig.begin("pacman")
    assert dict(rig.table.truth()) == dict(rig.position) == dict(rig.snapshot.position)
    assert rig.verdict.kind is Kind.WAITING


def test_in_a_blind_room_moves_are_felt() -> None:
    rig = Rig(Room(BOARD, Setting(hall=True, blind=True)))
    rig.begin("quoridor")
    assert [view.name for view in rig.senses.devices()] == ["hall"]
    rig.watch(Person(rig.table, rig.board).move_pawn("pacman", "e1", "e2"))
    assert rig.wait(2.0, until=lambda: rig.moves == ("e2",))
    rig.close()
