"""The eyes on pictures of the simulated table."""

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bench.photos import to_position
from companion.board import FENCE, patches
from companion.errors import PictureError
from companion.sensing.camera.frame import Array, Frame, Picture
from companion.sensing.vision.eyes import GLANCES, Eyes
from companion.sensing.vision.net import TURNS, Net
from companion.sensing.vision.pose import find_markers
from companion.sim.room import Room, Setting
from tests.sensing.studio import BOARD, look, random_position, told

GAME = {"e1": "pacman", "e9": "blinky", "c3h": FENCE, "f6v": FENCE, "d7": "inky"}


@pytest.fixture(scope="module")
def one_studio() -> Room:
    return Room(BOARD, Setting("daylight", 5))


@pytest.fixture
def studio(one_studio: Room) -> Room:
    one_studio.table.no_hand()
    one_studio.table.set_up(GAME)
    one_studio.pixels.fill((0, 0, 0))
    one_studio.pixels.show()
    return one_studio


@pytest.mark.parametrize(
    ("seed", "light"), [(11, "daylight"), (12, "lamp"), (13, "dim"), (14, "evening")]
)
def test_every_piece_and_fence_is_read_in_any_light(seed: int, light: str) -> None:
    rng = random.Random(seed)
    studio = Room(BOARD, Setting(light, seed))
    for fences in (3, 18):
        studio.table.set_up(random_position(rng, fences))
        truth = dict(studio.table.truth())
        assert to_position(told(look(studio.shoot()))) == truth


def test_after_a_lesson_new_positions_are_read_too() -> None:
    rng = random.Random(3)
    studio = Room(BOARD, Setting("lamp", 21))
    eyes = Eyes(BOARD)
    for fences in (0, 6, 14):
        studio.table.set_up(random_position(rng, fences))
        truth = dict(studio.table.truth())
        assert to_position(told(eyes.look(studio.shoot()))) == truth
        eyes.learn(truth)
        assert to_position(told(eyes.look(studio.shoot()))) == truth


def test_evidence_keeps_within_its_limits(studio: Room) -> None:
    sight = look(studio.shoot())
    for place, things in sight.evidence.items():
        limit = 4.0 if len(place) == 3 else 8.0
        assert all(abs(value) <= limit for value in things.values())
    assert set(sight.evidence["a1"]) == {*BOARD.pieces, "pellet"}
    assert set(sight.evidence) == {*BOARD.squares, *BOARD.patches}


def test_all_three_patches_of_a_seated_fence_speak_for_it(studio: Room) -> None:
    sight = look(studio.shoot())
    for slot in ("c3h", "f6v"):
        assert all(sight.evidence[patch][FENCE] > 2 for patch in patches(slot))
    assert all(sight.evidence[patch][FENCE] < -2 for patch in patches("e4h"))


@pytest.mark.parametrize("slot", ["c7h", "b3v", "g2h", "f8v"])
def test_a_new_fence_with_one_end_up_has_a_patch_that_disagrees(studio: Room, slot: str) -> None:
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    studio.table.set_up({**GAME, slot: FENCE})
    assert slot in told(eyes.look(studio.shoot())).walls
    studio.table.half_seat(studio.table.fence_at(slot) or "")
    sight = eyes.look(studio.shoot())
    assert min(sight.evidence.get(patch, {}).get(FENCE, 0) for patch in patches(slot)) <= 0.5
    assert slot not in told(sight).walls
    assert slot in sight.half_in or sight.covered
    eyes.learn({**GAME, slot: FENCE})  # people say that it may stay like that
    assert not eyes.look(studio.shoot()).half_in


def test_a_fence_lying_across_the_tiles_is_not_taken_for_seated(studio: Room) -> None:
    id = studio.table.fence_at("c3h")
    assert id is not None
    studio.table.nudge(id, 0, 6)
    assert "c3h" not in told(look(studio.shoot())).walls


def test_a_hand_covers_what_lies_under_it_and_nothing_is_made_up(studio: Room) -> None:
    studio.table.hand(0, 0)
    sight = look(studio.shoot())
    assert {"e4", "e5"} & sight.covered
    assert not sight.covered & set(sight.evidence)
    claims = to_position(told(sight))
    assert claims.items() <= GAME.items()


