"""Changes on the board: in which order hands can make them."""

from hypothesis import given
from hypothesis import strategies as st

from companion.board import Change
from companion.referee.changes import apply, compare, has_room, in_order

SQUARES = ("a1", "b2", "c3", "d4", "e5")
THINGS = ("pacman", "blinky", "pinky", "inky")

positions = st.permutations(SQUARES).flatmap(
    lambda squares: st.lists(st.sampled_from(THINGS), unique=True).map(
        lambda things: dict(zip(squares, things, strict=False))
    )
)


def test_what_stands_in_the_way_goes_first() -> None:
    one, other = Change("blinky", "e5", "e9"), Change("pacman", "d4", "e5")
    assert in_order((other, one), {"e5": "blinky", "d4": "pacman"}) == (one, other)


def test_of_two_that_change_places_one_steps_aside() -> None:
    swapped = (Change("blinky", "e9", "e5"), Change("pacman", "e5", "e9"))
    assert in_order(swapped, {"e9": "blinky", "e5": "pacman"}) == (
        Change("blinky", "e9", None),
        Change("pacman", "e5", "e9"),
        Change("blinky", None, "e5"),
    )


def test_a_piece_that_is_only_pushed_straight_is_in_nobodys_way() -> None:
    pushed = (Change("pacman", "e5", "e5"),)
    assert in_order(pushed, {"e5": "pacman"}) == pushed


@given(positions, positions)
def test_each_change_of_a_repair_finds_its_place_free(before, after) -> None:
    here = dict(before)
    for change in compare(before, after):
        assert change.source is None or here.pop(change.source) == change.thing
        assert change.target is None or has_room(change.target, here)
        here = dict(apply(here, (Change(change.thing, None, change.target),)))
    assert here == after
