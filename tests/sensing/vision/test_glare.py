"""A mirrored lamp adds light and hides nothing; what is as white as it, but a thing, does."""

import cv2
import numpy as np
import pytest

from bench.photos import to_position
from companion.board import FENCE, places_of
from companion.sensing.camera.frame import Frame, Picture
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.flat import TILE
from companion.sensing.vision.light import bare_tiles
from companion.sim.room import Room, Setting
from companion.sim.stress import pictures
from tests.sensing.studio import BOARD, look, told

GAME = {"e1": "pacman", "e9": "blinky", "c3h": FENCE, "f6v": FENCE, "d7": "inky"}
LIGHTS = ("daylight", "lamp")


@pytest.fixture(scope="module", params=LIGHTS)
def studio(request: pytest.FixtureRequest) -> Room:
    studio = Room(BOARD, Setting(request.param, 5))
    studio.table.set_up(GAME)
    return studio


def mirrored(picture: Picture, place: int, severity: int = 1) -> Picture:
    """Return the picture with a lamp mirrored in it, somewhere."""
    return pictures.glare(picture, severity, place * pictures.GLARE_SECONDS, seed=3)


def papered(studio: Room, picture: Picture, level: float, soft: float) -> Picture:
    """Return the picture with a sheet of white paper over c5, d5 and e5, more or less sharp."""
    x, y = BOARD.at("d5")
    half = BOARD.pitch_mm
    ends = [
        (x + a * 1.6 * half, y + b * half, 0.0) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.rint(studio.camera.pose.project(ends)).astype(np.int32)], 1.0)
    if soft:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft))
    grain = np.random.default_rng(2).normal(0, 2, (*picture.shape[:2], 1))
    mixed = picture * (1 - mask[..., None]) + (level + grain) * mask[..., None]
    return mixed.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("place", range(3))
def test_a_mirrored_lamp_is_not_taken_for_a_hand(studio: Room, place: int) -> None:
    frame = studio.shoot()
    sight = look(Frame(frame.time, mirrored(frame.picture, place)))
    assert sight.covered <= GAME.keys(), "at most a piece that is as bright as the lamp"
    assert to_position(told(sight)).items() <= GAME.items()


@pytest.mark.parametrize("place", range(3))
def test_a_lamp_that_comes_later_is_not_taken_for_a_hand_either(studio: Room, place: int) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    eyes.look(frame)
    eyes.learn(GAME)
    sight = eyes.look(Frame(frame.time + 2, mirrored(frame.picture, place)))
    assert not sight.covered
    assert to_position(told(sight)).items() <= GAME.items()


def test_a_lamp_mirrored_during_a_lesson_is_not_learned_as_the_board(studio: Room) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    for time, place in enumerate((1, 1, 1, 2), start=1):
        sight = eyes.look(Frame(frame.time + 2 * time, mirrored(frame.picture, place)))
        assert not sight.covered
        eyes.learn(GAME)
    sight = eyes.look(Frame(frame.time + 20, frame.picture))
    assert not sight.covered
    assert to_position(told(sight)) == GAME


FENCES = """b2h h6h c4v h8h a1h b6h e6h g2h h4v f3h b3h e5h d1h h7v e1v g4h f4v c7h c5h f2v"""
CROWDED = {"c3": "blinky", "d4": "pinky", **dict.fromkeys(FENCES.split(), FENCE)}


@pytest.mark.parametrize("light", ["evening", "dim"])
def test_a_strong_lamp_mirrored_among_fences_and_pieces_speaks_against_none(light: str) -> None:
    studio = Room(BOARD, Setting(light, 2044))
    studio.table.set_up(CROWDED)
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    eyes.look(frame)
    eyes.learn(CROWDED)
    for place in (1, 2, 3, 5, 6, 7, 8, 11, 12):
        picture = mirrored(frame.picture, place, severity=3)
        sight = eyes.look(Frame(frame.time + 2 * place, picture))
        assert len(sight.covered) <= 3, f"place {place} looks like a hand"
        for spot, thing in CROWDED.items():
            values = [sight.evidence.get(p, {}).get(thing, 0.0) for p in places_of({spot: thing})]
            assert min(values) > -0.5, f"{thing} on {spot} with the lamp at {place}"


@pytest.mark.parametrize("taught", [False, True])
@pytest.mark.parametrize(
    ("level", "soft"), [(170.0, 0.0), (225.0, 3.0), (262.0, 0.0), (262.0, 3.0)]
)
def test_white_paper_hides_what_is_below_however_bright_it_is(
    studio: Room, level: float, soft: float, taught: bool
) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    if taught:
        eyes.look(frame)
        eyes.learn(GAME)
    sight = eyes.look(Frame(frame.time + 2, papered(studio, frame.picture, level, soft)))
    assert {"c5", "d5", "e5"} <= sight.covered
    assert to_position(told(sight)).items() <= GAME.items()


def test_a_hand_in_the_glare_is_still_a_hand(studio: Room) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    eyes.look(frame)
    eyes.learn(GAME)
    studio.table.hand(20, 30, 180)
    for place in range(3):
        lit = mirrored(studio.shoot().picture, place)
        assert eyes.look(Frame(frame.time + 2 + place, lit)).covered
    studio.table.no_hand()


def test_the_dim_corners_beside_a_mirrored_lamp_are_not_covered() -> None:
    studio = Room(BOARD, Setting("lamp", 43))
    set_up = {"e1": "pinky", "e9": "blinky"}
    studio.table.set_up(set_up)
    for place in range(4):
        frame = studio.shoot()
        lit = pictures.glare(frame.picture, 2, place * pictures.GLARE_SECONDS, seed=43)
        sight = look(Frame(frame.time, lit))
        assert not sight.covered
        assert to_position(told(sight)) == set_up


def test_a_strong_lamp_mirrored_during_the_first_lessons_is_forgotten_when_it_is_gone() -> None:
    studio = Room(BOARD, Setting("lamp", 44))
    set_up = {"e1": "pacman", "e9": "blinky"}
    studio.table.set_up(set_up)
    eyes = Eyes(BOARD)
    for place in (55, 55, 55, 56, 57):
        frame = studio.shoot()
        lit = pictures.glare(frame.picture, 3, place * pictures.GLARE_SECONDS, seed=44)
        sight = eyes.look(Frame(frame.time, lit))
        assert not sight.covered
        assert to_position(told(sight)) == set_up
        eyes.learn(set_up)
    sight = eyes.look(studio.shoot())
    assert not sight.covered
    assert to_position(told(sight)) == set_up


def test_tiles_far_brighter_than_the_others_say_nothing_of_the_bare_board() -> None:
    tile = np.full((3, TILE, TILE), 0.02, np.float32)
    tile[:, :3] = tile[:, :, :3] = 0.01  # grooves
    seen = np.tile(tile, (1, 9, 9))
    alone = bare_tiles(seen)
    lamp = seen.copy()
    lamp[:, 5 * TILE : 7 * TILE, 2 * TILE : 5 * TILE] += 0.4
    assert np.abs(bare_tiles(lamp) / alone - 1).max() < 0.05
