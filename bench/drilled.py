"""Pictures of boards that nobody has, to be taught from: holes drilled in stars, squares, crosses,
round tracks and mazes, in wood, plastic and paint, with prints, lamps and shadows on them.

A seed decides everything. The truth comes along: where every hole is, and what lies in it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.sensing.camera.frame import Array, Picture

FLAT = 1200  # side of the board laid flat, in pixels
SIZES = ((1296, 972), (1600, 1200), (1280, 720), (1024, 768))

#: Paints of marbles, blue-green-red.
PAINTS = {
    "red": (40, 35, 205),
    "green": (60, 150, 45),
    "blue": (185, 80, 30),
    "yellow": (45, 200, 235),
    "white": (232, 235, 236),
    "black": (32, 30, 30),
}


@dataclass(frozen=True)
class Shot:
    """A board in two pictures: empty, and with marbles in some holes; ``radius`` in pixels."""

    seed: int
    shape: str
    empty: Picture
    set_up: Picture
    holes: Array
    spacing: float
    marbles: dict[int, str] = field(default_factory=dict)


def star(points: int) -> Array:
    """Return the holes of a star with six points, so many deep."""
    arm = range(-2 * points, 2 * points + 1)
    cells = [(q, r, -q - r) for q in arm for r in arm]
    inside = [c for c in cells if min(c) >= -points or max(c) <= points]
    return np.array([(q + r / 2, r * math.sqrt(3) / 2) for q, r, _ in inside])


def hexagon(reach: int) -> Array:
    """Return the holes of a hexagon, so many rings around the middle."""
    side = range(-reach, reach + 1)
    cells = [(q, r) for q in side for r in side if abs(q + r) <= reach]
    return np.array([(q + r / 2, r * math.sqrt(3) / 2) for q, r in cells])


def grid(side: int) -> Array:
    """Return the holes of a square."""
    middle = (side - 1) / 2
    return np.array([(x - middle, y - middle) for y in range(side) for x in range(side)])


def cross(corners: int) -> Array:
    """Return the holes of solitaire: the English cross of 33, the French one of 37."""
    reach = {33: 0, 37: 1}[corners]
    return np.array(
        [
            (x, y)
            for y in range(-3, 4)
            for x in range(-3, 4)
            if min(abs(x), abs(y)) <= 1 or (reach and abs(x) == abs(y) == 2)
        ],
        float,
    )


def track(rng: np.random.Generator) -> Array:
    """Return the holes of a round track with rows that lead inwards."""
    homes = int(rng.integers(4, 7))
    around = homes * int(rng.integers(6, 10))
    radius = around / math.tau
    turn = np.arange(around) * math.tau / around
    points = [np.column_stack([np.cos(turn), np.sin(turn)]) * radius]
    for home in range(homes):
        angle = home * math.tau / homes
        out = radius - 1.15 * np.arange(1, 5)
        points.append(np.column_stack([np.cos(angle) * out, np.sin(angle) * out]))
    return np.concatenate(points)


def maze(rng: np.random.Generator) -> Array:
    """Return the holes along the paths of a square maze, the same from every side."""
    half = [(x, y) for x in range(6) for y in range(6)]
    keep = {
        c for c in half if 5 in c or c[1] == 2 or c[0] == int(rng.integers(0, 4)) or c == (0, 0)
    }
    every = {(sx * x, sy * y) for x, y in keep for sx in (-1, 1) for sy in (-1, 1)}
    return np.array(sorted(every), float)


SHAPES: dict[str, Callable[[np.random.Generator], Array]] = {
    "star of 121": lambda rng: star(4),
    "star of 73": lambda rng: star(3),
    "hexagon of 61": lambda rng: hexagon(4),
    "9 × 9": lambda rng: grid(9),
    "7 × 7": lambda rng: grid(7),
    "cross of 33": lambda rng: cross(33),
    "cross of 37": lambda rng: cross(37),
    "round track": track,
    "maze": maze,
}


def shoot(seed: int, shape: str = "") -> Shot:
    """Return the pictures of a seed, of a board of this shape if one is named."""
    rng = np.random.default_rng(seed)
    names = list(SHAPES)
    shape = shape or names[int(rng.integers(len(names)))]
    plan = SHAPES[shape](rng)
    reach = float(np.linalg.norm(plan, axis=1).max())
    spread = float(rng.uniform(0.72, 0.86)) * FLAT / 2 / reach
    holes = plan * spread + FLAT / 2
    radius = spread * float(rng.uniform(0.2, 0.36))
    flat, mask = _board(rng, plan, holes, radius, spread)
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    way = _view(rng, width, height)
    table = _texture(rng, height, width, _paint(rng), float(rng.uniform(2, 14)))
    clutter = _clutter(rng, table)
    seen = cv2.warpPerspective(flat, way, (width, height), flags=cv2.INTER_AREA)
    shown = cv2.warpPerspective(mask, way, (width, height))[..., None] / np.float32(255)
    empty = clutter * (1 - shown) + seen * shown
    at = cv2.perspectiveTransform(holes[:, None], way)[:, 0]
    marbles = _marbles(rng, shape, len(holes))
    set_up = empty.copy()
    for number in sorted(marbles, key=lambda n: at[n][1]):
        _marble(rng, set_up, way, holes[number], radius, PAINTS[marbles[number]])
    light = _lights(rng, height, width)
    glare = _glare(rng, height, width, at)
    drift = float(rng.uniform(-1.2, 1.2))
    blur = float(rng.uniform(0.3, 1.4))
    quality = int(rng.integers(55, 95))
    pictures = []
    for number, picture in enumerate((empty, set_up)):
        lit = picture * light * np.float32(1 + 0.04 * number * rng.uniform(-1, 1)) + glare
        if number:
            move = np.array([[1, 0, drift], [0, 1, -drift]])
            lit = cv2.warpAffine(lit, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
        lit = cv2.GaussianBlur(lit, (0, 0), blur) + rng.standard_normal(
            lit.shape, np.float32
        ) * float(rng.uniform(1, 4))
        raw = np.clip(lit, 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", raw, [cv2.IMWRITE_JPEG_QUALITY, quality])
        pictures.append(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))
    apart = np.linalg.norm(at[:, None] - at[None], axis=2) + np.eye(len(at)) * 1e9
    spacing = float(np.median(apart.min(1)))
    return Shot(seed, shape, pictures[0], pictures[1], at, spacing, marbles)


def blank(seed: int) -> Picture:
    """Return a picture without any board: a table and what lies on it."""
    rng = np.random.default_rng(seed)
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    table = _texture(rng, height, width, _paint(rng), float(rng.uniform(2, 14)))
    for _ in range(3):
        table = _clutter(rng, table)
    lit = table * _lights(rng, height, width) + rng.normal(0, 2, table.shape)
    return np.clip(cv2.GaussianBlur(lit, (0, 0), 0.8), 0, 255).astype(np.uint8)


# -- the board


def _board(
    rng: np.random.Generator, plan: Array, holes: Array, radius: float, spread: float
) -> tuple[Array, Picture]:
    paint = _paint(rng)
    flat = _texture(rng, FLAT, FLAT, paint, float(rng.uniform(0.5, 12)))
    mask = np.zeros((FLAT, FLAT), np.uint8)
    margin = float(np.linalg.norm(plan, axis=1).max()) * spread + spread * rng.uniform(0.6, 1.0)
    kind = int(rng.integers(3))
    if kind == 0:
        cv2.circle(
            mask, (FLAT // 2, FLAT // 2), int(min(margin, FLAT / 2 - 2)), 255, -1, cv2.LINE_AA
        )
    else:
        corners, first = ((6, math.pi / 6), (4, math.pi / 4))[kind - 1]
        turn = np.arange(corners) * math.tau / corners + first
        out = margin * (1.1 if corners == 6 else 1.25)
        outline = np.column_stack([np.cos(turn), np.sin(turn)]) * out + FLAT / 2
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], 255, cv2.LINE_AA)
        if rng.random() < 0.5:
            shade = tuple(float(c * 0.6) for c in paint)
            cv2.polylines(flat, [np.rint(outline).astype(np.int32)], True, shade, 14, cv2.LINE_AA)
    ink = _paint(rng)
    if rng.random() < 0.4:
        for one in range(len(holes)):
            for other in range(one):
                if math.dist(plan[one], plan[other]) < 1.2:
                    start, end = ([int(v) for v in holes[n]] for n in (one, other))
                    cv2.line(flat, start, end, ink, int(rng.integers(2, 6)), cv2.LINE_AA)
    if rng.random() < 0.4:
        for _ in range(4):
            at = (int(rng.uniform(0.1, 0.8) * FLAT), int(rng.uniform(0.1, 0.9) * FLAT))
            word = ("COMPANY", "GAME", "8 8 0 o O", "No. 608")[int(rng.integers(4))]
            if np.linalg.norm(holes - np.array(at), axis=1).min() > radius * 2:
                letters = np.zeros((FLAT, FLAT), np.uint8)
                cv2.putText(letters, word, at, 3, rng.uniform(0.7, 2), 255, 3, cv2.LINE_AA)
                flat += (np.array(ink) - flat) * (letters[..., None] / 255.0)
    rings = rng.random() < 0.25
    look = int(rng.integers(3))
    side = rng.normal(0, 1, 2)
    below = _paint(rng) if look == 1 else tuple(float(c * 0.3) for c in paint)
    depth = float(rng.uniform(0.3, 0.9))
    for hole in holes:
        if rings:
            _disc(flat, hole, radius * 1.3, ink, 0.9)
        if look == 2:  # a shallow bowl: one side in shade, the other lit
            _bowl(flat, hole, radius, side / np.linalg.norm(side), depth)
            continue
        inside = np.array(paint) * (0.25 + 0.25 * rng.random())
        _disc(flat, hole, radius, inside, 1.0)
        slant = (hole - FLAT / 2) / FLAT * 0.9 + side * 0.15
        _disc(flat, hole, radius, below, 0.9, hole + slant * radius * depth * 2)
    return flat, mask


def _disc(
    flat: Array, at: Array, radius: float, paint: object, alpha: float, other: Array | None = None
) -> None:
    """Paint a disc, only where it overlaps with a second one of its size if there is one."""
    x0, y0 = (np.floor(at - radius - 3)).astype(int)
    side = int(2 * radius + 8)
    if x0 < 0 or y0 < 0 or x0 + side > FLAT or y0 + side > FLAT:
        return
    ys, xs = np.mgrid[y0 : y0 + side, x0 : x0 + side]
    cover = np.clip(radius - np.hypot(xs - at[0], ys - at[1]) + 0.5, 0, 1)
    if other is not None:
        cover *= np.clip(radius * 0.97 - np.hypot(xs - other[0], ys - other[1]) + 0.5, 0, 1)
    part = flat[y0 : y0 + side, x0 : x0 + side]
    part += (np.array(paint, float) - part) * cover[..., None] * alpha


def _bowl(flat: Array, at: Array, radius: float, side: Array, depth: float) -> None:
    x0, y0 = (np.floor(at - radius - 3)).astype(int)
    span = int(2 * radius + 8)
    if x0 < 0 or y0 < 0 or x0 + span > FLAT or y0 + span > FLAT:
        return
    ys, xs = np.mgrid[y0 : y0 + span, x0 : x0 + span]
    dx, dy = (xs - at[0]) / radius, (ys - at[1]) / radius
    far = np.hypot(dx, dy)
    cover = np.clip((1 - far) * radius + 0.5, 0, 1)
    shade = 0.75 + depth * 0.6 * (dx * side[0] + dy * side[1]) - 0.25 * far
    part = flat[y0 : y0 + span, x0 : x0 + span]
    part *= 1 + (shade - 1)[..., None] * cover[..., None]


def _paint(rng: np.random.Generator) -> tuple[float, float, float]:
    if rng.random() < 0.45:  # woods
        light = rng.uniform(0.35, 1)
        return float(120 * light), float(175 * light), float(225 * light)
    hue, deep, bright = rng.uniform(0, 180), rng.uniform(0, 230), rng.uniform(45, 235)
    made = cv2.cvtColor(np.array([[[hue, deep, bright]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(made[0]), float(made[1]), float(made[2])


def _texture(
    rng: np.random.Generator,
    height: int,
    width: int,
    paint: tuple[float, float, float],
    grain: float,
) -> Array:
    noise: Array = rng.standard_normal((height, width), np.float32)
    if rng.random() < 0.6:
        noise = cv2.GaussianBlur(noise, (0, 0), sigmaX=40, sigmaY=1.5)
    else:
        noise = cv2.GaussianBlur(noise, (0, 0), 3)
    noise = noise / noise.std()
    return np.clip(np.array(paint, np.float32) + noise[..., None] * np.float32(grain), 0, 255)


def _clutter(rng: np.random.Generator, table: Array) -> Array:
    out = table.copy()
    height, width = out.shape[:2]
    for _ in range(int(rng.integers(0, 5))):
        x, y = int(rng.uniform(0, width)), int(rng.uniform(0, height))
        size = int(rng.uniform(15, 110))
        if rng.random() < 0.5:
            cv2.circle(out, (x, y), size, _paint(rng), -1, cv2.LINE_AA)
        else:
            cv2.rectangle(out, (x, y), (x + size * 2, y + size), _paint(rng), -1)
    return out


# -- what lies in it


def _marbles(rng: np.random.Generator, shape: str, count: int) -> dict[int, str]:
    paints = list(PAINTS)
    few = rng.random() < 0.5
    number = int(rng.integers(2, 9)) if few else int(rng.integers(count // 4, count // 2))
    chosen = rng.choice(count, number, replace=False)
    used = rng.choice(paints, int(rng.integers(1, 5)), replace=False)
    return {int(hole): str(used[int(rng.integers(len(used)))]) for hole in chosen}


def _marble(
    rng: np.random.Generator, picture: Array, way: Array, hole: Array, radius: float, paint: object
) -> None:
    ring = np.array([hole, hole + np.array([radius, 0]), hole + np.array([0, radius])])[:, None]
    at, right, down = cv2.perspectiveTransform(ring, way)[:, 0]
    size = max(math.dist(at, right), math.dist(at, down)) * 1.12
    at = at + np.array([0.0, -0.12 * size])
    height, width = picture.shape[:2]
    x0, y0 = (np.floor(at - size - 2)).astype(int)
    x1, y1 = (np.ceil(at + size + 3)).astype(int)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 <= x0 or y1 <= y0:
        return
    ys, xs = np.mgrid[y0:y1, x0:x1]
    dx, dy = (xs - at[0]) / size, (ys - at[1]) / size
    far = np.hypot(dx, dy)
    cover = np.clip((1 - far) * size + 0.5, 0, 1)[..., None]
    shade = 1.08 - 0.45 * far**2 - 0.2 * (dx + dy)
    ball = np.array(paint, float) * shade[..., None]
    ball += 190 * np.exp(-((dx + 0.3) ** 2 + (dy + 0.35) ** 2) / 0.02)[..., None]
    part = picture[y0:y1, x0:x1]
    part += (ball - part) * cover


# -- camera and lamps


def _view(rng: np.random.Generator, width: int, height: int) -> Array:
    """Return the homography from the flat board to the picture."""
    turn, tilt = rng.uniform(0, math.tau), math.radians(rng.uniform(0, 38))
    far = rng.uniform(2.2, 4.0)
    lift = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt), far]])
    spin = np.array(
        [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]]
    )
    scale = 2 / FLAT
    flat = np.array([[scale, 0, -1], [0, scale, -1], [0, 0, 1.0]])
    way = lift @ spin @ flat
    ends = np.array([[0, 0], [FLAT, 0], [FLAT, FLAT], [0, FLAT]], float)[:, None]
    seen = cv2.perspectiveTransform(ends, way)[:, 0]
    size = np.ptp(seen, axis=0)
    zoom = min(width / size[0], height / size[1]) * rng.uniform(0.85, 1.1)
    middle = (seen.max(0) + seen.min(0)) / 2
    room = rng.uniform(-0.04, 0.04, 2) * (width, height) + np.array([width, height]) / 2
    move = np.array(
        [[zoom, 0, room[0] - zoom * middle[0]], [0, zoom, room[1] - zoom * middle[1]], [0, 0, 1]]
    )
    return np.asarray(move @ way)


def _lights(rng: np.random.Generator, height: int, width: int) -> Array:
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    way = rng.normal(0, 1, 2)
    slope = (xs / width - 0.5) * way[0] + (ys / height - 0.5) * way[1]
    light = 1 + 0.2 * slope
    if rng.random() < 0.4:
        cut = np.cos(a := rng.uniform(0, math.tau)) * (xs - width / 2) + np.sin(a) * (
            ys - height / 2
        )
        soft = rng.uniform(3, 60)
        light *= 1 - 0.45 / (1 + np.exp(np.clip(-(cut - rng.uniform(-200, 200)) / soft, -50, 50)))
    warm = np.array([rng.uniform(0.75, 1.05), 1.0, rng.uniform(0.95, 1.15)], np.float32)
    level = np.float32(rng.uniform(0.75, 1.05))
    return np.asarray(np.clip(light, 0.25, 1.5).astype(np.float32)[..., None] * warm * level)


def _glare(rng: np.random.Generator, height: int, width: int, at: Array) -> Array:
    glare = np.zeros((height, width, 1), np.float32)
    if rng.random() < 0.45:
        x, y = at[int(rng.integers(len(at)))]
        size = rng.uniform(0.02, 0.09) * width
        ys, xs = np.mgrid[0:height, 0:width]
        far = ((xs - x) / size) ** 2 + ((ys - y) / size / rng.uniform(0.5, 1)) ** 2
        glare[..., 0] = rng.uniform(60, 200) * np.exp(-(far**2))
    return glare
