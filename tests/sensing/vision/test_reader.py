"""From the net's answers to evidence: what maps say at places becomes what they weigh."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import FENCE, PELLET, Position, patches
from companion.referee.changes import DOUBT
from companion.referee.changes import MARGIN as MARGIN_OF_A_MOVE
from companion.sensing.camera.frame import Array
from companion.sensing.vision.acquaintance import CALM, MOST_FROM, MOST_TO, Acquaintance, Habits
from companion.sensing.vision.net import CROSSING, GROOVE, HEADS, SQUARE, STRIDE, paint_of
from companion.sensing.vision.reader import SQUARE_LIMIT, Findings, Look, Reader
from companion.sensing.vision.sheet import MARGIN, PX
from tests.sensing.studio import BOARD

SIZE = round((9 + 2 * MARGIN) * PX)
STEPS = SIZE // STRIDE
SURE = 9.0


class Told:
    """A net that answers what it is told."""

    def __init__(self) -> None:
        self.maps = np.zeros((sum(HEADS.values()), STEPS, STEPS), np.float32)
        for name, kinds in (("square", SQUARE), ("across", GROOVE), ("along", GROOVE)):
            self._of(name)[0] = SURE
            assert kinds[0] in ("empty", "free")
        self._of("crossing")[0] = SURE

    def _of(self, name: str) -> Array:
        first = 0
        for each, count in HEADS.items():
            if each == name:
                return self.maps[first : first + count]
            first += count
        raise KeyError(name)

    def _step(self, place: str) -> tuple[float, float]:
        """Return column and row of a place in the maps."""
        x, y = (part * PX / BOARD.pitch_mm for part in BOARD.at(place))
        return ((SIZE - STRIDE) / 2 + x) / STRIDE, ((SIZE - STRIDE) / 2 - y) / STRIDE

    def say(self, name: str, place: str, kind: int, *, reach: int = 1) -> None:
        """Let a head say this around a place."""
        column, row = self._step(place)
        rows = np.arange(round(row) - reach, round(row) + reach + 1)[:, None]
        columns = np.arange(round(column) - reach, round(column) + reach + 1)[None]
        maps = self._of(name)
        maps[:, rows, columns] = 0
        maps[kind, rows, columns] = SURE
        self._of("off")[:, rows, columns] = np.stack(
            np.broadcast_arrays(column - columns, row - rows)
        ) * (STRIDE / PX)

    def doubt(self, name: str, place: str, kind: int, *, by: float) -> None:
        """Let a head hold something else almost as likely at a place."""
        column, row = map(round, self._step(place))
        maps = self._of(name)[:, row - 1 : row + 2, column - 1 : column + 2]
        maps[kind] = maps.max(axis=0) - by

    def paint(self, place: str, colour: tuple[int, int, int]) -> None:
        """Let the net see a paint at a place."""
        column, row = map(round, self._step(place))
        for number, value in enumerate(paint_of(part / 255 for part in colour)):
            self._of("paint")[number, row - 1 : row + 2, column - 1 : column + 2] = value


def read(net: Told, lesson: Position | None = None) -> Findings:
    reader = Reader(BOARD)
    look = reader.look(net.maps)
    if lesson is not None:
        reader.meet(lesson, look)
    return reader.tell(look)


def test_a_bare_board_denies_everything() -> None:
    found = read(Told())
    assert not found.covered
    assert not found.sightings
    for place, things in found.evidence.items():
        assert all(value < -3 for value in things.values()), place


def test_a_pawn_is_named_by_its_paint() -> None:
    net = Told()
    net.say("square", "d4", SQUARE.index("pawn"))
    net.paint("d4", BOARD.pieces["inky"].colour)
    found = read(net)
    things = found.evidence["d4"]
    assert max(things, key=things.__getitem__) == "inky"
    assert things["inky"] > 6
    assert [(s.thing, s.spot) for s in found.sightings] == [("inky", "d4")]


def test_however_sure_it_is_that_something_is_there_a_pellet_stays_apart_from_a_pawn() -> None:
    net = Told()
    for place, likely, less in (("c3", "ball", "pawn"), ("g7", "pawn", "ball")):
        net.say("square", place, SQUARE.index(likely))
        net.paint(place, BOARD.pieces["clyde"].colour)
        column, row = map(round, net._step(place))
        around = np.s_[row - 1 : row + 2, column - 1 : column + 2]
        net._of("square")[(SQUARE.index(likely), *around)] = 20.0
        net._of("square")[(SQUARE.index(less), *around)] = 16.0
    evidence = read(net).evidence
    assert evidence["c3"][PELLET] == SQUARE_LIMIT
    assert evidence["c3"]["clyde"] < SQUARE_LIMIT - 3.9
    assert evidence["g7"]["clyde"] > SQUARE_LIMIT - 0.5
    assert evidence["g7"][PELLET] == pytest.approx(SQUARE_LIMIT - 4.0, abs=0.1)


def test_a_pawn_of_no_known_paint_gets_its_name_by_a_lesson() -> None:
    net = Told()
    net.say("square", "d4", SQUARE.index("pawn"))
    net.paint("d4", (120, 70, 200))
    cold = read(net).evidence["d4"]
    assert max(cold.values()) < 6
    assert read(net, {"d4": "clyde"}).evidence["d4"]["clyde"] > 6


def test_all_three_patches_of_a_fence_speak_for_it() -> None:
    net = Told()
    near, middle, far = patches("c3h")
    for patch in (near, far):
        net.say("across", patch, GROOVE.index("fence"), reach=2)
    net.say("crossing", middle, CROSSING.index("across"), reach=2)
    evidence = read(net).evidence
    assert all(evidence[patch][FENCE] > 3.9 for patch in (near, middle, far))


def test_a_fence_that_is_not_all_the_way_in_is_neither_there_nor_gone() -> None:
    net = Told()
    net.say("across", "c3n", GROOVE.index("loose"))
    assert -2 < read(net).evidence["c3n"][FENCE] < 0


def test_what_is_covered_says_nothing() -> None:
    net = Told()
    net.say("square", "e5", SQUARE.index("covered"))
    net.say("along", "e5e", GROOVE.index("covered"))
    found = read(net)
    assert {"e5", "e5e"} <= found.covered
    assert not found.covered & found.evidence.keys()


def test_a_print_that_is_taken_for_a_pellet_is_known_after_a_lesson() -> None:
    net = Told()
    net.say("square", "b2", SQUARE.index("ball"))
    assert read(net).evidence["b2"][PELLET] > 3
    assert read(net, {}).evidence["b2"][PELLET] < 3.01


def test_a_fence_that_lies_on_the_tiles_is_sighted_with_its_line() -> None:
    net = Told()
    for square in ("d5", "e5"):
        net.say("square", square, SQUARE.index("flat"), reach=1)
    (fence,) = read(net).sightings
    assert fence.thing == FENCE
    assert abs(fence.x_mm + BOARD.pitch_mm / 2) < 6
    assert min(fence.angle, 180 - fence.angle) < 5


def test_something_flat_between_squares_alone_is_no_fence() -> None:
    net = Told()
    for patch in ("d5e", "d5x", "d6e", "d6n"):
        net.say("square", patch, SQUARE.index("flat"), reach=0)
    assert read(net).sightings == ()


def test_a_groove_that_has_changed_since_the_lesson_is_worth_a_question_and_no_move() -> None:
    reader, net = Reader(BOARD), Told()
    reader.meet({}, reader.look(net.maps))
    near, middle, far = patches("c3h")
    for name, patch in (("across", near), ("crossing", middle), ("across", far)):
        net.doubt(name, patch, 1, by=4.0)
    look = reader.look(net.maps)
    assert max(read(net).evidence[patch][FENCE] for patch in (near, middle, far)) < -3
    said = [reader.tell(look).evidence[patch][FENCE] for patch in (near, middle, far)]
    assert DOUBT < sum(said) < MARGIN_OF_A_MOVE
    reader.meet({"c3h": FENCE}, look)  # somebody said that it is one: so it looks
    assert min(reader.tell(look).evidence[patch][FENCE] for patch in (near, middle, far)) > 1


@given(
    said=st.lists(st.floats(-20, 20), min_size=4, max_size=4),
    there=st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_a_lesson_never_turns_what_a_place_says_further_than_it_may(
    said: list[float], there: list[bool]
) -> None:
    habits = Habits(4)
    values = np.array(said)
    for _ in range(3):
        habits.meet(values, np.array(there), np.ones(4, bool))
    assert (habits.bias <= MOST_FROM).all()
    assert (habits.bias >= -MOST_TO).all()
    for value, present, bias in zip(said, there, habits.bias, strict=True):
        if present:
            assert value + bias >= min(CALM, value + MOST_FROM) - 1e-9
        else:
            assert value + bias <= max(-CALM, value - MOST_TO) + 1e-9


def test_places_that_were_hidden_in_a_lesson_teach_nothing() -> None:
    habits = Habits(2)
    habits.meet(np.array([5.0, 5.0]), np.zeros(2, bool), np.array([True, False]))
    assert habits.bias.tolist() == [-MOST_TO, 0.0]


def test_a_pawn_that_is_hardly_taken_for_one_is_known_for_that_wherever_it_goes() -> None:
    reader = Reader(BOARD)
    colour = BOARD.pieces["pacman"].colour
    looks = {}
    for square in ("c3", "g6"):
        net = Told()
        net.say("square", square, SQUARE.index("pawn"))
        net.doubt("square", square, SQUARE.index("ball"), by=1.0)
        net.paint(square, colour)
        looks[square] = reader.look(net.maps)
    before = reader.tell(looks["g6"]).evidence["g6"]
    reader.meet({"c3": "pacman"}, looks["c3"])
    after = reader.tell(looks["g6"]).evidence["g6"]
    assert before["pacman"] - before[PELLET] < 2
    assert after["pacman"] - after[PELLET] > 3
    assert after["blinky"] < 0


def test_looks_are_in_the_order_of_the_boards_places() -> None:
    net = Told()
    net.say("along", "g7e", GROOVE.index("fence"))
    look = Reader(BOARD).look(net.maps)
    assert isinstance(look, Look)
    assert BOARD.patches[int(look.fences.argmax())] == "g7e"
    assert look.fences[BOARD.patches.index("g7e")] == pytest.approx(SURE, abs=1.5)


def test_paint_that_has_faded_keeps_its_name() -> None:
    known = Acquaintance(BOARD)
    yellow, orange = (
        paint_of(p / 255 for p in BOARD.pieces[n].colour) for n in ("pacman", "clyde")
    )
    faded = yellow * np.array([0.55, 0.5, 0.5])
    assert np.linalg.norm(faded - orange) < np.linalg.norm(faded - yellow) + 0.1
    named = dict(zip(known.names, known.name(faded[None])[0], strict=True))
    assert max(named, key=named.__getitem__) == "pacman"
    assert named["pacman"] > named["clyde"] + 1
    known.meet({"pacman": (yellow, 8.0)})  # once met, its paint is what was seen
    named = dict(zip(known.names, known.name(faded[None])[0], strict=True))
    assert named["pacman"] < -4
