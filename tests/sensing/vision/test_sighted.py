"""Where the eyes see things that are on no spot: crooked pieces and loose fences."""

import math
import random

import pytest

from companion.board import FENCE, Position, Sighting
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sim.hands import Person
from companion.sim.room import Room, Setting
from tests.sensing.lab import Lab
from tests.sensing.studio import BOARD

START = {"e1": "pacman", "e9": "blinky", "a5": "clyde", "c3h": FENCE, "f6v": FENCE}
LIGHTS = [(51, "daylight"), (52, "lamp"), (53, "dim"), (54, "evening")]


def taught(studio: Room, position: Position = START) -> Eyes:
    eyes = Eyes(BOARD)
    studio.table.set_up(position)
    eyes.look(studio.shoot())
    eyes.learn(position)
    return eyes


def fences(sight: Sight) -> list[Sighting]:
    return [sighting for sighting in sight.sightings if sighting.thing == FENCE]


@pytest.mark.parametrize(("seed", "light"), LIGHTS)
def test_a_piece_is_seen_where_it_stands(seed: int, light: str) -> None:
    studio, rng = Room(BOARD, Setting(light, seed)), random.Random(seed)
    eyes = taught(studio)
    off = []
    for thing in ("pacman", "blinky", "clyde") * 2:
        x, y = rng.uniform(-110, 110), rng.uniform(-110, 110)
        studio.table.place(thing, x, y)
        body = studio.table.body(thing)
        found = [s for s in eyes.look(studio.shoot()).sightings if s.thing == thing]
        off += [math.hypot(s.x_mm - body.x, s.y_mm - body.y) for s in found]
    assert len(off) >= 5  # between squares one may be taken for another of nearly its colour
    assert math.sqrt(sum(each**2 for each in off) / len(off)) < 3.5
    assert max(off) < 7.0


def test_a_piece_between_squares_covers_nothing_and_is_on_neither_for_sure() -> None:
    studio = Room(BOARD, Setting("daylight", 55))
    eyes = taught(studio)
    x, y = BOARD.at("e2")
    studio.table.place("pacman", x, y + BOARD.pitch_mm / 2)
    sight = eyes.look(studio.shoot())
    assert not sight.covered
    assert abs(sight.evidence["e2"]["pacman"]) < 6.0  # it is placed to some 4 mm
    assert abs(sight.evidence["e3"]["pacman"]) < 6.0


@pytest.mark.parametrize(("seed", "light"), LIGHTS)
def test_a_fence_that_lies_flat_on_the_tiles_is_seen_there(seed: int, light: str) -> None:
    studio, rng = Room(BOARD, Setting(light, seed)), random.Random(seed)
    eyes = taught(studio)
    x, y, angle = rng.uniform(-20, 20), rng.uniform(-60, -20), rng.uniform(0, 180)
    studio.table.lay("fence9", x, y, angle)
    found = fences(eyes.look(studio.shoot()))
    assert len(found) == 1
    assert math.hypot(found[0].x_mm - x, found[0].y_mm - y) < 9.0
    turn = abs(found[0].angle - angle) % 180
    assert min(turn, 180 - turn) < 15.0


@pytest.mark.parametrize(("seed", "light"), LIGHTS)
def test_a_fence_across_another_is_seen_and_the_other_is_not_taken_for_gone(
    seed: int, light: str
) -> None:
    studio = Room(BOARD, Setting(light, seed))
    eyes = taught(studio)
    x, y = BOARD.at("f6v")
    studio.table.lay("fence9", x + 3, y - 4, 20.0)
    sight = eyes.look(studio.shoot())
    assert [sighting.spot for sighting in fences(sight)] in (["f6"], ["g6"], ["f7"], ["g7"])
    below = sum(sight.evidence[patch][FENCE] for patch in ("f6e", "f6x", "f7e"))
    assert below > -3.0


@pytest.mark.parametrize(("seed", "light"), LIGHTS)
def test_fences_in_slots_half_in_or_beside_the_board_are_not_loose(seed: int, light: str) -> None:
    studio, rng = Room(BOARD, Setting(light, seed)), random.Random(seed)
    eyes = taught(studio)
    for slot in ("d5h", "g2v", "b7h", "h8h"):
        studio.table.set_up({**START, slot: FENCE})
        assert fences(eyes.look(studio.shoot())) == []
        studio.table.half_seat(studio.table.fence_at(slot) or "")
        assert fences(eyes.look(studio.shoot())) == []
    beside = BOARD.field_mm / 2 + BOARD.fence.length_mm / 2
    studio.table.set_up(START)
    studio.table.lay("fence9", beside, rng.uniform(-60, 60), 0.0)
    assert fences(eyes.look(studio.shoot())) == []


def test_a_fence_in_a_hand_is_not_loose() -> None:
    studio = Room(BOARD, Setting("daylight", 56))
    eyes = taught(studio)
    for step in Person(studio.table, BOARD).lay_fence(10.0, -30.0, 40.0):
        sight = eyes.look(studio.shoot())
        if step.what == "carry":
            assert fences(sight) == []


@pytest.mark.parametrize("away", [7.0, 9.0, 11.0, 14.0])
def test_no_sensor_is_doubted_for_a_piece_that_is_seen_near_it(away: float) -> None:
    room = Lab(camera=True, hall=True)
    _watch(room, 3.0)
    for thing, square in (("pacman", "e2"), ("blinky", "d8")):
        x, y = BOARD.at(square)
        room.studio.table.place(thing, x, y + away)
    _watch(room, 5.0)
    assert room.senses.touch is not None
    assert room.senses.touch.ill == {}
    room.senses.learn({"e2": "pacman", "d8": "blinky", "c3h": FENCE})
    for _ in range(3):
        _watch(room, 1.0)
        room.senses.learn({"e2": "pacman", "d8": "blinky", "c3h": FENCE})
    assert room.senses.touch.ill == {}


def _watch(room: Lab, seconds: float) -> None:
    """Let camera and grid see the board for some time, from which it is learned first."""
    for number in range(round(seconds * 5)):
        room.now += 0.2
        room.scan()
        room.shoot()
        room.senses.read()
        if number == 0 and room.now < 11:
            room.senses.learn({"e1": "pacman", "e9": "blinky", "c3h": FENCE})


def test_a_piece_between_squares_is_not_learned_as_bare_board() -> None:
    studio = Room(BOARD, Setting("daylight", 57))
    eyes = taught(studio)
    x, y = BOARD.at("e1")
    studio.table.place("pacman", x, y + 10.0)
    for _ in range(20):
        eyes.look(studio.shoot())
        eyes.learn(START)
    studio.table.set_up({**START, "e1": "blinky", "e9": "pacman"})
    sight = eyes.look(studio.shoot())
    assert not sight.covered
    assert sight.evidence["e2"]["pacman"] < -3.0
    assert sight.evidence["e9"]["pacman"] > 6.0
