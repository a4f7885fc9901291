"""The table of spreads: every quantity that a picture draws, with its values and their shares.

What the studio can show is this table and nothing else; :mod:`.dice` throws them, seeds decide.
``Shares`` are values with how often they come, ``Span`` is a stretch of numbers. Lengths are in
millimetres or, where they are shares, of what the comment says.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Shares:
    """Values and how often each of them comes; the shares need not add up to 1."""

    of: Mapping[str, float]


@dataclass(frozen=True)
class Span:
    """Any number between two."""

    low: float
    high: float


Spread = Shares | Span


def _shares(**of: float) -> Shares:
    return Shares({name.replace("_", " "): share for name, share in of.items()})


#: Families of colours: from and to which hue, saturation and value.
FAMILIES: Mapping[str, tuple[float, float, float, float, float, float]] = {
    "white": (0.0, 1.0, 0.0, 0.07, 0.84, 0.97),
    "cream": (0.09, 0.16, 0.08, 0.3, 0.8, 0.95),
    "grey": (0.0, 1.0, 0.0, 0.1, 0.3, 0.75),
    "black": (0.0, 1.0, 0.0, 0.3, 0.06, 0.17),
    "wood": (0.05, 0.11, 0.3, 0.65, 0.28, 0.88),
    "muted": (0.0, 1.0, 0.15, 0.5, 0.25, 0.8),
    "deep": (0.0, 1.0, 0.5, 0.95, 0.14, 0.4),
    "vivid": (0.0, 1.0, 0.65, 1.0, 0.5, 0.95),
    "pastel": (0.0, 1.0, 0.15, 0.4, 0.8, 0.95),
}
ANY = Shares(
    dict(
        white=0.14,
        cream=0.08,
        grey=0.12,
        black=0.12,
        wood=0.16,
        muted=0.12,
        deep=0.1,
        vivid=0.1,
        pastel=0.06,
    )
)
STRONG = Shares(
    dict(
        white=0.1,
        cream=0.07,
        grey=0.07,
        black=0.12,
        wood=0.12,
        muted=0.1,
        deep=0.12,
        vivid=0.22,
        pastel=0.08,
    )
)

WORN = Shares(dict(white=0.2, grey=0.2, black=0.2, deep=0.2, vivid=0.2))

#: What is unusual in a picture, apart from its board, its light and its camera.
TROUBLES = _shares(
    hand=0.24,
    offcentre=0.08,
    ambiguous=0.06,
    lying=0.08,
    clutter=0.1,
    on_board=0.1,  # cups, cards and phones on the field
    foreign=0.06,  # a coin or a die on a square
    half=0.08,  # fences that are not all the way in
    askew=0.06,
    crossed=0.05,
    flat=0.06,  # fences that lie on the field
    marker_covered=0.05,
    motion_blur=0.05,
    wrong_focus=0.05,
)
FINISHES = _shares(plain=0.46, wood=0.28, stone=0.16, leather=0.1)
GLOSS = _shares(mirror=0.14, gloss=0.26, satin=0.32, matt=0.28)
#: The roughness of each gloss.
ROUGHNESS: Mapping[str, tuple[float, float]] = {
    "mirror": (0.06, 0.2),
    "gloss": (0.2, 0.4),
    "satin": (0.4, 0.65),
    "matt": (0.65, 0.95),
}

SPREADS: Mapping[str, Spread] = {
    # The board and its sizes.
    "build": _shares(framed=0.6, tiles=0.24, bare=0.16),
    "size": _shares(reference=0.42, other=0.58),
    "cell": Span(17, 38),  # mm
    "groove": Span(0.14, 0.42),  # of a cell
    "groove depth": Span(0.3, 6),
    "tile": Span(1, 6),  # mm by which tiles stand above the plane of the markers
    "tile edge": Span(0.15, 1.1),
    "rim": Span(0.1, 0.6),  # of a pitch
    "frame": Span(1.2, 2.2),  # of a pitch
    "frame aside": Span(0.0, 1.6),  # of a pitch, by which frames of tiles are wider than high
    "thick": Span(6, 22),  # mm from the table to the top
    "markers": _shares(corners=0.6, beside=0.2, none=0.2),
    "marker": Span(0.7, 1.1),  # of a pitch
    "marker margin": _shares(white=0.75, none=0.25),
    "screws": _shares(none=0.75, some=0.25),  # in the frame
    # How it looks.
    "cells": _shares(plain=0.66, chequered=0.12, goal_rows=0.12, spotted=0.1),
    "cell colour": ANY,
    "other cells": ANY,
    "cell finish": FINISHES,
    "cell gloss": GLOSS,
    "coat": _shares(none=0.76, varnish=0.24),
    "grain": Span(0.05, 0.55),
    "cells vary": Span(0.0, 0.12),
    "groove colour": _shares(shade=0.34, cell=0.12, fence=0.14, own=0.4),
    "groove family": ANY,
    "groove shade": Span(0.15, 0.75),  # of the cell's light
    "frame colour": _shares(cell=0.25, groove=0.15, shade=0.15, own=0.45),
    "frame family": ANY,
    "frame finish": FINISHES,
    "frame gloss": GLOSS,
    "wear": _shares(none=0.55, scuffed=0.25, stained=0.2),
    "wear depth": Span(0.12, 0.5),
    "print": _shares(none=0.46, dots=0.16, rings=0.12, lines=0.1, letters=0.09, crosses=0.07),
    "print where": _shares(all=0.4, some=0.3, few=0.3),
    "print size": Span(0.12, 0.8),  # of a cell
    "print contrast": _shares(dark=0.35, light=0.25, colour=0.4),
    "table family": ANY,
    "table finish": _shares(wood=0.34, cloth=0.2, check=0.08, plain=0.16, stone=0.14, marble=0.08),
    # Fences.
    "fences": _shares(none=0.07, few=0.25, several=0.36, many=0.32),
    "fence colours": _shares(one=0.5, two=0.32, four=0.18),
    "fence colour": _shares(own=0.66, cell=0.12, groove=0.12, pawn=0.1),
    "fence family": STRONG,
    "fence shape": _shares(flat=0.4, rounded=0.2, gabled=0.22, arched=0.18),
    "fence finish": _shares(plastic=0.55, wood=0.25, clear=0.1, metal=0.1),
    "fence gloss": GLOSS,
    "fence thickness": Span(0.5, 0.96),  # of a groove
    "fence height": Span(0.4, 1.15),  # of a cell, above the board
    "fence length": Span(0.88, 1.03),  # of two cells and a groove
    "rack": _shares(none=0.7, standing=0.2, lying=0.1),
    "rack sides": _shares(WE=0.6, NS=0.2, one=0.2),
    "rack full": Span(0.2, 1.0),
    # Pawns and pellets.
    "pawn set": _shares(known=0.46, alike=0.36, mixed=0.18),
    "pawns": Shares(
        {"0": 0.05, "1": 0.08, "2": 0.26, "3": 0.16, "4": 0.2, "5": 0.1, "6": 0.05, "7": 0.05}
        | {"8": 0.05}
    ),
    "pawn shape": _shares(
        peg=0.2, turned=0.2, cone=0.13, cylinder=0.13, disc=0.12, ball=0.08, cube=0.07, ghost=0.07
    ),
    "pawn paint": _shares(known=0.3, own=0.7),
    "pawn family": STRONG,
    "pawn gloss": GLOSS,
    "pawn width": Span(0.45, 0.84),  # of a cell
    "pawn height": Span(0.75, 1.25),  # of what its shape usually has
    "pawn leans": _shares(no=0.95, yes=0.05),
    "paint depth": Span(0.6, 1.12),
    "paint brightness": Span(0.6, 1.12),
    "ghost": _shares(sheet=0.5, squat=0.2, plain=0.15, standee=0.15),
    "pacman": Shares({"disc": 0.25, "mouth aside": 0.3, "mouth up": 0.3, "ball": 0.15}),
    "pellets": _shares(none=0.42, few=0.26, several=0.2, many=0.12),
    "pellet width": Span(0.22, 0.46),  # of a cell
    "pellet colour": _shares(pale=0.6, own=0.4),
    "pellet family": ANY,
    # What is unusual.
    "trouble": _shares(none=0.5, one=0.36, two=0.14),
    "kind of trouble": TROUBLES,
    "hands": _shares(one=0.8, two=0.2),
    "hand pose": _shares(open=0.2, grab=0.4, point=0.2, fist=0.2),
    "hand side": _shares(S=0.4, W=0.2, E=0.25, N=0.15),
    "hand holds": _shares(nothing=0.6, pawn=0.2, fence=0.2),
    "skin": Span(0.0, 1.0),  # from the palest to the darkest
    "hand wears": _shares(nothing=0.25, sleeve=0.5, glove=0.12, both=0.13),
    "worn": WORN,  # gloves and sleeves
    "around": _shares(nothing=0.6, things=0.4),
    "thing": _shares(die=2, coin=2, pen=1, fence=2, mug=1, phone=1, card=1, pawn=1, pellet=1),
    "thing put": _shares(mug=0.25, phone=0.25, card=0.25, pen=0.25),  # on the field or a marker
    "thing on square": _shares(coin=0.6, die=0.4),
    # Light.
    "light": _shares(
        window=1,
        two_windows=1,
        overcast=1,
        bulb=1,
        desk_lamp=1,
        led_panel=1,
        window_lamp=1,
        candle=0.6,
        evening=0.8,
        dusk=0.8,
        tv=0.7,
        green_cast=0.6,
        magenta_cast=0.6,
        sun_patch=1,
        sun_bars=1,
        window_glare=1,
        lamp_glare=1,
        flash=0.6,
    ),
    "light from": Span(0, 360),
    "leds": _shares(none=0.3, dark=0.3, some=0.2, side=0.1, all=0.1),
    "led colours": _shares(one=0.5, several=0.5),
    "led power": Span(0.8, 3.2),
    # Camera.
    "view": _shares(frame=0.45, markers=0.3, field=0.25),
    "lens": _shares(usual=0.6, wide=0.2, narrow=0.2),
    "fill": Span(0.78, 0.97),  # of the picture, by what has to be in view
    "tilt": Span(0, 30),
    "tilt towards": _shares(south=0.75, aside=0.15, north=0.1),
    "yaw": Span(-9, 9),
    "roll": Span(-2.5, 2.5),
    "aim": Span(0.0, 1.0),
    "distortion": Span(-0.12, 0.03),  # of the radius at the corner of the picture
    "focus": _shares(sharp=0.7, soft=0.3),
    "exposure": _shares(usual=0.6, dark=0.2, bright=0.2),
    "white balance": _shares(good=0.65, off=0.35),
    "contrast": Span(0.0, 0.4),
    "saturation": Span(0.75, 1.3),
    "sharpening": Span(0.0, 1.0),
    "vignetting": Span(0.0, 0.7),
    "jpeg": Span(40, 96),
}
