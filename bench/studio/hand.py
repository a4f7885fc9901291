"""A hand that reaches over the board: fingers, thumb, arm and sleeve.

The hand is modelled pointing north with its knuckles over the origin, thumb to the west, and is
then mirrored for a left hand, turned to its side and moved so that the fingers are at their aim.
"""

import math
import random
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bench.studio.blender import UNITS_PER_MM, Body, Mesh, Vector, bmesh, bpy, turned
from bench.studio.hands import Hand
from bench.studio.materials import Finish, make_material
from bench.studio.shapes import place, polyhedron, skin_faces, smooth
from companion.board import Board

WRIST = Vector((0, -82, 30))
KNUCKLES = [Vector(at) for at in ((-31, -3, 26), (-11, 3, 29), (10, 1, 28), (28, -8, 24))]
BONES = ((40, 25, 19), (45, 28, 21), (41, 26, 20), (32, 20, 17))
THUMB_ROOT = Vector((-22, -72, 28))
CURLED = (-48, -128, -195)
TURN_OF_SIDE = {"S": 0, "E": 90, "N": 180, "W": -90}
VOXEL_MM = 2.2
RINGS, AROUND = 26, 40


@dataclass(frozen=True)
class Pose:
    """How the bones of each finger point downwards, how fingers spread, where the thumb goes, and
    how far the tips reach beyond the knuckles."""

    bend_deg: tuple[tuple[int, int, int], ...]
    spread_deg: tuple[int, int, int, int]
    thumb: tuple[tuple[int, int, int], ...]
    reach_mm: float


POSES = {
    "open": Pose(
        ((-6, -16, -26),) * 4,
        (13, 3, -6, -17),
        ((-34, -60, 26), (-58, -34, 20), (-74, -6, 14)),
        75,
    ),
    "grab": Pose(
        ((-18, -58, -88),) * 4,
        (5, 1, -4, -9),
        ((-34, -58, 24), (-48, -22, 6), (-36, 12, -12)),
        40,
    ),
    "point": Pose(
        ((-12, -24, -36), CURLED, CURLED, CURLED),
        (4, 0, -3, -6),
        ((-34, -58, 24), (-46, -22, 14), (-26, 2, 6)),
        75,
    ),
    "fist": Pose(
        ((-50, -130, -200),) * 4,
        (2, 0, -2, -4),
        ((-34, -58, 24), (-46, -22, 14), (-22, 4, 8)),
        15,
    ),
}


@dataclass(frozen=True)
class Limb:
    """A round stretch between two points, with its radius at both."""

    start: Vector
    end: Vector
    start_mm: float
    end_mm: float


def add_hand(hand: Hand, board: Board, rng: random.Random) -> tuple[list[Body], Vector]:
    """Put a hand over the board; return it and its sleeve, and where its finger tips are. One that
    holds something has it above the board, clear of all that stands there."""
    pose = POSES[hand.pose]
    elbow = Vector((0, -520, 30 + 242 * rng.uniform(0.25, 0.5)))
    thick = 1.4 if hand.gloved else 0.0
    mesh = _flesh([*_fingers(pose, rng), *_thumb(pose), *_arm(elbow)], hand.left, thick)
    lowest = _lowest_mm(mesh)
    rotation = turned(TURN_OF_SIDE[hand.side] + rng.uniform(-28, 28))
    at = Vector((hand.x_mm, hand.y_mm, 0)) - rotation @ Vector((0, pose.reach_mm, 0))
    up = rng.uniform(6, 26) + (board.fence.height_mm if hand.holds is not None else 0.0)
    at.z = up - lowest
    skin = Finish(hand.skin, rng.uniform(0.4, 0.6), "stone", grain=0.1, scale=2, bump=0.06)
    if hand.gloved:
        skin = Finish(hand.skin, rng.uniform(0.3, 0.95), "cloth", grain=0.12, bump=0.15)
    thumb, finger = Vector(pose.thumb[-1]), Vector((-18, pose.reach_mm, lowest))
    grip = (thumb + finger) / 2
    held = rotation @ Vector((-grip.x if hand.left else grip.x, grip.y, 0))
    if hand.holds is not None:  # what it holds is where it reaches to
        at = Vector((hand.x_mm, hand.y_mm, at.z)) - held
    held = at + held
    held.z = up + 2
    body = place(mesh, make_material(skin, rng), at, rotation)
    whole = body.modifiers.new("whole", "REMESH")
    whole.mode, whole.voxel_size, whole.use_smooth_shade = "VOXEL", VOXEL_MM * UNITS_PER_MM, True
    soft = body.modifiers.new("soft", "SMOOTH")
    soft.iterations, soft.factor = 8, 0.6
    if hand.sleeve is None:
        return [body], held
    cloth = make_material(Finish(hand.sleeve, 0.9, "cloth", grain=0.15, bump=0.2), rng)
    return [body, place(_sleeve(elbow, hand.left, rng), cloth, at, rotation)], held


