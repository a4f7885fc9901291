"""One die, drawn by casting rays: a cube with round edges, cut by a ball, with hollow pips.

It lies at the origin with its edges one long; a camera looks at it from any height. Light, gloss,
colours and the arrangement of pips are drawn by lot.
"""

from dataclasses import dataclass

import cv2
import numpy as np

Array = np.ndarray
Rng = np.random.Generator

SIZE = 76  # pixels of a side of the drawing
ACROSS = 43  # pixels that an edge of the die is long
FINER = 2  # rays a pixel, each way
STEPS = 17  # of a ray on its way to the body
SPECIAL = 7  # the face with "F2"
APART = (20, 35, 50)  # of 100 by which the colours of body and pips differ at least
STEEP = np.radians(56)  # the camera's farthest lean from straight above

#: Where pips lie for each value, in steps from the middle of the face.
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


@dataclass(frozen=True)
class Drawn:
    """A die as seen: colours with how much of each pixel it covers, BGRA; its value; how far the
    camera leans from straight above, towards the lower edge of the picture."""

    picture: Array
    value: int
    lean: float


def draw(rng: Rng) -> Drawn:
    """Draw one die by lot."""
    lean = float(rng.uniform(0, STEEP) if rng.random() < 0.7 else rng.uniform(0, 0.35))
    eye, rays = _rays(lean, rng.uniform(5, 16))
    turn = rng.uniform(0, 2 * np.pi)
    spun = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    spun = spun.astype(np.float32)
    eye, rays = eye @ spun, rays @ spun  # the die stays, the camera walks around it
    radius = rng.uniform(0.03, 0.2)
    ball = rng.uniform(0.62, 0.78) if rng.random() < 0.6 else 0.9
    at, hit = _cast(eye, rays, radius, ball)
    normal = _normals(at, radius, ball)
    value = int(rng.integers(1, 7)) if rng.random() > 0.06 else SPECIAL
    ink, normal = _marks(rng, at, normal, _faces(rng, value))
    light = _lit(rng, normal, rays[hit], spun, ink, at)
    full = np.zeros((len(rays), 4), np.float32)
    full[hit, :3], full[hit, 3] = light, 1
    fine = full.reshape(SIZE * FINER, SIZE * FINER, 4)
    small = fine.reshape(SIZE, FINER, SIZE, FINER, 4).mean(axis=(1, 3))
    cover = small[..., 3:]
    colour = np.clip(small[..., :3] / np.maximum(cover, 1e-6), 0, 1) ** (1 / 2.2)
    picture = np.dstack([colour, cover]) * 255
    return Drawn(np.rint(picture).astype(np.uint8), value, lean)


def _rays(lean: float, away: float) -> tuple[Array, Array]:
    """Return the camera's place and the directions of its rays, upper left first."""
    back = np.array([0, -np.sin(lean), np.cos(lean)])
    up = np.array([0, np.cos(lean), np.sin(lean)])
    steps = ((np.arange(SIZE * FINER) + 0.5) / FINER - SIZE / 2) / ACROSS
    x, y = np.meshgrid(steps, -steps)
    goals = x[..., None] * np.array([1.0, 0, 0]) + y[..., None] * up
    rays = goals - back * away
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    return (back * away).astype(np.float32), rays.reshape(-1, 3).astype(np.float32)


def _cast(eye: Array, rays: Array, radius: float, ball: float) -> tuple[Array, Array]:
    """Return where rays meet the die, and which of them do."""
    along = -(rays @ eye)
    near = eye @ eye - along**2
    hopeful = np.flatnonzero(near < min(ball, 0.87) ** 2)
    lines, start = np.ascontiguousarray(rays[hopeful].T), eye[:, None]
    way = along[hopeful] - np.sqrt(0.87**2 - near[hopeful])
    for _ in range(STEPS):
        at = start + lines * way
        off = _distance(at, radius, ball)
        way += off
    hit = off < 0.012
    return np.ascontiguousarray(at[:, hit].T), hopeful[hit]


def _distance(at: Array, radius: float, ball: float) -> Array:
    """Return how far points, (3, n), are from the die."""
    x, y, z = np.abs(at) - np.float32(0.5 - radius)
    out = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    beyond = sum(np.square(np.maximum(each, 0)) for each in (x, y, z))
    far = np.sqrt(np.square(at[0]) + np.square(at[1]) + np.square(at[2]))
    return np.maximum(np.sqrt(beyond) + out - np.float32(radius), far - np.float32(ball))


def _normals(at: Array, radius: float, ball: float) -> Array:
    beyond = np.maximum(np.abs(at) - (0.5 - radius), 0) * np.sign(at)
    flat = np.linalg.norm(beyond, axis=1, keepdims=True)
    far = np.linalg.norm(at, axis=1, keepdims=True)
    outside = np.linalg.norm(beyond, axis=1) - radius < far[:, 0] - ball
    normal = beyond / np.maximum(flat, 1e-6)
    normal[outside] = (at / far)[outside]
    return normal