@pytest.mark.parametrize(
    ("place", "square"), [((-75, -90, 90), "c1"), ((-60, -50, 75), "d1"), ((-105, -50, 90), "c1")]
)
def test_a_finger_tip_in_the_colour_of_a_piece_that_stands_elsewhere_covers(
    studio: Room, place: tuple[float, float, float], square: str
) -> None:
    studio.table.set_up(GAME | {"g7": "clyde", "c4": "pinky"})
    studio.table.hand(*place)
    assert square in look(studio.shoot()).covered


@pytest.mark.parametrize(("slot", "side"), [("e7v", "east"), ("b2h", "south"), ("g5h", "west")])
def test_a_fence_still_held_is_not_seated(studio: Room, slot: str, side: str) -> None:
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    id = studio.table.spare_fence()
    assert id is not None
    studio.table.lift(id, side)
    studio.table.carry(id, *BOARD.at(slot), angle=0 if slot[2] == "h" else 90)
    sight = eyes.look(studio.shoot())
    assert sight.covered
    assert sum(sight.evidence.get(patch, {}).get(FENCE, 0) for patch in patches(slot)) < 4


def test_a_learned_board_shows_hands_as_well(studio: Room) -> None:
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    assert not eyes.look(studio.shoot()).covered
    studio.table.hand(20, 30, 180)
    assert eyes.look(studio.shoot()).covered
    studio.table.no_hand()
    sight = eyes.look(studio.shoot())
    assert not sight.covered
    assert to_position(told(sight)) == GAME


def test_a_pawn_near_the_border_of_its_cell_counts_there(studio: Room) -> None:
    studio.table.nudge("inky", 4, -4)
    assert told(look(studio.shoot())).pieces["inky"] == "d7"


def test_a_pawn_between_two_cells_is_claimed_for_neither(studio: Room) -> None:
    x, y = BOARD.at("g4")
    studio.table.put("inky", x + BOARD.pitch_mm / 2, y)
    sight = look(studio.shoot())
    assert "inky" not in told(sight).pieces
    assert all(sight.evidence.get(square, {}).get("inky", 0) < 3 for square in ("g4", "h4"))


def test_lit_lights_change_nothing(studio: Room) -> None:
    studio.pixels.fill((255, 60, 0))
    studio.pixels.show()
    assert to_position(told(look(studio.shoot()))) == GAME


def test_a_picture_with_nothing_new_is_not_judged_again(studio: Room) -> None:
    eyes = Eyes(BOARD)
    first = eyes.look(studio.shoot())
    again = eyes.look(studio.shoot())
    assert again.evidence is first.evidence
    assert again.time > first.time
    assert not again.moving


