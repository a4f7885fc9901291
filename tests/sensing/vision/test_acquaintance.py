"""What agreed positions teach of how a board looks, and what has changed since."""

import numpy as np
import pytest

from companion.board import Place, patches
from companion.sensing.camera.frame import Array
from companion.sensing.vision.acquaintance import (
    CALM,
    CLEAR,
    MOST_TO,
    Acquaintance,
    Baseline,
    Habits,
)
from companion.sensing.vision.net import paint_of
from tests.sensing.studio import BOARD

NUMBER = {place: n for n, place in enumerate((*BOARD.patches, *BOARD.squares))}
COUNT = len(BOARD.patches)
NOISE = np.random.default_rng(1).normal(0.0, 0.8, len(NUMBER))
BARE = -9.0 + NOISE
FAINT = dict.fromkeys(patches("d5h"), 4.5)  # by which a fence of the grooves' colour changes them


def agreed() -> Baseline:
    baseline = Baseline(BOARD)
    baseline.meet(BARE[:COUNT], BARE[COUNT:], np.ones(COUNT, bool))
    return baseline


def came(
    baseline: Baseline, changed: dict[Place, float], hidden: tuple[Place, ...] = ()
) -> list[str]:
    said: Array = BARE.copy()
    clear = np.ones(len(NUMBER), bool)
    for place, by in changed.items():
        said[NUMBER[place]] += by
    for place in hidden:
        clear[NUMBER[place]] = False
    return list(baseline.came(said[:COUNT], said[COUNT:], clear))


def test_a_fence_that_never_looks_like_one_shows_by_what_has_changed() -> None:
    assert came(agreed(), {}) == []
    assert came(agreed(), FAINT) == ["d5h"]


def test_without_an_agreed_position_nothing_has_changed() -> None:
    assert came(Baseline(BOARD), FAINT) == []


def test_another_light_is_no_fence() -> None:
    assert came(agreed(), dict.fromkeys(NUMBER, 5.0)) == []


def test_two_patches_are_no_fence() -> None:
    near, middle, _ = patches("d5h")
    assert came(agreed(), {near: 6.0, middle: 6.0}) == []


def test_the_shadow_of_a_pawn_or_of_a_fence_that_came_beside_is_no_fence() -> None:
    assert came(agreed(), {**FAINT, "d6": 18.0}) == []
    assert came(agreed(), {**FAINT, **dict.fromkeys(patches("f5h"), 16.0)}) == ["f5h"]
    assert came(agreed(), {**FAINT, "h2": 18.0}) == ["d5h"]


def test_a_fence_that_stood_there_before_does_not_come() -> None:
    baseline = Baseline(BOARD)
    bare = np.ones(COUNT, bool)
    bare[[NUMBER[patch] for patch in patches("d5h")]] = False
    baseline.meet(BARE[:COUNT], BARE[COUNT:], bare)
    assert came(baseline, FAINT) == []


def test_a_hand_nearby_lets_nothing_come_and_nothing_be_forgotten() -> None:
    baseline = agreed()
    assert came(baseline, FAINT, hidden=("d6", "e6")) == []
    assert came(baseline, FAINT) == ["d5h"]
    assert came(baseline, {}, hidden=patches("d5h")) == ["d5h"]
    assert came(baseline, {**FAINT, "d6": 18.0}) == ["d5h"]  # a pawn went there meanwhile
    assert came(baseline, {}) == []


def test_what_has_come_is_nothing_new_once_it_is_agreed() -> None:
    baseline = agreed()
    assert came(baseline, FAINT) == ["d5h"]
    said = BARE.copy()
    said[[NUMBER[patch] for patch in FAINT]] += 4.5
    baseline.meet(said[:COUNT], said[COUNT:], np.ones(COUNT, bool))
    assert list(baseline.came(said[:COUNT], said[COUNT:], np.ones(len(NUMBER), bool))) == []


def test_a_place_that_was_bare_for_long_is_learned_anew_when_something_is_there() -> None:
    habits, clear = Habits(1, MOST_TO), np.ones(1, bool)
    for _ in range(20):
        habits.meet(np.array([-9.0]), np.zeros(1, bool), clear)
    habits.meet(np.array([-1.0]), np.ones(1, bool), clear)
    assert habits.bias[0] == CALM + 1.0


def test_a_faint_pawn_is_lifted_to_what_a_move_needs() -> None:
    known = Acquaintance(BOARD)
    known.meet({"inky": (np.zeros(3), CLEAR - 2.5), "clyde": (np.zeros(3), CLEAR + 1.0)})
    faint = dict(zip(known.names, known.faint, strict=True))
    assert (faint["inky"], faint["clyde"], faint["pinky"]) == (2.5, 0.0, 0.0)


def paints(*names: str, off: tuple[float, float, float] = (0, 0, 0)) -> Array:
    """Return how these pawns look when the light puts all of them off alike."""
    own = [paint_of(part / 255 for part in BOARD.pieces[name].colour) for name in names]
    return np.array(own) + off


PAWNS = ("pacman", "blinky", "pinky", "inky", "clyde")


def named(known: Acquaintance, shown: Array) -> list[str]:
    return [known.names[n] for n in known.name(shown).argmax(axis=1)]


@pytest.mark.parametrize("off", [(-0.4, 0.45, 0.3), (-0.3, -0.3, -0.4), (0.2, 0.4, -0.3)])
def test_pawns_that_all_look_off_alike_stand_in_coloured_light(
    off: tuple[float, float, float],
) -> None:
    known, shown = Acquaintance(BOARD), paints(*PAWNS, off=off)
    known.settle(shown, np.ones(len(shown)))
    assert named(known, shown) == list(PAWNS)
    told = known.name(shown)
    assert (np.diagonal(told) > Acquaintance(BOARD).name(shown).diagonal()).sum() >= 4


def test_what_is_no_pawn_says_nothing_of_the_light() -> None:
    known, empty = Acquaintance(BOARD), np.full((81, 3), 0.7)
    before = known.name(paints(*PAWNS))
    known.settle(empty, np.full(81, 1e-4))
    np.testing.assert_allclose(known.name(paints(*PAWNS)), before, atol=0.1)


def test_pawns_that_were_met_are_known_by_their_own_paint() -> None:
    known, shown = Acquaintance(BOARD), paints(*PAWNS)
    known.meet({name: (paint, 9.0) for name, paint in zip(PAWNS, shown, strict=True)})
    before = known.name(shown)
    known.settle(shown + 0.3, np.ones(5))
    np.testing.assert_array_equal(known.name(shown), before)