def _faces(rng: Rng, value: int) -> dict[tuple[int, int], int]:
    """Return what is on each face, by axis and side; opposite faces make seven."""
    top = 2 if value == SPECIAL else value
    sides = [face for face in (1, 2, 3) if face not in (top, 7 - top)]
    rng.shuffle(sides)
    faces = {(2, 1): top, (2, -1): 7 - top}
    for axis, face in zip((0, 1), sides, strict=True):
        side = int(rng.choice((-1, 1)))
        faces[axis, side], faces[axis, -side] = face, 7 - face
    if value == SPECIAL or rng.random() < 0.03:
        faces = {at: SPECIAL if face == 2 else face for at, face in faces.items()}
    if value != SPECIAL and faces[2, 1] == SPECIAL:
        faces[2, 1] = value
    return faces


def _marks(
    rng: Rng, at: Array, normal: Array, faces: dict[tuple[int, int], int]
) -> tuple[Array, Array]:
    """Return how much of the pips' paint is at each point, and the normals with their hollows."""
    radius, step = rng.uniform(0.07, 0.14), rng.uniform(0.2, 0.31)
    radius = min(radius, step * 0.45)
    lone = radius * (rng.uniform(1, 1.9) if rng.random() < 0.3 else 1)
    hollow = rng.uniform(0, 0.9)
    ring = rng.random() < 0.05
    long, narrow = rng.uniform(1, 1.2), rng.uniform(0.65, 1)  # a six is mostly no square
    ink = np.zeros(len(at), np.float32)
    normal = normal.copy()
    axes = np.abs(at).argmax(axis=1)
    word = _word(rng)
    for (axis, side), face in faces.items():
        on = np.flatnonzero((axes == axis) & (np.sign(at[:, axis]) == side))
        if not len(on):
            continue  # out of sight
        first, second = [other for other in range(3) if other != axis]
        u, v = at[on, first], at[on, second]
        if (side == 1) == (axis == 1):  # seen from outside, v lies left of u
            u, v, first, second = v, u, second, first
        quarter = rng.random() < 0.5
        if quarter:
            u, v = v, -u
        if face == SPECIAL:
            turned = rng.random() < 0.5
            ink[on] = _read(word, *((-u, -v) if turned else (u, v)))
            continue
        size = lone if face == 1 else radius
        for x, y in PIPS[face]:
            far = (x * narrow, y * long) if face == 6 else (x, y)
            du, dv = u - far[0] * step, v - far[1] * step
            off = np.hypot(du, dv)
            paint = np.clip((size - off) / 0.015 + 0.5, 0, 1)
            if ring:
                paint *= np.clip((off - size * 0.45) / 0.015 + 0.5, 0, 1)
            ink[on] = np.maximum(ink[on], paint)
            within = off < size
            bowl = (-dv, du) if quarter else (du, dv)
            normal[on[within], first] -= hollow * bowl[0][within] / size
            normal[on[within], second] -= hollow * bowl[1][within] / size
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return ink, normal


