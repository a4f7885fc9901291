"""Samples from the simulated table: quick to draw, of every position, simple in their looks."""

import colorsys
import random
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.eyes.labels import PLACES, Standing, Stave, label
from bench.eyes.sample import WIDE_MARGIN, Sample
from companion.board import FENCE, PELLET, Board, Fence, apart
from companion.boards import profile
from companion.sensing.vision.sheet import PX, Sheet
from companion.sim import stress
from companion.sim.body import Body, Habits, Scene, make
from companion.sim.picture.camera import SimCamera, random_pose
from companion.sim.picture.lens import Pose
from companion.sim.picture.light import LIGHTS, Light
from companion.sim.picture.palm import HandArtist
from companion.sim.table import SIDES, SimTable

SIZE = (1296, 972)
SPOILERS = ("shadow", "lamp", "glare", "exposure", "blur", "jpeg", "leds")
Rgb = tuple[int, int, int]


class Seen:
    """A simulated camera's pose as :class:`Sheet` asks for it."""

    def __init__(self, pose: Pose) -> None:
        self._pose = pose
        self.width, self.height = pose.size
        self.eye = pose.eye

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels of points."""
        return self._pose.project(points.reshape(-1, 3)).reshape(*points.shape[:-1], 2)


def simulated(seed: int) -> Sample:
    """Return a sample of a table that a seed decides on."""
    rng = random.Random(seed)
    known = profile.load("reference")
    board = known if rng.random() < 0.3 else dressed(known, rng)
    table = SimTable(board, rng, Habits(off_centre_mm=rng.choice([0, 0, 0, 2, 4, 6])))
    table.set_up(position(board, rng))
    clumsy(table, rng)
    light = any_light(rng)
    pose = random_pose(board, rng, SIZE)
    strip = [(0, 0, 0)] * board.lights.count
    if rng.random() < 0.3:
        strip = [tuple(rng.choice([0, rng.randrange(256)]) for _ in range(3)) for _ in strip]
    camera = SimCamera(
        table, board, lambda: 1.0, size=SIZE, seed=seed, light=light, pose=pose, leds=lambda: strip
    )
    names = rng.sample(SPOILERS, rng.choice([0, 0, 0, 1, 1, 2]))
    spoilt = stress.StressedCamera(
        camera, [stress.Stress(name, rng.randint(1, 4)) for name in names], seed
    )
    frame = spoilt.read()
    assert frame is not None
    seen = Seen(camera.pose)
    sheet = Sheet.of(board, seen, WIDE_MARGIN)
    scene = table.scene()
    hidden = hand_shares(board, camera, light, scene, sheet)
    pitch = board.pitch_mm
    things = [standing(board, b) for b in scene.bodies if b.kind != FENCE and b.state == "board"]
    staves = [
        stave(board, b) for b in scene.bodies if b.kind == FENCE and b.state in ("board", "skewed")
    ]
    eye = np.array([seen.eye[0], -seen.eye[1], seen.eye[2]], np.float32) / np.float32(pitch)
    return Sample(picture=sheet.lay(frame.picture), eye=eye, **label(things, staves, hidden))


def standing(board: Board, body: Body) -> Standing:
    """Return what the labels need of a pawn or a pellet."""
    pellet = body.thing == PELLET
    made = board.pellet if pellet else board.pieces[body.thing]
    assert made is not None
    red, green, blue = (part / 255 for part in made.colour)
    return Standing(
        "ball" if pellet else "pawn",
        body.x / board.pitch_mm,
        -body.y / board.pitch_mm,
        (red, green, blue),
    )


def stave(board: Board, body: Body) -> Stave:
    """Return what the labels need of a fence."""
    red, green, blue = (part / 255 for part in board.fence.colour)
    return Stave(
        body.x / board.pitch_mm,
        -body.y / board.pitch_mm,
        body.angle,
        board.fence.length_mm / board.pitch_mm,
        seated=body.state == "board" and not body.tilt and not body.lean,
        lies=body.lean > 45,
        half=body.state == "board" and bool(body.tilt) and not body.lean,
        paint=(red, green, blue),
    )


def any_colour(rng: random.Random) -> Rgb:
    """Return a colour as things have it: some deep, most not, some grey."""
    value = rng.uniform(0.05, 1.0)
    depth = rng.choice([rng.uniform(0, 0.15), rng.uniform(0.1, 0.6), rng.uniform(0.5, 1.0)])
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), depth, value)
    return round(255 * red), round(255 * green), round(255 * blue)


def dressed(board: Board, rng: random.Random) -> Board:
    """Return the board in colours of any kind."""
    cell = any_colour(rng)
    groove = any_colour(rng)
    if rng.random() < 0.5:
        part = rng.uniform(0.3, 1.6)
        groove = tuple(min(255, round(part * each)) for each in cell)
    fence = any_colour(rng)
    if rng.random() < 0.1:
        fence = groove
    around = {name: any_colour(rng) for name in ("rim", "frame", "table")}
    deep, bright = rng.uniform(0.5, 1.1), rng.uniform(0.5, 1.1)
    anything = rng.random() < 0.5
    pieces = {
        name: replace(
            piece,
            colour=any_colour(rng) if anything else _toned(piece.colour, deep, bright),
            shape=rng.choice(["ball", "ghost"]) if anything else piece.shape,
            height_mm=piece.height_mm * rng.uniform(0.75, 1.3),
            diameter_mm=piece.diameter_mm * rng.uniform(0.8, 1.08),
        )
        for name, piece in board.pieces.items()
    }
    assert board.pellet is not None
    return replace(
        board,
        colours={**board.colours, "cell": cell, "groove": groove, **around},
        fence=replace(
            board.fence, colour=fence, height_mm=board.fence.height_mm * rng.uniform(0.7, 1.2)
        ),
        pieces=pieces,
        pellet=replace(board.pellet, colour=any_colour(rng)),
    )


def _toned(colour: Rgb, deep: float, bright: float) -> Rgb:
    hue, depth, value = colorsys.rgb_to_hsv(*(part / 255 for part in colour))
    red, green, blue = colorsys.hsv_to_rgb(hue, min(1, deep * depth), min(1, bright * value))
    return round(255 * red), round(255 * green), round(255 * blue)


def position(board: Board, rng: random.Random) -> dict[str, str]:
    """Return a position with some of everything, in no order."""
    pieces = rng.sample(list(board.pieces), rng.randint(0, len(board.pieces)))
    things = [*pieces, *[PELLET] * rng.choice([0, 0, 2, 4])]
    spots = rng.sample(board.squares, len(things))
    slots = list(apart(rng.sample(board.slots, len(board.slots))))
    fences = slots[: rng.choice([0, rng.randint(1, 8), rng.randint(5, 20)])]
    return dict(zip(spots, things, strict=True)) | dict.fromkeys(fences, FENCE)


def clumsy(table: SimTable, rng: random.Random) -> None:
    """Leave fences half in, pushed aside or lying, pawns between squares, and now and then a hand
    over the board, with or without something in it."""
    half = table.board.field_mm / 2

    def anywhere() -> tuple[float, float]:
        return rng.uniform(-half, half), rng.uniform(-half, half)

    bodies = [body for body in table.scene().bodies if body.state == "board"]
    for body in bodies:
        chance = rng.random()
        if body.kind == FENCE and chance < 0.08:
            table.habits = replace(table.habits, half_in_tilts=(2.5, 12.0))
            table.half_seat(body.id)
        elif body.kind == FENCE and chance < 0.11:
            table.nudge(body.id, rng.uniform(-8, 8), rng.uniform(-8, 8))
        elif body.kind != FENCE and chance < 0.2:
            table.place(body.id, *anywhere())
    if rng.random() < 0.3:
        spare = table.spare_fence(rng.choice(["west", "east"]))
        if spare:
            table.lay(spare, *anywhere(), rng.uniform(0, 180))
    if rng.random() < 0.25:
        side = rng.choice(list(SIDES))
        held = rng.choice(["", "", "fence", "pawn"])
        id = table.spare_fence() if held == "fence" else None
        if held == "pawn" and (pawns := [b.id for b in bodies if b.thing in table.board.pieces]):
            id = rng.choice(pawns)
        if id:
            table.lift(id, side)
            table.carry(id, *anywhere(), rng.choice([0.0, 90.0, rng.uniform(0, 180)]))
        else:
            table.hand(*anywhere(), SIDES[side] + rng.uniform(-40, 40))


def any_light(rng: random.Random) -> Light:
    """Return a light like one of the simulator's, from elsewhere and in another tint."""
    light = rng.choice(list(LIGHTS.values()))
    tint = [rng.uniform(0.85, 1.15) for _ in range(3)]
    bright = rng.uniform(0.6, 1.25)
    x, y, z = light.at_mm
    turn = rng.uniform(0, 2 * np.pi)
    at = (x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn), z)
    lamp, room = (
        tuple(bright * each * t for each, t in zip(part, tint, strict=True))
        for part in (light.lamp, light.room)
    )
    return replace(light, at_mm=at, lamp=lamp, room=room, softness=rng.uniform(0.03, 0.3))


