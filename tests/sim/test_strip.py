"""The simulated strip shows what its bytes say, nothing else."""

from adafruit_pixelbuf import PixelBuf

from companion.boards import profile
from companion.sim.strip import SimPixels

LIGHTS = profile.load("reference").lights


def test_it_is_driven_by_the_class_that_drives_the_real_ones():
    assert issubclass(SimPixels, PixelBuf)
    assert len(SimPixels(LIGHTS)) == LIGHTS.count


def test_it_is_dark_until_bytes_come():
    pixels = SimPixels(LIGHTS)
    pixels[0] = (255, 0, 0)
    assert set(pixels.colours) == {(0, 0, 0)}
    pixels.show()
    assert pixels.colours[0] == (255, 0, 0)


def test_it_keeps_the_bytes_in_the_order_of_the_wire():
    pixels = SimPixels(LIGHTS)
    pixels[LIGHTS.names["S2"]] = (1, 2, 3)
    pixels.show()
    assert pixels.sent[:6] == bytes([0, 0, 0, 2, 1, 3])
    assert (len(pixels.sent), pixels.sends) == (3 * LIGHTS.count, 1)
