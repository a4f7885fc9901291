"""Every screw holds what it should, comes out nowhere, and no steel is near a sensor."""

import copy
from collections import Counter

import numpy as np
import pytest

from hardware import assembly, plan, screws

BUILD = plan.load()
TABLE = assembly.table(BUILD.board, BUILD.plan)


def with_screw(name, **changes):
    other = copy.deepcopy(BUILD.plan)
    joint = next(joint for joint in other["joints"] if joint["name"] == name)
    joint["screw"].update(changes)
    return other


def wrong(other):
    return screws.faults(BUILD.board, other, TABLE, BUILD.magnets)


def test_all_screws_keep_the_rules():
    assert wrong(BUILD.plan) == []


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        ("tiles", "comes out of the part that it bites into"),
        ("corners", "ends on the bottom of its hole"),
        ("joiners", "ends on the bottom of its hole"),
        ("foot", "ends on the bottom of its hole"),
    ],
)
def test_the_screws_that_the_table_had_are_refused(joint, said):
    """12 mm long, they stood 3 mm up in the grooves, and did not go into the frame."""
    found = wrong(with_screw(joint, length_mm=12))
    assert any(said in fault for fault in found)


def test_a_screw_that_ends_on_the_bottom_of_its_hole_is_found():
    assert any("bottom of its hole" in fault for fault in wrong(with_screw("legs", length_mm=13)))


def test_a_screw_that_hardly_bites_is_found():
    found = wrong(with_screw("legs", length_mm=8))
    assert any("bites 2 mm deep, at least 4" in fault for fault in found)


def test_steel_beside_the_sensors_is_found():
    found = wrong(with_screw("tiles", material="steel"))
    assert len(found) == 1
    assert "from a sensor, where steel must keep" in found[0]


def test_a_screw_where_no_hole_is_has_no_way_through():
    other = copy.deepcopy(BUILD.plan)
    other["printed"]["screw_rows_mm"] = [19, 42]
    found = wrong(other)
    assert any("does not go through its first 3 mm" in fault for fault in found)


def test_a_head_without_room_is_found():
    other = copy.deepcopy(BUILD.plan)
    other["printed"]["leg_top_mm"] = 4
    assert any("there is no room for its head" in fault for fault in wrong(other))


def test_screws_are_counted_by_what_to_buy():
    counts = Counter(screw.joint["name"] for screw in screws.screws(BUILD.board, BUILD.plan))
    parts = {part["name"]: part["count"] for part in BUILD.plan["prints"]}
    assert counts["corners"] == 4 * parts["frame-corner"]
    assert counts["joiners"] == 4 * parts["frame-joiner"]
    assert counts["tiles"] == 4 * parts["sensor-tile"]
    assert counts["legs"] == parts["leg"]
    assert sum(counts.values()) == 93
    assert screws.counts(BUILD.board, BUILD.plan)["camera", "M2 × 8 steel"] == 4


def test_every_hole_for_a_screw_has_one():
    """Round holes of a clearing or a pilot hole's size, found in the solids themselves."""
    made = screws.screws(BUILD.board, BUILD.plan)
    heads = np.array([screw.at(0.1)[:2] for screw in made if screw.way[2]])
    spare = Counter()
    for part in TABLE:
        if part.name in ("frame-joiner", "frame-corner", "sensor-tile"):
            for x, y in holes(part, BUILD.plan["printed"]["screw_mm"]):
                spare[part.name] += np.hypot(*(heads - (x, y)).T).min() > 0.2
    assert set(spare) == {"frame-joiner", "frame-corner", "sensor-tile"}
    assert sum(spare.values()) == 0, spare


def holes(part, diameter):
    """Return the middles of upright holes of this diameter: rings of corners on the underside."""
    corners = part.solid.triangles.reshape(-1, 3).round(3)
    found = {}
    for corner in np.unique(corners[:, :2], axis=0):
        for other in found:
            if np.hypot(*(corner - other)) < diameter + 0.01:
                found[other].append(corner)
                break
        else:
            found[tuple(corner)] = [corner]
    rings = [np.array(group) for group in found.values() if len(group) >= 24]
    middles = [(ring.min(axis=0) + ring.max(axis=0)) / 2 for ring in rings]
    wide = [np.ptp(ring, axis=0) for ring in rings]
    return [m for m, w in zip(middles, wide, strict=True) if np.allclose(w, diameter, atol=0.1)]


@pytest.mark.parametrize("length", [6, 12])
def test_a_screw_too_short_or_too_long_for_its_nut_is_found(length):
    other = copy.deepcopy(BUILD.plan)
    other["bolts"][0]["screw"]["length_mm"] = length
    assert any("layers and nut take 6.7 mm" in fault for fault in wrong(other))


def test_steel_keeps_its_distance_because_its_own_field_is_felt():
    clear = screws.clear_mm(BUILD.board, BUILD.plan, BUILD.magnets)
    pitch = BUILD.board.pitch_mm
    assert pitch / 2 < clear < pitch, "a screw between two sensors is too near, a square away not"
