"""The second palette keeps apart, for every kind of colour blindness, what the first does not."""

import itertools

import pytest

from companion.lights.palette import PALETTES, SAFE, USUAL, WHITE, Palette
from companion.lights.strip import Colour
from tests.lights.views import BOARD

#: How light reaches eyes without one of the three cones: Machado, Oliveira, Fernandes 2009,
#: severity 1.0, on linear red, green and blue.
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
PIECES = ("pacman", "blinky", "pinky", "inky", "clyde")


def lab(colour: Colour, eyes: str) -> tuple[float, float, float]:
    """Return a colour as these eyes see it, in CIE L*a*b*."""
    linear = [
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    rows = EYES[eyes]
    r, g, b = (
        min(1.0, max(0.0, sum(k * c for k, c in zip(row, linear, strict=True)))) for row in rows
    )

    def root(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: Colour, other: Colour, eyes: str) -> float:
    return sum((a - b) ** 2 for a, b in zip(lab(one, eyes), lab(other, eyes), strict=True)) ** 0.5


def nearest(palette: Palette, eyes: str) -> float:
    """Return how far apart the two most alike pieces are."""
    colours = [palette.of(piece, BOARD) for piece in PIECES]
    return min(apart(a, b, eyes) for a, b in itertools.combinations(colours, 2))


@pytest.mark.parametrize("eyes", EYES)
def test_in_the_safe_palette_no_two_pieces_look_alike(eyes):
    assert nearest(SAFE, eyes) > 45
    assert nearest(SAFE, eyes) > nearest(USUAL, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_in_the_safe_palette_right_wrong_and_the_rest_are_far_apart(eyes):
    assert apart(SAFE.wrong, SAFE.right, eyes) > 100
    assert apart(SAFE.trouble, SAFE.phone, eyes) > 45
    assert apart(SAFE.right, WHITE, eyes) > 45


def test_the_usual_palette_shows_things_as_the_profile_paints_them():
    assert USUAL.of("blinky", BOARD) == BOARD.pieces["blinky"].colour
    assert USUAL.of("fence", BOARD) == BOARD.fence.colour
    assert USUAL.of("pellet", BOARD) == BOARD.pellet.colour
    assert USUAL.of("stranger", BOARD) == WHITE
    assert set(PALETTES) == {"usual", "safe"}
