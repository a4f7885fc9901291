"""The truth beside a rendered picture says what the scorer asks, and what hides what."""

import json
import math

import numpy as np
import pytest

from bench.studio.plan import Plan, plan_picture
from bench.studio.truth import (
    HIDDEN_SQUARE,
    Hidden,
    Sight,
    clipped,
    find_hidden,
    truth_of,
    white_points,
)
from bench.truth import left_out, position_of, read_truth
from companion.boards import profile
from tests.doctext import ROOT

BOARD = profile.load("reference")
IN_GAMES_ONLY = {"settled", "ply", "move", "in_hand", "note"}
OF_THE_PICTURE = {"clipped_fraction"}  # known when it is developed

REFERENCE = {"size": "reference", "build": "framed", "markers": "corners", "rack": "none"}


@pytest.fixture(scope="module")
def plan() -> Plan:
    given = {**REFERENCE, "trouble": "none", "pawn set": "known", "pawns": "5", "fences": "many"}
    return plan_picture(BOARD, 1, 0, {**given, "pellets": "several", "pawn leans": "no"})


def nothing(points) -> float:
    """Hides nothing."""
    return 0.0


def west_of(line_mm: float) -> Sight:
    """Something that hides all that is west of a line."""
    return Sight(lambda points: sum(x < line_mm for x, _, _ in points) / len(points), nothing)


def test_the_truth_file_has_every_key_that_the_scorer_reads(tmp_path, plan):
    truth = truth_of(plan, Hidden())
    (tmp_path / "a.json").write_text(json.dumps(truth))
    read = read_truth(tmp_path / "a.jpg")
    position = position_of(read)
    assert {s for s, thing in position.items() if thing == "fence"} == set(truth["walls"])
    assert {s for s, thing in position.items() if thing == "pellet"} == set(truth["pellets"])
    assert {thing: s for s, thing in position.items() if thing in BOARD.pieces} == truth["pieces"]


def test_the_truth_file_has_every_key_that_the_page_describes(plan):
    page = (ROOT / "docs" / "vision.md").read_text(encoding="utf-8")
    table = page.split("| key | meaning |")[1].split("\n\n")[0]
    keys = {
        word.strip("`")
        for line in table.splitlines()[2:]
        for word in line.split("|")[1].split(", ")
        for word in [word.strip()]
    }
    told = {key for key in keys if "…" not in key} - IN_GAMES_ONLY
    assert len(told) > 15
    assert told - OF_THE_PICTURE <= set(truth_of(plan, Hidden()))


def test_nothing_is_hidden_where_nothing_is_in_the_way(plan):
    hidden = find_hidden(plan, Sight(nothing, nothing))
    assert hidden == Hidden()
    truth = truth_of(plan, hidden)
    assert truth["occluded_squares"] == truth["occluded_walls"] == []
    assert set(truth["marker_occlusion_fraction"].values()) == {0.0}


@pytest.mark.parametrize("level", [0, 255])
def test_of_what_is_all_white_or_all_black_nothing_is_asked(plan, level):
    picture = np.full((plan.lens.height, plan.lens.width, 3), 128, np.uint8)
    assert clipped(plan, picture) == {}
    x, y = BOARD.at("e5")
    reach = BOARD.cell_mm / 2
    corners = [(x - reach, y - reach, 0.0), (x + reach, y + reach, 0.0)]
    (left, one), (right, other) = np.round(plan.lens.project(corners)).astype(int)
    top, bottom = sorted((one, other))
    picture[top - 3 : bottom + 4, left - 3 : right + 4] = level
    shares = clipped(plan, picture)
    assert max(shares, key=shares.get) == "e5"
    assert "e5" in left_out(truth_of(plan, Hidden()) | {"clipped_fraction": shares})
    picture[top + 4 : bottom - 4, left + 4 : right - 4] = 128
    assert "e5" not in left_out(
        truth_of(plan, Hidden()) | {"clipped_fraction": clipped(plan, picture)}
    )


def test_all_that_lies_behind_something_is_hidden_and_nothing_else(plan):
    hidden = find_hidden(plan, west_of(0.0))
    truth = truth_of(plan, hidden)
    west = {square for square in BOARD.squares if square[0] in "abcd"}
    assert west <= set(truth["occluded_squares"]) <= west | {"e" + row for row in "123456789"}
    assert hidden.squares["a1"] == 1.0
    assert "f1" not in hidden.squares
    assert truth["marker_occlusion_fraction"] == {"0": 1.0, "1": 0.0, "2": 0.0, "3": 1.0}
    for stand in plan.setting.stands:
        if abs(stand.x_mm) > 10:
            assert hidden.pieces.get(stand.pawn.name, 0.0) == (1.0 if stand.x_mm < 0 else 0.0)
    assert hidden.slots["a1h"] == 1.0
    assert "f1h" not in hidden.slots
    for fence in plan.setting.fences:
        if abs(fence.x_mm) > 30:
            assert (fence.slot in truth["occluded_walls"]) == (fence.x_mm < 0)


