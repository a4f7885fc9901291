"""Tables without dice: cloths, woods, prints and boards, with things on them that are no dice."""

import cv2
import numpy as np

from bench.dice.body import Array, Rng

KINDS = ("plain", "cloth", "wood", "lines", "dots", "tiles", "patches", "letters")
LETTERS = "ABCDEFGHKLMNPRSTUWXYZ0123456789"


def table(rng: Rng, side: int, scale: float) -> Array:
    """Return the picture of a table, BGR to 1; ``scale`` is the size of a die in pixels."""
    ground = np.tile(_colour(rng), (side, side, 1)).astype(np.float32)
    kind = "plain" if rng.random() < 0.2 else rng.choice(KINDS)
    if kind != "plain" or rng.random() < 0.5:
        ground += rng.uniform(0, 0.12) * _clouds(rng, side)[..., None]
    other = _colour(rng)
    if kind == "cloth":
        ground += rng.normal(0, rng.uniform(0.01, 0.12), (side, side, 1)).astype(np.float32)
    elif kind == "wood":
        _mix(ground, other, 0.5 * _grain(rng, side))
    elif kind == "lines":
        _mix(ground, other, _lines(rng, side, scale))
    elif kind == "dots":
        _mix(ground, other, _dots(rng, side, scale))
    elif kind == "tiles":
        _mix(ground, other, np.maximum(_lines(rng, side, scale), _lines(rng, side, scale)))
    elif kind == "patches":
        for _ in range(int(rng.integers(2, 12))):
            _polygon(rng, ground, side, scale * rng.uniform(0.3, 4))
    elif kind == "letters":
        _letters(rng, ground, side, scale, int(rng.integers(3, 25)))
    for _ in range(int(rng.integers(0, 5)) if rng.random() < 0.6 else 0):
        put_down(rng, ground, rng.uniform(0, side, 2), scale)
    return np.clip(ground, 0, 1)


def _colour(rng: Rng) -> Array:
    kind = rng.random()
    if kind < 0.45:
        grey = rng.uniform(0.1, 0.97)
        return np.clip(grey + rng.normal(0, 0.03, 3), 0, 1).astype(np.float32)
    one = np.array([[[rng.uniform(0, 360), rng.uniform(0.1, 0.9), rng.uniform(0.1, 1)]]])
    colour: Array = cv2.cvtColor(one.astype(np.float32), cv2.COLOR_HSV2BGR)[0, 0]
    return colour


def _mix(ground: Array, colour: Array, share: Array) -> None:
    ground += (colour - ground) * share[..., None]


def _clouds(rng: Rng, side: int) -> Array:
    clouds = np.zeros((side, side), np.float32)
    for cells in (3, 8, 24):
        few = rng.normal(0, 1, (cells, cells)).astype(np.float32)
        clouds += cv2.resize(few, (side, side), interpolation=cv2.INTER_CUBIC) * rng.uniform(0, 1)
    return clouds