class Asked(Net):
    """A net that keeps in which turns it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[int] = []

    def answer(self, laid: Picture, lean: Array, turn: int = 0) -> Array:
        self.turns.append(turn)
        return super().answer(laid, lean, turn)


def test_a_board_at_rest_is_shown_to_the_net_in_all_quarter_turns(studio: Room) -> None:
    net = Asked()
    eyes = Eyes(BOARD, net=net)
    eyes.look(studio.shoot())
    assert net.turns == GLANCES
    net.turns.clear()
    studio.table.set_up({**GAME, "b7h": FENCE})
    sights = [eyes.look(studio.shoot(later=0.07)) for _ in range(8)]
    assert net.turns == GLANCES  # one with each picture, so that none takes long
    assert [to_position(told(sight)) for sight in sights[2:]] == 6 * [{**GAME, "b7h": FENCE}]
    assert sights[-1].evidence is sights[-2].evidence


@pytest.mark.parametrize("turn", range(len(TURNS)))
def test_the_same_is_read_in_whatever_turn_the_net_is_shown_the_field(
    studio: Room, turn: int
) -> None:
    class Turned(Net):
        def answer(self, laid: Picture, lean: Array, _: int = 0) -> Array:
            return super().answer(laid, lean, turn)

    studio.table.nudge("inky", 6, -5)
    sight = Eyes(BOARD, net=Turned()).look(studio.shoot())
    assert to_position(told(sight)) == GAME
    inky = next(each for each in sight.sightings if each.thing == "inky")
    x, y = BOARD.at("d7")
    assert (inky.x_mm, inky.y_mm) == pytest.approx((x + 6, y - 5), abs=4)


def test_motion_shows_between_frames_that_follow_each_other(studio: Room) -> None:
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    studio.table.hand(0, -60)
    assert eyes.look(studio.shoot(later=0.07)).moving
    assert not eyes.look(studio.shoot(later=0.07)).moving


def test_a_light_switched_off_does_not_put_things_on_the_board(studio: Room) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    eyes.look(frame)
    eyes.learn(GAME)
    darker = cv2.convertScaleAbs(frame.picture, alpha=0.6)
    warmer = np.clip(darker * np.array([0.8, 0.95, 1.1]), 0, 255).astype(np.uint8)
    assert to_position(told(eyes.look(Frame(frame.time + 2, warmer)))) == GAME


def test_a_nudged_camera_is_followed() -> None:
    studio = Room(BOARD, Setting("daylight", 8))
    studio.table.set_up(GAME)
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    before = eyes.look(studio.shoot()).pose
    studio.camera.move(yaw=studio.camera.pose.yaw + 1.5, aim=(3.0, -2.0))
    sight = eyes.look(studio.shoot())
    assert sight.pose != before
    assert to_position(told(sight)) == GAME


def test_three_markers_are_enough_and_none_is_said_in_a_sentence(studio: Room) -> None:
    frame = studio.shoot()
    picture = frame.picture.copy()
    corners = find_markers(BOARD, picture)
    assert len(corners) == 4
    _paint_over(picture, corners[1])
    assert to_position(told(look(replace(frame, picture=picture)))) == GAME
    for number in (0, 2, 3):
        _paint_over(picture, corners[number])
    sight = look(replace(frame, picture=picture))
    assert not sight.found
    assert sight.text == "no board in view: expected 4 markers on its frame, saw none"
    assert not sight.evidence


def test_a_covered_marker_does_not_lose_a_board_in_view(studio: Room) -> None:
    eyes = Eyes(BOARD)
    frame = studio.shoot()
    pose = eyes.look(frame).pose
    picture = frame.picture.copy()
    for number, quad in find_markers(BOARD, picture).items():
        if number != 2:
            _paint_over(picture, quad)
    sight = eyes.look(Frame(frame.time + 1, picture))
    assert sight.found
    assert sight.pose == pose


def test_a_grey_picture_is_refused() -> None:
    with pytest.raises(PictureError, match="expected a colour picture"):
        Eyes(BOARD).look(Frame(0.0, np.zeros((50, 50), np.uint8)))


def _paint_over(picture: np.ndarray, quad: np.ndarray) -> None:  # type: ignore[type-arg]
    x, y, width, height = cv2.boundingRect(quad.astype(np.float32))
    picture[y - 4 : y + height + 4, x - 4 : x + width + 4] = (90, 110, 130)


@pytest.mark.parametrize("angle", range(0, 360, 45))
def test_a_pawn_far_off_the_middle_of_its_square_is_not_taken_for_a_hand(
    studio: Room, angle: int
) -> None:
    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    aside = 6.3 * np.exp(1j * np.radians(angle))
    studio.table.nudge("pacman", aside.real, abs(aside.imag))
    studio.table.nudge("inky", aside.real, aside.imag)
    sight = eyes.look(studio.shoot())
    assert not sight.covered
    assert to_position(told(sight)).items() <= GAME.items()


STEPS = {
    "twice the light": (2.0, (1.0, 1.0, 1.0)),
    "half the light": (0.5, (1.0, 1.0, 1.0)),
    "a warm lamp switched on": (1.6, (0.7, 0.95, 1.15)),
    "daylight alone left": (0.6, (1.2, 1.0, 0.8)),
}


@pytest.mark.parametrize("step", STEPS)
def test_after_a_step_of_the_light_moves_are_read_and_learning_goes_on(
    studio: Room, step: str
) -> None:
    factor, (blue, green, red) = STEPS[step]
    gain = (factor * np.array([blue, green, red])) ** (1 / 2.2)

    def shot() -> Frame:
        frame = studio.shoot()
        return replace(frame, picture=np.clip(frame.picture * gain, 0, 255).astype(np.uint8))

    eyes = Eyes(BOARD)
    eyes.look(studio.shoot())
    eyes.learn(GAME)
    position = dict(GAME)
    for gone, come in (("e1", "e2"), ("d7", "d6"), ("e2", "e3")):
        position[come] = position.pop(gone)
        studio.table.set_up(position)
        sight = eyes.look(shot())
        assert not sight.covered
        assert to_position(told(sight)) == position
        eyes.learn(position)