def test_a_square_that_is_hardly_hidden_counts_as_seen(plan):
    truth = truth_of(plan, Hidden(squares={"a1": HIDDEN_SQUARE, "b1": HIDDEN_SQUARE - 0.01}))
    assert truth["occluded_squares"] == ["a1"]
    assert set(truth["occlusion_fraction"]) == {"a1", "b1"}


def test_the_points_of_a_square_are_on_it_and_those_of_a_fence_along_its_top(plan):
    asked: list[list[tuple[float, float, float]]] = []
    find_hidden(plan, Sight(lambda points: asked.append(list(points)) or 0.0, nothing))
    a1, tops = np.array(asked[0]), asked[len(BOARD.squares) + len(BOARD.slots) :]
    assert (np.abs(a1[:, :2] - BOARD.at("a1")) < BOARD.cell_mm / 2).all()
    assert (a1[:, 2] == 0).all()
    for fence, points in zip(plan.setting.fences, tops, strict=False):
        assert {z for _, _, z in points} == {fence.top_mm}
        assert math.dist(points[0], points[-1]) == pytest.approx(plan.board.fence.length_mm - 2)


def test_corners_and_markers_lie_where_the_camera_of_the_truth_shows_them(plan):
    truth = truth_of(plan, Hidden())
    half = BOARD.field_mm / 2
    seen = plan.lens.project([(-half, -half, 0.0), (half, half, 0.0)])
    assert truth["board_corners_px"][0] == pytest.approx(seen[0], abs=0.01)
    assert truth["board_corners_px"][2] == pytest.approx(seen[1], abs=0.01)
    assert truth["marker_centers_px"]["0"][0] < truth["marker_centers_px"]["1"][0]


def test_white_is_measured_on_the_margins_of_the_markers_and_not_on_their_ink(plan):
    points = white_points(plan)
    assert len(points) == 6 * len(BOARD.markers)
    for x, y, _ in points:
        off = [max(abs(x - m.x_mm), abs(y - m.y_mm)) for m in BOARD.markers]
        assert BOARD.marker_mm / 2 < min(off) < BOARD.marker_mm * 4 / 6


def test_what_is_behind_a_fence_is_told_apart_from_what_a_hand_hides(plan):
    stand = plan.setting.stands[0]
    around = stand.pawn.width_mm

    def near(points) -> float:
        return float(math.dist(points[0][:2], (stand.x_mm, stand.y_mm)) < around)

    hidden = find_hidden(plan, Sight(nothing, near, {}))
    assert hidden.pieces == {}
    assert hidden.pieces_behind == {stand.pawn.name: 1.0}
    itself = find_hidden(plan, Sight(nothing, nothing, {stand.pawn.name: near}))
    assert itself.pieces_behind == {}  # nobody hides himself
    (told,) = (t for t in truth_of(plan, hidden)["things"] if t.get("name") == stand.pawn.name)
    assert (told["hidden"], told["behind"]) == (0.0, 1.0)


@pytest.fixture(scope="module")
def truths() -> list[dict]:
    plans = (plan_picture(BOARD, 8, number) for number in range(300))
    return [truth_of(plan, Hidden()) for plan in plans]


def test_every_truth_can_be_written_and_read_again(truths):
    for truth in truths:
        assert json.loads(json.dumps(truth))["seed"] == truth["seed"]


def test_things_and_fences_say_all_that_the_shorter_lists_say(truths):
    for truth in truths:
        things, fences = truth["things"], truth["fences"]
        pawns = {t["name"]: t for t in things if t["kind"] in ("pawn", "lying")}
        assert set(pawns) == {*truth["pieces"], *truth["ambiguous"]}
        assert all(pawns[name]["square"] == s for name, s in truth["pieces"].items())
        assert sorted(t["square"] for t in things if t["kind"] == "pellet") == truth["pellets"]
        assert truth["walls"] == sorted(
            f["slot"] for f in fences if f["state"] in ("seated", "half", "askew")
        )
        for thing in (*things, *fences):
            assert thing["colour"].startswith("#")
            assert len(thing["at_mm"]) in (2, 3)


def test_a_name_is_that_of_a_paint_or_a_number(truths):
    for truth in truths:
        for thing in truth["things"]:
            if thing["kind"] in ("pawn", "lying"):
                assert thing["name"] == (thing["paint"] or thing["name"])
                assert (thing["name"] in BOARD.pieces) == (thing["paint"] is not None)


def test_sizes_say_where_the_field_is_and_how_high_its_markers_lie(truths):
    for truth in truths:
        sizes = truth["sizes"]
        field = 9 * sizes["cell_mm"] + 8 * sizes["groove_mm"]
        assert sizes["field_mm"] == pytest.approx(field, abs=0.01)
        assert sizes["marker_plane_mm"] <= 0
        assert {f"marker_{number}" for number in truth["marker_centers_px"]} <= set(sizes)
    assert any(truth["sizes"]["marker_plane_mm"] < 0 for truth in truths)
    assert any(not truth["marker_centers_px"] for truth in truths)
