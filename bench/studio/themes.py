"""Boards, fences, paints and tables as data, and how the look of one picture is drawn from them.

The three themes of the reference build are left out on purpose: these are the others.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bench.studio.colours import Rgb, distance, of_hex, of_hsv, surface, times

FROM_CELLS = 34.0  # in Lab, by which fences differ from the cells
FROM_GROOVES = 26.0
GROOVE_SHADE = 0.27  # of the cells' light, where grooves have no colour of their own


@dataclass(frozen=True)
class BoardLook:
    """A board: its cells, the frames that go with it, what it is made of, and its grooves."""

    cell: str
    frames: tuple[str, ...]
    grain: str
    groove: str | None = None


BOARDS = {
    "walnut": BoardLook("#5b3a26", ("#3b2518", "#2a2522", "#5b3a26"), "wood"),
    "oak": BoardLook("#b98b56", ("#a87c4a", "#6b4a2c", "#3a3a3c"), "wood"),
    "birch": BoardLook("#dcc49c", ("#d6bd92", "#8a6a44", "#efe6d4"), "wood", "#8a7250"),
    "cherry": BoardLook("#8c4a2e", ("#7a3f28", "#3a2018"), "wood"),
    "slate": BoardLook("#4a5258", ("#363c42", "#23282c", "#6a7278"), "stone"),
    "dark green": BoardLook("#1f4a34", ("#163826", "#222a24", "#5a4028"), "plain"),
    "navy": BoardLook("#1d2a52", ("#141d3a", "#202228", "#c8c8cc"), "plain"),
    "burgundy": BoardLook("#5a1826", ("#401018", "#22181a", "#b09070"), "plain"),
    "beige": BoardLook("#cdbb97", ("#c4b28c", "#7d6a4c", "#efe9dc"), "stone", "#8f7f60"),
    "white": BoardLook("#e8e8e4", ("#e4e4e0", "#8c9096", "#303236"), "plain", "#9a9a98"),
    "grey": BoardLook("#8c8e90", ("#77797c", "#3a3c40", "#b8babc"), "stone"),
    "charcoal": BoardLook("#2a2a2c", ("#1c1c1e", "#303034", "#8a8a8c"), "plain"),
    "terracotta": BoardLook("#b0603c", ("#9a5030", "#54301e"), "stone"),
    "teal": BoardLook("#2a6470", ("#1f4a54", "#dcd8cc", "#26292c"), "plain"),
    "sand with pale grooves": BoardLook("#a88c60", ("#a88c60", "#5c4a30"), "wood", "#e2dccc"),
    "black with red grooves": BoardLook("#202022", ("#19191b", "#2a1416"), "plain", "#6a1c1c"),
}
FENCES = {
    "white": "#eeeeea",
    "pale wood": "#d9b57c",
    "brown wood": "#6a4326",
    "red wood": "#8a3424",
    "cream wood": "#ecdcb4",
    "navy": "#1b2350",
    "yellow": "#e6c02a",
    "green": "#2f8a45",
    "black": "#161618",
    "grey": "#909296",
    "purple": "#6a3a92",
    "clear orange": "#f08a2a",
    "sky blue": "#58a8d8",
    "lime": "#9ccc3c",
    "red": "#c02428",
}
PAINTS = {  # hue, saturation, value
    "pacman": (0.145, 0.88, 0.95),
    "blinky": (0.0, 0.93, 0.85),
    "pinky": (0.94, 0.40, 0.93),
    "inky": (0.507, 0.85, 0.82),
    "clyde": (0.073, 0.90, 0.93),
}
PELLET = (0.13, 0.28, 0.95)
PUPILS = ("#14206a", "#101014", "#203a9a")
TABLES = {
    "walnut": ("#5a3a26", "wood"),
    "pine": ("#d0a468", "wood"),
    "oak": ("#a8763e", "wood"),
    "dark wood": ("#3a2418", "wood"),
    "felt": ("#1e5a34", "cloth"),
    "blue cloth": ("#3c5a8a", "cloth"),
    "red cloth": ("#8a2a2c", "cloth"),
    "beige cloth": ("#c8b896", "cloth"),
    "chequered cloth": ("#d8d4cc", "check"),
    "white": ("#dededa", "plain"),
    "grey": ("#7c8086", "stone"),
    "black": ("#1c1c1e", "plain"),
    "marble": ("#c8c6c2", "marble"),
    "concrete": ("#a4a29c", "stone"),
}


@dataclass(frozen=True)
class Theme:
    """How board, fences, pieces and table look in one picture; colours are linear light."""

    board: str
    grain_kind: str
    grain: float
    cell: Rgb
    groove: Rgb
    frame: Rgb
    frame_name: str
    frame_kind: str
    roughness: float
    frame_roughness: float
    coat: float
    fence: str
    fence_colour: Rgb
    fence_edges: str  # square or round
    fence_roughness: float
    paint: Mapping[str, Rgb]
    paint_depth: float
    paint_brightness: float
    paint_roughness: float
    pellet: Rgb
    pupil: Rgb
    table: str
    table_kind: str
    table_colour: Rgb


def in_turn(names: Iterable[str], what: str, seed: int, number: int) -> str:
    """Return whose turn it is: all names come once, in a new order, before any comes again."""
    order = list(names)
    random.Random(f"{what}/{seed}/{number // len(order)}").shuffle(order)
    return order[number % len(order)]


def draw_theme(rng: random.Random, seed: int, number: int) -> Theme:
    """Return the look of a picture; boards come in turn, fences as far as they stand out."""
    name = in_turn(BOARDS, "boards", seed, number)
    look = BOARDS[name]
    shade = rng.uniform(0.82, 1.15)
    cell = surface(times(of_hex(look.cell), shade))
    groove = times(cell, GROOVE_SHADE)
    if look.groove:
        groove = surface(times(of_hex(look.groove), shade))
    frame = rng.choice(look.frames)
    tints = (rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.1), rng.uniform(0.9, 1.1))
    fences = {name: surface(times(of_hex(text), tints)) for name, text in FENCES.items()}
    fence = _fence(fences, cell, groove, seed, number)
    wood = look.grain == "wood"
    depth, brightness = rng.uniform(0.65, 1.1), rng.uniform(0.65, 1.1)
    if rng.random() < 0.25:
        depth = brightness = 1.0
    table = rng.choice(list(TABLES))
    return Theme(
        board=name,
        grain_kind=look.grain,
        grain=rng.uniform(0.12, 0.5) if wood else rng.uniform(0.06, 0.2),
        cell=cell,
        groove=groove,
        frame=surface(times(of_hex(frame), shade)),
        frame_name=frame,
        frame_kind="wood" if wood and rng.random() < 0.7 else rng.choice(("leather", "stone")),
        roughness=rng.uniform(*rng.choice(((0.25, 0.4), (0.4, 0.8), (0.5, 0.8)))),
        frame_roughness=rng.uniform(0.8, 1.3),
        coat=rng.choice((0.0, 0.0, 0.0, 0.5)),
        fence=fence,
        fence_colour=fences[fence],
        fence_edges=rng.choice(("square", "square", "round")),
        fence_roughness=rng.uniform(0.25, 0.75),
        paint=_paint(rng, depth, brightness),
        paint_depth=depth,
        paint_brightness=brightness,
        paint_roughness=rng.uniform(*rng.choice(((0.12, 0.3), (0.35, 0.8)))),
        pellet=of_hsv(
            PELLET[0], PELLET[1] * rng.uniform(0.4, 1.4), PELLET[2] * rng.uniform(0.8, 1.05)
        ),
        pupil=of_hex(rng.choice(PUPILS)),
        table=table,
        table_kind=TABLES[table][1],
        table_colour=surface(times(of_hex(TABLES[table][0]), rng.uniform(0.8, 1.2))),
    )


def stands_out(fence: Rgb, cell: Rgb, groove: Rgb) -> bool:
    """Tell whether anybody could see such fences on such a board."""
    return distance(fence, cell) > FROM_CELLS and distance(fence, groove) > FROM_GROOVES


def _fence(fences: Mapping[str, Rgb], cell: Rgb, groove: Rgb, seed: int, number: int) -> str:
    order = list(fences)
    random.Random(f"fences/{seed}").shuffle(order)
    start = number * 4 % len(order)
    turned = order[start:] + order[:start]
    return next(name for name in turned if stands_out(fences[name], cell, groove))


def _paint(rng: random.Random, depth: float, brightness: float) -> dict[str, Rgb]:
    return {
        name: of_hsv(hue + rng.uniform(-0.012, 0.012), saturation * depth, value * brightness)
        for name, (hue, saturation, value) in PAINTS.items()
    }
