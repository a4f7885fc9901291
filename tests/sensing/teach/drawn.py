"""Boards with holes, drawn flat and seen a little from aside."""

import cv2
import numpy as np

WIDTH, HEIGHT, PITCH, RADIUS = 640, 480, 40, 9
GREY, DARK = (150, 165, 160), (40, 45, 40)
RED, BLUE = (40, 35, 200), (190, 80, 30)

SQUARE = [(x, y) for x in range(6) for y in range(6)]
CROSS = [(x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4]
TRIANGLES = [(x + y / 2, y * 0.866) for y in range(6) for x in range(-(y // 2), 8 - y // 2)]

#: From the flat board to the picture.
VIEW = np.array([[0.94, -0.16, 70.0], [0.12, 0.9, 20.0], [0.0, -0.0004, 1.0]])


def flat_at(plan):
    """Return where holes are on the board laid flat."""
    points = np.array(plan, float) * PITCH
    return points - points.min(0) + (110, 70)


def holes_at(plan, view=VIEW):
    """Return where the holes of a board are in its picture."""
    return cv2.perspectiveTransform(flat_at(plan)[:, None], view)[:, 0]


def draw(plan, things=(), view=VIEW, glare=None, seed=1):
    """Return the picture of a board; ``things`` are numbers of holes and what colour lies there."""
    rng = np.random.default_rng(seed)
    flat = np.full((HEIGHT, WIDTH, 3), GREY, np.uint8)
    for x, y in flat_at(plan):
        cv2.circle(flat, (round(x * 16), round(y * 16)), RADIUS * 16, DARK, -1, cv2.LINE_AA, 4)
    for number, colour in things:
        x, y = flat_at(plan)[number]
        cv2.circle(flat, (round(x), round(y)), RADIUS + 2, colour, -1, cv2.LINE_AA)
        cv2.circle(flat, (round(x) - 3, round(y) - 3), 2, (250, 250, 250), -1, cv2.LINE_AA)
    border = (90, 120, 150)
    seen = cv2.warpPerspective(flat, view, (WIDTH, HEIGHT), borderValue=border).astype(float)
    if glare is not None:
        cv2.circle(seen, tuple(int(v) for v in holes_at(plan, view)[glare]), 14, (255,) * 3, -1)
    seen += rng.normal(0, 2, seen.shape)
    return cv2.GaussianBlur(np.clip(seen, 0, 255).astype(np.uint8), (0, 0), 0.8)


def matched(found, truth):
    """Return how many true holes are found, and how many that are none."""
    far = np.linalg.norm(np.asarray(truth)[:, None] - np.asarray(found)[None], axis=2)
    return int((far.min(1) < PITCH / 3).sum()), int((far.min(0) >= PITCH / 3).sum())
