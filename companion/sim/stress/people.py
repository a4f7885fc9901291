"""What people at a table do that makes it hard to see: reach in, light up, put down carelessly."""

import colorsys
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from companion.sim.body import Habits, Hand, Scene, Stage
from companion.sim.picture.render import Colour
from companion.sim.table import SIDES

#: Of so many seconds each, some have a visit of a hand in them.
VISIT_EVERY_SECONDS = 4.0
VISIT_SHARES = (0.15, 0.25, 0.35, 0.5, 0.7)
VISIT_SECONDS = (0.8, 1.0, 1.3, 1.7, 2.4)
IN_SECONDS, OUT_SECONDS, BACK_MM = 0.3, 0.2, 220.0

HAND_WITHIN_MM = 110.0
#: How far beyond the board's middle the finger tips of the long arm are.
SLEEVE_BEYOND_MM = (130.0, 155.0, 180.0, 205.0, 230.0)
SLEEVE_HEIGHT_MM = 28.0

LED_LEVELS = (50, 90, 140, 200, 255)
LED_SECONDS = 0.5
HUES = 12

OFF_CENTRE_MM = (2.5, 3.5, 4.5, 5.5, 6.5)
HALF_IN_SHARE = 0.5
#: How far the end that is up stands up; with less than 4.4 degrees it is in its groove.
HALF_IN_TILTS = ((10.0, 12.0), (8.5, 10.5), (7.0, 9.0), (6.0, 7.5), (5.0, 6.0))

#: The hand that reaches in at this severity, time and seed, None for none.
Reach = Callable[[int, float, int], Hand | None]


def hand(severity: int, time: float, seed: int) -> Hand | None:
    """Return an empty hand over some place of the board, now and then."""
    visit = _visit(severity, time, seed)
    if visit is None:
        return None
    rng, away = visit
    angle = rng.choice(tuple(SIDES.values())) + rng.uniform(-20, 20)
    x, y = (rng.uniform(-HAND_WITHIN_MM, HAND_WITHIN_MM) for _ in range(2))
    return _drawn_back(Hand(x, y, angle), away)


def sleeve(severity: int, time: float, seed: int) -> Hand | None:
    """Return a hand that reaches for something behind the board, now and then."""
    visit = _visit(severity, time, seed + 1)
    if visit is None:
        return None
    rng, away = visit
    angle = rng.choice((SIDES["south"], SIDES["north"]))
    beyond = math.copysign(SLEEVE_BEYOND_MM[severity - 1], angle)
    across = rng.uniform(-HAND_WITHIN_MM, HAND_WITHIN_MM)
    return _drawn_back(Hand(across, beyond, angle, z=SLEEVE_HEIGHT_MM), 1.6 * away)


REACHES: dict[str, Reach] = {"hand": hand, "sleeve": sleeve}


def _visit(severity: int, time: float, seed: int) -> tuple[Random, float] | None:
    """Return who reaches in and how far, in millimetres, the hand still is or again is away."""
    number, since = divmod(time, VISIT_EVERY_SECONDS)
    rng = Random(f"visit {seed} {int(number)}")
    stay = VISIT_SECONDS[severity - 1]
    begin = rng.uniform(0, VISIT_EVERY_SECONDS - stay)
    if rng.random() >= VISIT_SHARES[severity - 1] or not begin <= since <= begin + stay:
        return None
    coming = 1 - (since - begin) / IN_SECONDS
    going = 1 - (begin + stay - since) / OUT_SECONDS
    return rng, BACK_MM * max(0.0, coming, going)


def _drawn_back(reaching: Hand, away_mm: float) -> Hand:
    turn = math.radians(reaching.angle)
    return replace(
        reaching,
        x=reaching.x - away_mm * math.cos(turn),
        y=reaching.y - away_mm * math.sin(turn),
    )


class BusyTable:
    """A table with more hands above it than those that play."""

    def __init__(
        self,
        table: Stage,
        reaching: Callable[[float], Sequence[Hand | None]],
        clock: Callable[[], float],
    ) -> None:
        self._table, self._reaching, self._clock = table, reaching, clock
        self._shown: tuple[int, tuple[Hand, ...]] = (-1, ())
        self._revision = 0

    def scene(self) -> Scene:
        """Return the table's scene with these hands in it."""
        scene = self._table.scene()
        hands = tuple(hand for hand in self._reaching(self._clock()) if hand is not None)
        if (scene.revision, hands) != self._shown:
            self._shown = scene.revision, hands
            self._revision += 1
        return replace(scene, revision=self._revision, hands=scene.hands + hands)


def every_colour(count: int, severity: int, time: float) -> list[Colour]:
    """Return a rainbow for so many LEDs, which walks around the board."""
    step = int(time / LED_SECONDS)
    level = LED_LEVELS[severity - 1] / 255
    rainbow = [colorsys.hsv_to_rgb(hue / HUES, 1.0, level) for hue in range(HUES)]
    shades = [(round(255 * r), round(255 * g), round(255 * b)) for r, g, b in rainbow]
    return [shades[(number + step) % HUES] for number in range(count)]


#: What becomes of people's habits at this severity.
HABITS: dict[str, Callable[[Habits, int], Habits]] = {
    "half-seated": lambda found, severity: replace(
        found, half_in_share=HALF_IN_SHARE, half_in_tilts=HALF_IN_TILTS[severity - 1]
    ),
    "off-centre": lambda found, severity: replace(found, off_centre_mm=OFF_CENTRE_MM[severity - 1]),
}
