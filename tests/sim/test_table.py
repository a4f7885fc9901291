"""What happens to pawns and fences on the simulated table."""

import json
import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import FENCE, Board, apart
from companion.boards import profile
from companion.sim.body import fences_touch
from companion.sim.picture.shapes import fence_corners
from companion.sim.table import NoSuchBody, SimTable

BOARD = profile.load("reference")


@st.composite
def positions(draw: st.DrawFn) -> dict[str, str]:
    """Any physically possible position: pawns on squares, fences that do not overlap."""
    pieces = draw(st.lists(st.sampled_from(sorted(BOARD.pieces)), unique=True))
    squares = draw(
        st.lists(
            st.sampled_from(BOARD.squares),
            min_size=len(pieces),
            max_size=len(pieces),
            unique=True,
        )
    )
    position = dict(zip(squares, pieces, strict=True))
    slots = draw(st.lists(st.sampled_from(BOARD.slots), max_size=BOARD.fence.count))
    return position | dict.fromkeys(apart(slots), FENCE)


@given(positions(), st.integers(0, 2**16))
def test_what_is_set_up_is_what_stands_there(position: dict[str, str], seed: int) -> None:
    table = SimTable(BOARD, random.Random(seed))
    table.set_up(position)
    assert table.truth() == position
    for body in table.scene().bodies:
        if body.state == "board" and body.kind == "pawn":
            spot = next(spot for spot, thing in position.items() if thing == body.thing)
            x, y = BOARD.at(spot)
            assert max(abs(body.x - x), abs(body.y - y)) < 3.0


@given(positions(), st.integers(0, 2**16))
def test_seated_fences_never_run_into_each_other(position: dict[str, str], seed: int) -> None:
    table = SimTable(BOARD, random.Random(seed))
    table.set_up(position)
    seated = [b for b in table.scene().bodies if b.kind == "fence" and b.state == "board"]
    for number, one in enumerate(seated):
        for other in seated[number + 1 :]:
            assert not fences_touch(one, other, BOARD.fence)


def test_every_piece_and_fence_starts_in_the_supply(table: SimTable, board: Board) -> None:
    bodies = table.scene().bodies
    assert {body.state for body in bodies} == {"supply"}
    assert sum(body.kind == "fence" for body in bodies) == board.fence.count
    assert {body.thing for body in bodies if body.kind == "pawn"} == set(board.pieces)
    outside = board.frame_mm / 2
    assert all(max(abs(body.x), abs(body.y)) > outside for body in bodies)
    assert table.truth() == {}


def test_a_lifted_pawn_is_on_no_square_and_has_a_hand_over_it(table: SimTable) -> None:
    table.set_up({"e1": "pacman"})
    table.lift("pacman")
    assert table.truth() == {}
    assert table.body("pacman").state == "held"
    table.carry("pacman", 10, 20)
    (hand,) = table.scene().hands
    assert (hand.x, hand.y) == (10, 20)
    table.put("pacman", *table.board.at("e2"))
    assert table.scene().hands == ()
    assert table.truth() == {"e2": "pacman"}


def test_the_arm_comes_from_the_side_that_lifts(table: SimTable) -> None:
    table.set_up({"e9": "blinky"})
    table.lift("blinky", side="north")
    table.carry("blinky", 0, 0)
    assert table.scene().hands[0].angle == -90


def test_a_pawn_stands_where_it_is_put_and_does_not_snap(table: SimTable) -> None:
    for _ in range(50):
        table.put("inky", 8.0, -6.0)
        body = table.body("inky")
        assert abs(body.x - 8.0) <= 2.2
        assert abs(body.y + 6.0) <= 2.2


def test_a_pawn_between_two_squares_is_on_neither(table: SimTable, board: Board) -> None:
    x, y = board.at("e5")
    table.put("inky", x + board.pitch_mm / 2, y)
    assert table.truth() == {}
    assert table.body("inky").state == "board"


def test_a_pawn_put_onto_another_ends_up_beside_it(table: SimTable, board: Board) -> None:
    table.set_up({"e5": "pacman"})
    table.put("blinky", *board.at("e5"))
    one, other = table.body("pacman"), table.body("blinky")
    away = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
    assert away > 17.9


def test_a_fence_near_a_slot_drops_into_the_groove(table: SimTable, board: Board) -> None:
    x, y = board.at("e3h")
    for number in range(1, 11):
        table.set_up({})
        table.put(f"fence{number}", x + 4, y - 3, 8.0)
        body = table.body(f"fence{number}")
        assert body.state == "board"
        assert abs(body.x - x) <= 2.0
        assert abs(body.y - y) <= 0.5
        assert abs(body.angle) <= 0.6
        assert table.truth() == {"e3h": FENCE}


@pytest.mark.parametrize("slot", ["d3h", "f3h", "e3v"])
def test_a_fence_across_another_lies_skewed_on_top(
    table: SimTable, board: Board, slot: str
) -> None:
    table.set_up({"e3h": FENCE})
    table.put("fence9", *board.at(slot), 0.0 if slot[2] == "h" else 90.0)
    assert table.body("fence9").state == "skewed"
    assert table.body("fence9").tilt != 0
    assert table.truth() == {"e3h": FENCE}


def test_a_fence_put_between_slots_lies_flat_on_the_tiles(table: SimTable, board: Board) -> None:
    table.put("fence1", *board.at("e5"), 30.0)
    body = table.body("fence1")
    assert body.state == "skewed"
    assert body.lean == 90
    assert table.truth() == {}


def test_a_fence_turned_too_far_stays_on_top_of_its_slot(table: SimTable, board: Board) -> None:
    table.put("fence1", *board.at("e3h"), 30.0)
    assert table.body("fence1").state == "skewed"


