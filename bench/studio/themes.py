"""How everything looks in one picture: colours, finishes and wear of board, fences and table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.studio.colours import Rgb, distance, of_hex, of_hsv, surface, times
from bench.studio.dice import Dice

#: The five paints that have a name: hue, saturation, value.
PAINTS: Mapping[str, tuple[float, float, float]] = {
    "pacman": (0.145, 0.88, 0.95),
    "blinky": (0.0, 0.93, 0.85),
    "pinky": (0.94, 0.40, 0.93),
    "inky": (0.507, 0.85, 0.82),
    "clyde": (0.073, 0.90, 0.93),
}
HUE_SPREAD = 0.012
NOT_A_PAINT = 26.0  # in Lab, by which a colour without a name differs from the five paints
PELLET = (0.13, 0.28, 0.95)
PUPILS = ("#14206a", "#101014", "#203a9a")
FENCE_COLOURS = {"one": 1, "two": 2, "four": 4}
TRIES = 20
ALIKE = (0.85, 1.15)  # of a channel, between two things that are meant to have the same colour


@dataclass(frozen=True)
class Print:
    """What is printed on cells: on which of them, how large, and in which colour."""

    kind: str
    squares: tuple[str, ...]
    size: float  # of a cell
    colour: Rgb
    turn_deg: float
    letters: str = ""


@dataclass(frozen=True)
class Theme:
    """How board, fences, pieces and table look in one picture; colours are linear light."""

    cell: Rgb
    other_cell: Rgb
    others: frozenset[str]  # squares that have the other colour
    cell_finish: str
    roughness: float
    coat: float
    grain: float
    vary: float
    groove: Rgb
    frame: Rgb
    frame_finish: str
    frame_roughness: float
    wear: str
    wear_depth: float
    prints: tuple[Print, ...]
    table: Rgb
    table_finish: str
    fences: tuple[Rgb, ...]
    fence_shape: str
    fence_finish: str
    fence_roughness: float
    paint: Mapping[str, Rgb]
    paint_roughness: float
    ghost: str
    pacman: str
    pellet: Rgb
    pupil: Rgb


def draw_theme(dice: Dice, squares: Sequence[str]) -> Theme:
    """Return the look of a picture."""
    rng = dice.rng
    wear = dice.word("wear")
    cell = dice.family("cell colour")
    paint = _paint(dice)
    groove_is = dice.word("groove colour")
    groove = cell
    if groove_is == "own":
        groove = dice.family("groove family")
    elif groove_is == "shade":
        groove = times(cell, dice.span("groove shade"))
    fences = _fences(dice, cell, groove, paint)
    if groove_is == "fence":
        groove = _near(dice, fences[0])
    frame_is = dice.word("frame colour")
    if frame_is == "own":
        frame = dice.family("frame family")
    else:
        frame = {"cell": cell, "groove": groove, "shade": times(cell, 0.55)}[frame_is]
    pattern = dice.word("cells")
    other = dice.family("other cells") if pattern != "plain" else cell
    return Theme(
        cell=cell,
        other_cell=other,
        others=_others(dice, pattern, squares),
        cell_finish=dice.word("cell finish"),
        roughness=dice.roughness("cell gloss"),
        coat=0.6 if dice.word("coat") == "varnish" else 0.0,
        grain=dice.span("grain"),
        vary=dice.span("cells vary"),
        groove=groove,
        frame=frame,
        frame_finish=dice.word("frame finish"),
        frame_roughness=dice.roughness("frame gloss"),
        wear=wear,
        wear_depth=dice.span("wear depth") if wear != "none" else 0.0,
        prints=_prints(dice, cell, squares),
        table=dice.family("table family"),
        table_finish=dice.word("table finish"),
        fences=fences,
        fence_shape=dice.word("fence shape"),
        fence_finish=dice.word("fence finish"),
        fence_roughness=dice.roughness("fence gloss"),
        paint=paint,
        paint_roughness=dice.roughness("pawn gloss"),
        ghost=dice.word("ghost"),
        pacman=dice.word("pacman"),
        pellet=_pellet(dice),
        pupil=of_hex(rng.choice(PUPILS)),
    )


def own_colour(dice: Dice, family: str, others: Sequence[Rgb] = ()) -> Rgb:
    """Return a colour that nobody takes for one of the five paints, nor for one of the others: no
    game has two players whose pawns look the same."""
    for _ in range(TRIES):
        colour = dice.family(family)
        unlike = all(distance(colour, other) >= NOT_A_PAINT for other in others)
        if unlike and paint_of(colour) is None:
            return colour
    return of_hex("#303034")


def paint_of(colour: Rgb) -> str | None:
    """Return which of the five paints a colour is, or might be taken for."""
    away = {name: distance(colour, of_hsv(*paint)) for name, paint in PAINTS.items()}
    nearest = min(away, key=lambda name: away[name])
    return nearest if away[nearest] < NOT_A_PAINT else None


def _near(dice: Dice, colour: Rgb) -> Rgb:
    rng = dice.rng
    return surface(times(colour, [rng.uniform(*ALIKE), rng.uniform(*ALIKE), rng.uniform(*ALIKE)]))


def _fences(dice: Dice, cell: Rgb, groove: Rgb, paint: Mapping[str, Rgb]) -> tuple[Rgb, ...]:
    colours = []
    for _ in range(FENCE_COLOURS[dice.word("fence colours")]):
        like = dice.word("fence colour")
        if like == "own":
            colours.append(dice.family("fence family"))
            continue
        others = {"cell": cell, "groove": groove, "pawn": dice.rng.choice(list(paint.values()))}
        colours.append(_near(dice, others[like]))
    return tuple(colours)


def _paint(dice: Dice) -> dict[str, Rgb]:
    depth, brightness, rng = dice.span("paint depth"), dice.span("paint brightness"), dice.rng
    return {
        name: of_hsv(
            hue + rng.uniform(-HUE_SPREAD, HUE_SPREAD), saturation * depth, value * brightness
        )
        for name, (hue, saturation, value) in PAINTS.items()
    }


def _pellet(dice: Dice) -> Rgb:
    if dice.word("pellet colour") == "own":
        return dice.family("pellet family")
    rng, (hue, saturation, value) = dice.rng, PELLET
    return of_hsv(hue, saturation * rng.uniform(0.3, 1.6), value * rng.uniform(0.8, 1.05))


def _others(dice: Dice, pattern: str, squares: Sequence[str]) -> frozenset[str]:
    if pattern == "chequered":
        return frozenset(s for s in squares if (ord(s[0]) + int(s[1])) % 2)
    if pattern == "goal rows":
        rows = dice.rng.choice(("19", "1", "9", "159"))
        return frozenset(s for s in squares if s[1] in rows)
    if pattern == "spotted":
        return frozenset(dice.rng.sample(squares, dice.rng.randint(1, 24)))
    return frozenset()


def _prints(dice: Dice, cell: Rgb, squares: Sequence[str]) -> tuple[Print, ...]:
    kind = dice.word("print")
    if kind == "none":
        return ()
    rng = dice.rng
    where, size = dice.word("print where"), dice.span("print size")
    if kind in ("letters", "lines", "crosses"):
        size = max(size, 0.35)
    count = {"all": len(squares), "some": rng.randint(9, 40), "few": rng.randint(1, 8)}[where]
    contrast = dice.word("print contrast")
    colour = times(cell, rng.uniform(0.1, 0.5))
    if contrast == "light":
        colour = surface((cell[0] * 0.4 + 0.5, cell[1] * 0.4 + 0.5, cell[2] * 0.4 + 0.5))
    elif contrast == "colour":
        colour = dice.family("pawn family")
    chosen = sorted(rng.sample(squares, min(count, len(squares))))
    turn = rng.choice((0.0, 0.0, 90.0, 45.0, rng.uniform(0, 180)))
    letters = "".join(rng.choice("ABCDEFGHIKLMNOPRSTXZ0123456789") for _ in range(6))
    return (Print(kind, tuple(chosen), size, colour, turn, letters),)
