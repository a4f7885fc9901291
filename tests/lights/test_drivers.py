"""Every driver, simulated and real, puts the same bytes on the wire."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.board import Lights
from companion.lights.scene import scene
from companion.lights.strip import Strip, milliamps_of
from tests.lights.views import BOARD, CELLS, MOODS, VIEWS
from tests.lights.wires import KINDS, open_wire

kinds = pytest.mark.parametrize("kind", KINDS)
orders = st.sampled_from(["GRB", "RGB"])
byte = st.integers(0, 255)
frames = st.lists(st.tuples(byte, byte, byte), min_size=1, max_size=30)


def strip_of(count: int, order: str = "GRB") -> Lights:
    return Lights(count, order, 2000, {}, {})


def decoded(sent: bytes, order: str) -> list[tuple[int, ...]]:
    """Return the colours that bytes stand for, red-green-blue."""
    at = [order.index(letter) for letter in "RGB"]
    return [tuple(sent[n + part] for part in at) for n in range(0, len(sent), 3)]


@kinds
@settings(max_examples=40)
@given(frames, orders)
def test_the_bytes_on_the_wire_are_those_of_the_frame(kind, colours, order):
    with open_wire(kind, strip_of(len(colours), order)) as (pixels, sent):
        Strip(pixels, 100_000, 1.0).show(colours, 0.0)
        assert decoded(sent(), order) == colours


@kinds
@settings(max_examples=40)
@given(frames, orders, st.floats(0, 1), st.floats(30, 2500))
def test_no_bytes_draw_more_than_the_budget(kind, colours, order, brightness, milliamps):
    with open_wire(kind, strip_of(len(colours), order)) as (pixels, sent):
        Strip(pixels, milliamps, brightness).show(colours, 0.0)
        assert milliamps_of(decoded(sent(), order)) <= milliamps  # type: ignore[arg-type]


@kinds
def test_nothing_is_sent_before_it_is_shown_and_off_is_dark(kind):
    with open_wire(kind, strip_of(2)) as (pixels, sent):
        strip = Strip(pixels, 1000, 1.0)
        pixels[0] = (1, 2, 3)
        assert not any(sent())
        assert strip.show([(1, 2, 3), (4, 5, 6)], 0.0)
        assert sent() == bytes([2, 1, 3, 5, 4, 6])
        strip.off()
        assert sent() == bytes(6)


@kinds
def test_equal_frames_are_sent_once(kind):
    with open_wire(kind, strip_of(1)) as (pixels, _):
        strip = Strip(pixels, 1000)
        assert strip.show([(9, 9, 9)], 0.0)
        assert not strip.show([(9, 9, 9)], 1.0)


@pytest.mark.parametrize("board", [BOARD, CELLS], ids=["frame", "cells"])
@given(
    st.sampled_from(list(VIEWS)),
    st.sampled_from(list(MOODS)),
    st.floats(0, 1000),
    st.integers(1, 2000),
)
def test_no_scene_draws_more_than_the_budget(board, view, mood, time, milliamps):
    lights = board.lights
    with open_wire("sim", lights) as (pixels, sent):
        milliamps = max(milliamps, lights.count)
        Strip(pixels, milliamps, 1.0).show(scene(VIEWS[view], board, time, MOODS[mood]), 0.0)
        assert milliamps_of(decoded(sent(), lights.order)) <= milliamps  # type: ignore[arg-type]