def test_what_is_put_outside_the_field_goes_back_to_the_supply(
    table: SimTable, board: Board
) -> None:
    homes = table.scene().bodies
    table.set_up({"e3h": FENCE, "e1": "pacman"})
    table.put("fence1", 200, 0)
    table.put("pacman", 0, -160)
    assert table.scene().bodies == homes


def test_a_half_seated_fence_is_on_no_definite_slot(table: SimTable) -> None:
    table.set_up({"e3h": FENCE})
    id = table.fence_at("e3h")
    assert id is not None
    table.half_seat(id)
    assert table.body(id).state == "skewed"
    assert table.truth() == {}
    table.put(id, *table.board.at("e3h"), 0.0)
    assert table.truth() == {"e3h": FENCE}


def test_a_nudged_fence_leaves_its_groove_and_a_nudged_pawn_slides(table: SimTable) -> None:
    table.set_up({"e3h": FENCE, "a1": "pacman"})
    before = table.body("pacman")
    table.nudge("pacman", 4.0, 0.0)
    assert table.body("pacman").x == pytest.approx(before.x + 4.0)
    table.nudge("fence1", 0.0, 3.0)
    assert table.body("fence1").state == "skewed"


def test_a_pawn_gives_way_to_a_fence_that_drops_in(table: SimTable, board: Board) -> None:
    x, y = board.at("e3")
    table.set_up({"e3": "pacman"})
    pawn = table.body("pacman")
    table.nudge("pacman", x - pawn.x, y + 6 - pawn.y)
    table.put("fence1", *board.at("e3h"), 0.0)
    assert table.body("pacman").y < y + 3.5


def test_every_change_has_a_new_revision_and_the_view_is_plain_data(table: SimTable) -> None:
    seen = [table.revision]
    table.set_up({"e1": "pacman"})
    seen.append(table.revision)
    table.hand(0, 0)
    seen.append(table.revision)
    table.no_hand()
    seen.append(table.revision)
    table.no_hand()
    assert table.revision == seen[-1]
    assert sorted(set(seen)) == seen
    view = json.loads(json.dumps(table.view()))
    assert view["revision"] == table.revision
    assert {"id", "kind", "thing", "x", "y", "angle", "state"} <= view["bodies"][0].keys()


def test_unknown_things_are_named(table: SimTable) -> None:
    with pytest.raises(NoSuchBody, match="'fence99'"):
        table.lift("fence99")
    with pytest.raises(ValueError, match="got 'waka'"):
        table.set_up({"e1": "waka"})
    with pytest.raises(ValueError, match="'pacman' again on e2"):
        table.set_up({"e1": "pacman", "e2": "pacman"})
    assert table.truth() == {}
    with pytest.raises(ValueError, match="got 'e1h1'"):
        table.set_up({"e1h1": FENCE})


def test_several_threads_may_move_things_at_once(table: SimTable, board: Board) -> None:
    table.set_up({"a1": "pacman", "i9": "blinky"})
    start = table.revision

    def shuffle(piece: str, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(60):
            table.lift(piece)
            table.carry(piece, rng.uniform(-100, 100), rng.uniform(-100, 100))
            table.put(piece, *board.at(rng.choice(board.squares)))
            table.view()

    threads = [
        threading.Thread(target=shuffle, args=(piece, seed))
        for seed, piece in enumerate(("pacman", "blinky", "inky"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.revision == start + 3 * 60 * 3
    assert table.scene().hands == ()


def test_a_pawn_stays_just_where_it_is_placed() -> None:
    table = SimTable(BOARD, random.Random(1))
    table.set_up({"e1": "pacman", "e9": "blinky"})
    x, y = BOARD.at("e2")
    table.place("pacman", x + 11.0, y)
    body = table.body("pacman")
    assert (body.x, body.y, body.state) == (x + 11.0, y, "board")
    assert "pacman" not in table.truth().values()


def test_a_fence_falls_flat_on_the_tiles_at_any_angle() -> None:
    table = SimTable(BOARD, random.Random(1))
    table.lay("fence1", 20.0, 31.0, 37.0)
    body = table.body("fence1")
    assert (body.x, body.y, body.angle) == (20.0, 31.0, 37.0)
    assert (body.state, body.z, body.tilt, body.lean) == ("skewed", 0.0, 0.0, 90.0)


def test_a_fence_across_the_middle_of_another_lies_level_on_top_of_it() -> None:
    table = SimTable(BOARD, random.Random(1))
    table.set_up({"e4h": FENCE})
    x, y = BOARD.at("e4h")
    table.lay("fence9", x, y, 90.0)
    body = table.body("fence9")
    assert (body.z, body.tilt) == (BOARD.fence.height_mm, 0.0)


@pytest.mark.parametrize("north_mm", [12.0, -12.0])
def test_a_fence_with_one_end_over_another_has_the_other_end_on_the_tiles(north_mm: float) -> None:
    table = SimTable(BOARD, random.Random(1))
    table.set_up({"e4h": FENCE})
    x, y = BOARD.at("e4h")
    table.lay("fence9", x, y + north_mm, 90.0)
    body = table.body("fence9")
    corners = fence_corners(body, BOARD)
    assert corners[:, 2].min() == pytest.approx(0.0)
    southern = corners[corners[:, 1] < body.y, 2].mean()
    northern = corners[corners[:, 1] > body.y, 2].mean()
    assert (southern > northern) == (north_mm > 0)


def test_only_a_fence_can_be_laid_down() -> None:
    with pytest.raises(ValueError, match="expected a fence to lay down, got 'pacman'"):
        SimTable(BOARD, random.Random(1)).lay("pacman", 0.0, 0.0, 0.0)