def _lowest_mm(mesh: Mesh) -> float:
    corners = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", corners)
    return float(corners[2::3].min()) / UNITS_PER_MM


def _fingers(pose: Pose, rng: random.Random) -> list[Limb]:
    limbs = [Limb(WRIST + Vector((k.x * 0.45, 4, 0)), k, 15, 11) for k in KNUCKLES]
    limbs += [Limb(a, b, 10.5, 10.5) for a, b in pairwise(KNUCKLES)]
    fingers = zip(KNUCKLES, BONES, pose.bend_deg, pose.spread_deg, strict=True)
    for number, (start, bones, bends, spread) in enumerate(fingers):
        radius, yaw = (8.0 if number == 3 else 9.2), math.radians(spread)
        for length, bend in zip(bones, bends, strict=True):
            down = math.radians(bend + rng.uniform(-4, 4))
            ahead = math.cos(down)
            way = Vector((-math.sin(yaw) * ahead, math.cos(yaw) * ahead, math.sin(down)))
            end = start + way * length
            limbs.append(Limb(start, end, radius, radius - 0.8))
            start, radius = end, radius - 0.8
    return limbs


def _thumb(pose: Pose) -> list[Limb]:
    joints = [THUMB_ROOT, *(Vector(at) for at in pose.thumb)]
    stretches = zip(pairwise(joints), (14, 11, 9), strict=True)
    return [Limb(start, end, radius, radius - 1.5) for (start, end), radius in stretches]


def _arm(elbow: Vector) -> list[Limb]:
    middle = WRIST + (elbow - WRIST) * 0.35
    return [
        Limb(WRIST, middle, 18, 27),
        Limb(WRIST + Vector((9, 0, 0)), middle, 17, 27),
        Limb(middle, elbow, 28, 38),
    ]


def _flesh(limbs: list[Limb], left: bool, thick_mm: float) -> Mesh:
    """Return the limbs as strings of balls, which are melted into one skin later."""
    corners, faces = _unit_ball()
    balls = []
    for limb in limbs:
        thin = min(limb.start_mm, limb.end_mm)
        count = min(60, max(2, int((limb.end - limb.start).length / (0.34 * thin)) + 1))
        for part in np.linspace(0, 1, count).tolist():
            at = limb.start.lerp(limb.end, part)
            radius = limb.start_mm + (limb.end_mm - limb.start_mm) * part + thick_mm
            balls.append((-at.x if left else at.x, at.y, at.z, radius))
    places = np.array(balls) * UNITS_PER_MM
    points = (corners * places[:, None, 3:] + places[:, None, :3]).reshape(-1, 3)
    shifts = np.arange(len(balls))[:, None, None] * len(corners)
    triangles = (faces + shifts).reshape(-1, 3)
    mesh = bpy.data.meshes.new("hand")
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.add(triangles.size)
    mesh.loops.foreach_set("vertex_index", triangles.astype(np.int32).ravel())
    mesh.polygons.add(len(triangles))
    mesh.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
    mesh.update(calc_edges=True)
    return mesh


def _unit_ball() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the corners and triangles of a ball."""
    build = bmesh.new()
    bmesh.ops.create_icosphere(build, subdivisions=2, radius=1)
    corners = np.array([corner.co[:] for corner in build.verts])
    faces = np.array([[corner.index for corner in face.verts] for face in build.faces])
    build.free()
    return corners, faces


def _sleeve(elbow: Vector, left: bool, rng: random.Random) -> Mesh:
    """Return a tube of cloth with folds and a hem, from somewhere on the arm to the elbow."""
    hem = WRIST + (elbow - WRIST) * rng.uniform(0.1, 0.5)
    way = elbow - hem
    aside = way.normalized().cross(Vector((0, 0, 1))).normalized()
    upward = way.normalized().cross(aside)
    phase = rng.uniform(0, 6)
    corners = []
    for ring in range(RINGS):
        part = ring / (RINGS - 1)
        for here in range(AROUND):
            angle = 2 * math.pi * here / AROUND
            fold = 1.6 * math.sin(22 * part + phase + 2 * math.sin(angle))
            edge = {0: -4.0, 1: 1.5, 2: 1.5}.get(ring, 0.0)
            out = 34 + 14 * part + fold + edge
            at = hem + way * part + out * (math.cos(angle) * aside + math.sin(angle) * upward)
            corners.append((-at.x if left else at.x, at.y, at.z))
    return smooth(polyhedron(corners, skin_faces(RINGS, AROUND)))
