"""The strip sends the right bytes, no more often and no brighter than it may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board import Lights
from companion.lights.strip import Strip, limited, milliamps_of
from companion.sim.strip import SimPixels

byte = st.integers(0, 255)
colour_lists = st.lists(st.tuples(byte, byte, byte), min_size=1, max_size=60)
orders = st.sampled_from(["GRB", "RGB", "BGR"])


def pixels(count: int = 3, order: str = "GRB") -> SimPixels:
    return SimPixels(Lights(count, order, 1000, {}, {}))


@given(colour_lists, st.floats(0, 1), st.floats(60, 4000), orders)
def test_the_bytes_never_draw_more_than_the_budget(colours, brightness, milliamps, order):
    wire = pixels(len(colours), order)
    Strip(wire, milliamps, brightness).show(colours, 0.0)
    assert milliamps_of(wire.colours) <= milliamps


@given(colour_lists, st.floats(0, 1))
def test_a_budget_too_small_for_anything_is_dark(colours, brightness):
    assert set(limited(colours, brightness, 0)) == {(0, 0, 0)}


@given(colour_lists, orders)
def test_full_brightness_and_a_large_budget_keep_the_colours(colours, order):
    wire = pixels(len(colours), order)
    Strip(wire, 10_000, 1.0).show(colours, 0.0)
    assert wire.colours == tuple(colours)


def test_bytes_go_out_in_the_order_of_the_strip():
    for order, expected in (("GRB", b"\x02\x01\x03"), ("RGB", b"\x01\x02\x03")):
        wire = pixels(1, order)
        Strip(wire, 1000, 1.0).show([(1, 2, 3)], 0.0)
        assert wire.sent == expected


def test_full_white_draws_sixty_milliamps_and_one():
    assert milliamps_of([(255, 255, 255)]) == 61


def test_brightness_scales_all_colours_alike():
    assert limited([(200, 100, 0), (40, 0, 255)], 0.5, 1000) == ((100, 50, 0), (20, 0, 127))


def test_equal_colours_are_not_sent_again():
    wire = pixels()
    strip = Strip(wire, 1000)
    assert strip.show([(9, 9, 9)] * 3, 0.0)
    assert not strip.show([(9, 9, 9)] * 3, 1.0)
    assert wire.sends == 1


def test_a_dark_strip_is_told_once_that_it_is_dark():
    wire = pixels()
    strip = Strip(wire, 1000)
    assert strip.show([(0, 0, 0)] * 3, 0.0)
    assert not strip.show([(0, 0, 0)] * 3, 1.0)


def test_sixty_frames_a_second_are_the_most():
    wire = pixels()
    strip = Strip(wire, 1000, 1.0)
    for tick in range(1001):
        strip.show([(tick % 256, 0, 0)] * 3, tick / 1000)
    assert 55 <= wire.sends <= 61


def test_colours_held_back_come_with_the_next_call():
    wire = pixels(1)
    strip = Strip(wire, 1000, 1.0)
    strip.show([(1, 1, 1)], 0.0)
    assert not strip.show([(2, 2, 2)], 0.001)
    assert strip.show([(2, 2, 2)], 0.1)
    assert wire.colours == ((2, 2, 2),)


def test_off_is_dark_at_once():
    wire = pixels()
    strip = Strip(wire, 1000)
    strip.show([(255, 255, 255)] * 3, 0.0)
    strip.off()
    assert wire.sent == bytes(9)


def test_a_failed_send_is_tried_again():
    class Broken(SimPixels):
        broken = True

        def _transmit(self, buffer: bytearray) -> None:
            if self.broken:
                raise OSError("the wire is off")
            super()._transmit(buffer)

    wire = Broken(Lights(1, "GRB", 1000, {}, {}))
    strip = Strip(wire, 1000, 1.0)
    with pytest.raises(OSError, match="the wire is off"):
        strip.show([(5, 5, 5)], 0.0)
    wire.broken = False
    assert strip.show([(5, 5, 5)], 0.0)


def test_the_wrong_number_of_colours_is_a_mistake():
    with pytest.raises(ValueError, match="expected 3 colours, got 1"):
        Strip(pixels(), 1000).show([(0, 0, 0)], 0.0)