def _grain(rng: Rng, side: int) -> Array:
    few = rng.normal(0, 1, (int(rng.integers(20, 90)), 3)).astype(np.float32)
    grain = cv2.resize(few, (side, side), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.5:
        grain = grain.T
    return np.clip(grain * rng.uniform(0.2, 0.7) + 0.3, 0, 1)


def _axes(rng: Rng, side: int) -> Array:
    turn = rng.uniform(0, np.pi)
    x, y = np.meshgrid(np.arange(side), np.arange(side))
    return (x * np.cos(turn) + y * np.sin(turn)).astype(np.float32)


def _lines(rng: Rng, side: int, scale: float) -> Array:
    pitch, share = scale * rng.uniform(0.2, 2.5), rng.uniform(0.05, 0.5)
    place = np.mod(_axes(rng, side) / pitch + rng.random(), 1)
    return np.clip((share / 2 - np.abs(place - 0.5)) * pitch + 0.5, 0, 1) * rng.uniform(0.3, 1)


def _dots(rng: Rng, side: int, scale: float) -> Array:
    dots = np.zeros((side, side), np.float32)
    pitch = scale * rng.uniform(0.25, 1.3)
    radius = pitch * rng.uniform(0.12, 0.4)
    turn, loose = rng.uniform(0, np.pi), rng.choice((0.0, 0.0, 0.3, 1.5)) * pitch
    reach = int(side / pitch) + 1
    for i in range(-reach, reach):
        for j in range(-reach, reach):
            x = pitch * (i * np.cos(turn) - j * np.sin(turn)) + side / 2 + rng.normal(0, loose)
            y = pitch * (i * np.sin(turn) + j * np.cos(turn)) + side / 2 + rng.normal(0, loose)
            if -radius < x < side + radius and -radius < y < side + radius:
                _disc(dots, x, y, radius, 1.0)
    return dots


def _disc(ground: Array, x: float, y: float, radius: float, colour: object) -> None:
    at = (round(x * 16), round(y * 16))
    cv2.circle(ground, at, max(8, round(radius * 16)), colour, -1, cv2.LINE_AA, 4)


def _polygon(rng: Rng, ground: Array, side: int, size: float) -> None:
    around = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
    points = rng.uniform(0, side, 2) + size * np.stack([np.cos(around), np.sin(around)], axis=1)
    fill = tuple(map(float, _colour(rng)))
    cv2.fillPoly(ground, [np.rint(points * 16).astype(np.int32)], fill, cv2.LINE_AA, 4)


def _letters(rng: Rng, ground: Array, side: int, scale: float, count: int) -> None:
    paint = np.zeros((side, side), np.uint8)
    for _ in range(count):
        text = "".join(rng.choice(list(LETTERS), int(rng.integers(1, 7))))
        at = (int(rng.integers(-20, side)), int(rng.integers(0, side + 10)))
        size, thick = scale / 35 * rng.uniform(0.3, 1.5), int(rng.integers(1, 3))
        cv2.putText(paint, text, at, int(rng.choice((0, 2, 3, 4))), size, 255, thick, cv2.LINE_AA)
    _mix(ground, _colour(rng), paint.astype(np.float32) / 255)


THINGS = ("ball", "disc", "ring", "bar", "domino", "card", "wire", "block", "screw", "screw")


def put_down(rng: Rng, ground: Array, place: Array, scale: float) -> None:
    """Put something on the table that is no die: a ball, a domino, a blank cube, a screw."""
    kind = rng.choice(THINGS)
    side = len(ground)
    (x, y), size = map(float, place), scale * rng.uniform(0.3, 0.9)
    first, second = tuple(map(float, _colour(rng))), tuple(map(float, _colour(rng)))
    if kind == "ball":
        away = rng.normal(0, 0.35, 2)
        for n in range(10):
            share = n / 9
            colour = tuple(c * (0.45 + 0.55 * share) for c in first)
            near = away * size * 0.5 * share
            _disc(ground, x + near[0], y + near[1], size * 0.6 * (1 - 0.9 * share), colour)
        _disc(ground, x + away[0] * size * 0.6, y + away[1] * size * 0.6, size * 0.1, (1.0,) * 3)
    elif kind == "disc":
        _disc(ground, x, y, size * 0.7, first)
        for _ in range(int(rng.integers(0, 3))):
            _disc(ground, x, y, size * rng.uniform(0.05, 0.6), second)
    elif kind == "ring":
        at, thick = (round(x), round(y)), max(1, round(size * rng.uniform(0.05, 0.3)))
        cv2.circle(ground, at, round(size * 0.6), first, thick, cv2.LINE_AA)
    elif kind == "screw":
        _screw(rng, ground, x, y, size * 0.65)
    elif kind == "wire":
        ends = rng.integers(0, side, (2, 2))
        thick = max(1, round(scale * rng.uniform(0.03, 0.4)))
        cv2.line(ground, ends[0].tolist(), ends[1].tolist(), first, thick, cv2.LINE_AA)
    else:
        long = size * {"bar": rng.uniform(2, 6), "card": 3, "domino": 2}.get(str(kind), 1)
        wide = size * {"card": 2}.get(str(kind), 1)
        turn = np.degrees(rng.uniform(0, np.pi))
        points = cv2.boxPoints(((float(x), float(y)), (float(long), float(wide)), float(turn)))
        if kind == "block":  # a side that is seen, too
            low = points + rng.normal(0, 0.15, 2) * size
            dark = tuple(0.6 * c for c in first)
            hull = cv2.convexHull(np.concatenate([points, low]).astype(np.float32))
            cv2.fillPoly(ground, [np.rint(hull * 16).astype(np.int32)], dark, cv2.LINE_AA, 4)
        cv2.fillPoly(ground, [np.rint(points * 16).astype(np.int32)], first, cv2.LINE_AA, 4)
        if kind == "domino":
            _domino(rng, ground, points, size, second)


def _screw(rng: Rng, ground: Array, x: float, y: float, radius: float) -> None:
    """Draw the head of a screw, a rivet, a magnet: a metal disc, seen a little from aside."""
    metal = rng.uniform(0.08, 0.75) + rng.normal(0, 0.02, 3)
    turn, flat = float(rng.uniform(0, 180)), float(rng.uniform(0.7, 1))
    side = len(ground)
    span = np.arange(side, dtype=np.float32)
    slope = rng.normal(0, 0.25, 2) / radius
    light = 1 + slope[0] * (span[None] - x) + slope[1] * (span[:, None] - y)
    light = np.clip(light, 0.5, 1.6) + rng.normal(0, rng.uniform(0, 0.06), (side, side))
    steps = [(1.0, 1.0)]
    if rng.random() < 0.6:  # a rim, or a dish
        steps.append((rng.uniform(0.5, 0.92), rng.uniform(0.55, 1.5)))
    if rng.random() < 0.2:
        steps.append((rng.uniform(0.15, 0.4), rng.uniform(0.3, 1.7)))
    for share, tone in steps:
        cover = np.zeros((side, side), np.float32)
        long = 2 * radius * share
        cv2.ellipse(cover, ((x, y), (long, long * flat), turn), 1.0, -1, cv2.LINE_AA)
        ground += (metal * tone * light[..., None] - ground) * cover[..., None]
    slots = int(rng.choice((0, 0, 1, 2)))
    around = rng.uniform(0, np.pi)
    for n in range(slots):
        far = radius * 0.6 * np.array([np.cos(around + n * 1.57), np.sin(around + n * 1.57)])
        ends = [
            np.rint((np.array([x, y]) + way * far) * 16).astype(int).tolist() for way in (1, -1)
        ]
        thick = max(1, round(radius * 0.2))
        cv2.line(ground, *ends, tuple(map(float, metal * 0.35)), thick, cv2.LINE_AA, 4)


def _domino(rng: Rng, ground: Array, points: Array, size: float, ink: object) -> None:
    middle, long = points.mean(axis=0), (points[2] - points[1], points[1] - points[0])
    along, across = max(long, key=lambda v: float(np.linalg.norm(v))), None
    along = along / np.linalg.norm(along)
    across = np.array([-along[1], along[0]])
    ends = [middle - across * size * 0.4, middle + across * size * 0.4]
    one, two = (np.rint(end).astype(int).tolist() for end in ends)
    cv2.line(ground, one, two, ink, max(1, round(size * 0.05)), cv2.LINE_AA)
    for half in (-0.5, 0.5):
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if rng.random() < 0.45:
                    at = middle + size * ((half + 0.25 * i) * along + 0.25 * j * across)
                    _disc(ground, float(at[0]), float(at[1]), size * 0.1, ink)