def hand_shares(
    board: Board, camera: SimCamera, light: Light, scene: Scene, sheet: Sheet
) -> dict[str, NDArray[np.float64]]:
    """Return for every place the share of it that hands, and what they hold, hide."""
    width, height = camera.pose.size
    mask = np.zeros((height, width, 3), np.uint8)
    bare = mask.copy()
    artist = HandArtist(camera.pose, light)
    for hand in scene.hands:
        artist.hand(hand).press(mask)
        white = np.full_like(mask, 255)
        artist.hand(hand).press(white)
        bare[(mask > 0).any(axis=-1) & (white < 255).any(axis=-1)] = 255
    for body in scene.bodies:
        if body.state == "held":
            hull = cv2.convexHull(camera.pose.project(_box(board, body)).astype(np.float32))
            cv2.fillConvexPoly(bare, np.round(hull).astype(np.int32), (255, 255, 255))
    flat = cv2.blur(sheet.lay(bare)[..., 0], (PX, PX)) / 255.0
    shares = {}
    for name, places in PLACES.items():
        at = np.round(places * PX + (flat.shape[0] - 1) / 2).astype(int)
        shares[name] = flat[at[..., 1], at[..., 0]]
    return shares


def _box(board: Board, body: Body) -> NDArray[np.float64]:
    """Return the corners of a box around a body, (8, 3)."""
    made = board.fence if body.kind == FENCE else make(body.thing, board)
    long, wide = (
        (made.length_mm, made.thickness_mm)
        if isinstance(made, Fence)
        else (made.diameter_mm, made.diameter_mm)
    )
    turn = np.radians(body.angle)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    corners = [
        np.array([body.x, body.y]) + along * long / 2 * a + across * wide / 2 * b
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    heights = (body.z, body.z + made.height_mm)
    return np.array([[x, y, z] for x, y in corners for z in heights])