def _word(rng: Rng) -> Array:
    """Return the paint of the special face, drawn in one of OpenCV's fonts."""
    paint = np.zeros((64, 64), np.uint8)
    font = int(rng.choice((0, 2, 3, 4)))
    scale, thick = rng.uniform(0.95, 1.35), int(rng.integers(2, 7))
    (wide, high), _ = cv2.getTextSize("F2", font, scale, thick)
    cv2.putText(paint, "F2", ((64 - wide) // 2, (64 + high) // 2), font, scale, 255, thick, 16)
    return paint


def _read(word: Array, u: Array, v: Array) -> Array:
    at = np.stack([(u + 0.5) * 63, (0.5 - v) * 63]).astype(np.float32)
    read = cv2.remap(word, at[0][None], at[1][None], cv2.INTER_LINEAR)
    return read[0].astype(np.float32) / 255


def _lit(rng: Rng, normal: Array, rays: Array, spun: Array, ink: Array, at: Array) -> Array:
    """Return the light that comes from each point, blue green red, linear."""
    body, other, paint = _colours(rng)
    marble = np.zeros(len(at), np.float32)
    if rng.random() < 0.45:
        for _ in range(4):
            wave = rng.normal(0, 1, 3) * rng.uniform(2, 9)
            bent = at + 0.15 * np.sin(at[:, [1, 2, 0]] * rng.uniform(4, 9) + rng.uniform(0, 6))
            marble += np.sin(bent @ wave + rng.uniform(0, 6)).astype(np.float32)
        marble = np.clip(marble * rng.uniform(0.3, 1) * 0.5 + 0.5, 0, 1) * rng.uniform(0.3, 1)
    albedo = body + (other - body) * marble[:, None]
    albedo = albedo + (paint - albedo) * ink[:, None]
    world = normal @ spun.T
    seen = rays @ spun.T
    facing = np.clip(-np.einsum("ij,ij->i", world, seen), 0, 1)
    sky = rng.uniform(0.25, 0.8)
    light = sky * (0.55 + 0.45 * world[:, 2:]) + np.zeros(3)
    floor = rng.uniform(0, 0.35)
    light = light + floor * np.clip(-world[:, 2:] + 0.35, 0, 1)
    mirror = seen + 2 * facing[:, None] * world
    fresnel = 0.05 + 0.95 * (1 - facing) ** 5
    gloss = rng.uniform(0, 1)
    shine = np.zeros(len(at))
    for _ in range(int(rng.integers(1, 4))):
        high, around = rng.uniform(0.4, 1.0), rng.uniform(0, 2 * np.pi)
        flat = np.sqrt(1 - high**2)
        lamp = np.array([flat * np.cos(around), flat * np.sin(around), high])
        tint = 1 + rng.normal(0, 0.05, 3)
        light = light + rng.uniform(0.15, 0.7) * np.clip(world @ lamp, 0, 1)[:, None] * tint
        width = rng.choice((0.002, 0.01, 0.04, 0.1))
        shine += np.exp(rng.uniform(-1.5, 2.5)) * np.exp(
            -(1 - np.clip(mirror @ lamp, 0, 1)) / width
        )
    for _ in range(int(rng.integers(0, 4))):  # windows and ceiling lamps, mirrored
        shine += np.exp(rng.uniform(-1, 2.9)) * _panel(rng, mirror)
    shine += rng.uniform(0, 0.5) * np.clip(mirror[:, 2], 0, 1)
    glow = rng.uniform(0, 0.5) * (1 - facing) ** 1.5 * (rng.random() < 0.3)
    out = albedo * light * (1 + glow[:, None])
    out = out + (gloss * fresnel * shine * (1 - 0.5 * ink * (rng.random() < 0.5)))[:, None]
    return np.clip(out * rng.uniform(0.7, 1.25), 0, 1).astype(np.float32)


def _panel(rng: Rng, mirror: Array) -> Array:
    up = np.maximum(mirror[:, 2], 0.05)
    x, y = mirror[:, 0] / up, mirror[:, 1] / up
    turn = rng.uniform(0, np.pi)
    x, y = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    wide, high = rng.uniform(0.1, 0.8), rng.uniform(0.1, 1.6)
    off_x, off_y = np.abs(x - rng.uniform(-1.5, 1.5)), np.abs(y - rng.uniform(-1.5, 1.5))
    soft = rng.uniform(0.03, 0.2)
    inside = np.clip((wide - off_x) / soft, 0, 1) * np.clip((high - off_y) / soft, 0, 1)
    return inside * (mirror[:, 2] > 0.05)


def _colours(rng: Rng) -> tuple[Array, Array, Array]:
    """Return the colours of body, its marbling and the pips, linear; body and pips differ."""
    least, what = rng.choice(APART), 3 if rng.random() < 0.3 else 1
    while True:
        body, other = _colour(rng), _colour(rng)
        if rng.random() < 0.5:
            other = np.clip(body * rng.uniform(0.3, 1.8), 0, 1)
        kind = rng.random()
        if kind < 0.5:
            paint = np.full(3, rng.uniform(0.6, 0.95))
        elif kind < 0.75:
            paint = np.full(3, rng.uniform(0.005, 0.04))
        else:
            paint = _colour(rng)
        if min(_apart(body, paint, what), 1.3 * _apart(other, paint, what)) > least:
            return body, other, paint


def _colour(rng: Rng) -> Array:
    kind = rng.random()
    if kind < 0.12:
        grey = rng.uniform(0.65, 0.95)
        return np.clip(np.array([grey * rng.uniform(0.8, 1), grey, grey]), 0, 1)
    if kind < 0.24:
        return np.full(3, rng.uniform(0.004, 0.05)) * rng.uniform(0.7, 1.3, 3)
    hue, deep, bright = rng.uniform(0, 360), rng.uniform(0.25, 1), rng.uniform(0.12, 1)
    one = np.array([[[hue, deep, bright]]], np.float32)
    return cv2.cvtColor(one, cv2.COLOR_HSV2BGR)[0, 0].astype(float) ** 2.2


def _apart(one: Array, other: Array, what: int) -> float:
    """Return how far colours are from each other in lightness (1), or in all (3)."""
    pair = np.array([[one, other]], np.float32) ** (1 / 2.2)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2Lab)[0]
    return float(np.linalg.norm((lab[0] - lab[1])[:what]))
