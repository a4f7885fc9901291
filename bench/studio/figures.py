"""The figures of the game: ghosts with their eyes, and Pac-Man in the shapes that people make."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.studio.blender import UNITS_PER_MM, Body, Material, Matrix, Mesh, Vector, turned
from bench.studio.materials import Finish, make_material
from bench.studio.pawns import Pawn
from bench.studio.shapes import ball, box, column, place, polyhedron, skin_faces, smooth
from bench.studio.themes import Theme

AROUND = 48
DARK = (0.012, 0.012, 0.012)


@dataclass(frozen=True)
class Inks:
    """The materials of eyes, which all figures of a picture share."""

    white: Material
    pupil: Material
    dark: Material


def mix_inks(theme: Theme, rng: random.Random) -> Inks:
    """Return the materials of eyes."""
    return Inks(
        white=make_material(Finish((0.85, 0.85, 0.85), 0.3), rng),
        pupil=make_material(Finish(theme.pupil, 0.3), rng),
        dark=make_material(Finish(DARK, 0.4), rng),
    )


@dataclass(frozen=True)
class Place:
    """Where a pawn stands, or which way its head lies, or how far it leans to which side."""

    x_mm: float
    y_mm: float
    foot_mm: float = 0.0
    lies_deg: float | None = None
    lean_deg: float = 0.0
    towards_deg: float = 0.0


def add_pawn(pawn: Pawn, place_: Place, inks: Inks, rng: random.Random) -> list[Body]:
    """Put a pawn on the board; return all its parts."""
    kind, _, shape = pawn.shape.partition(" ")
    paint = make_material(Finish(pawn.colour, pawn.roughness), rng)
    at = Vector((place_.x_mm, place_.y_mm, place_.foot_mm))
    rotation = turned(rng.uniform(0, 360))
    if place_.lies_deg is not None:
        at, rotation = _fallen(pawn, place_, at, rotation)
    elif place_.lean_deg:
        about = turned(place_.towards_deg) @ turned(place_.lean_deg, "Y")
        rotation = about @ turned(-place_.towards_deg) @ rotation
        at.z += pawn.width_mm / 2 * math.sin(math.radians(place_.lean_deg))
    if kind == "ghost":
        return _ghost(pawn, shape, paint, inks, at, rotation, rng)
    if kind == "pacman":
        return _pacman(pawn, shape, paint, inks, at, rotation, rng)
    return [place(_plain(pawn), paint, at, rotation)]


#: How wide the head of a pawn is, of its foot; it lies on both.
HEADS = {"peg": 0.6, "turned": 0.58, "cone": 0.12}


def _fallen(pawn: Pawn, place_: Place, at: Vector, rotation: Matrix) -> tuple[Vector, Matrix]:
    """Return where the foot of a pawn is that lies on its side, and how it is turned."""
    assert place_.lies_deg is not None
    half, head = pawn.width_mm / 2, HEADS.get(pawn.shape, 1.0)
    dip = math.degrees(math.atan2(half * (1 - head), pawn.height_mm))
    lie = turned(place_.lies_deg) @ turned(90 + dip, "Y")
    foot = at - lie @ Vector((0, 0, pawn.height_mm / 2))
    foot.z = at.z + half * math.cos(math.radians(dip))
    return foot, lie @ (rotation if not pawn.shape.endswith(("cube", "standee")) else turned(0))


#: Outlines of turned pawns: radius and height, as shares of half the width and of the height.
OUTLINES = {
    "peg": (
        *((1.0, 0.0), (1.0, 0.06), (0.92, 0.12), (0.72, 0.4), (0.52, 0.62), (0.5, 0.68)),
        *((0.56, 0.74), (0.6, 0.82), (0.56, 0.9), (0.4, 0.97), (0.0, 1.0)),
    ),
    "turned": (
        *((1.0, 0.0), (1.0, 0.1), (0.85, 0.15), (0.6, 0.22), (0.45, 0.35), (0.34, 0.55)),
        *((0.36, 0.6), (0.6, 0.63), (0.6, 0.66), (0.34, 0.68), (0.5, 0.74), (0.56, 0.83)),
        *((0.5, 0.92), (0.3, 0.98), (0.0, 1.0)),
    ),
    "cone": ((1.0, 0.0), (1.0, 0.04), (0.55, 0.52), (0.12, 0.96), (0.0, 1.0)),
    "cylinder": ((0.96, 0.0), (1.0, 0.03), (1.0, 0.95), (0.94, 1.0), (0.0, 1.0)),
    "disc": ((0.95, 0.0), (1.0, 0.12), (1.0, 0.88), (0.95, 1.0), (0.0, 1.0)),
}


def _plain(pawn: Pawn) -> Mesh:
    half, high = pawn.width_mm / 2, pawn.height_mm
    if pawn.shape == "ball":
        mesh = ball(half)
        mesh.transform(Matrix.Translation((0, 0, half * UNITS_PER_MM)))
        return mesh
    if pawn.shape == "cube":
        side = pawn.width_mm * 0.86
        mesh = box(side, side, high, 0.8, 3)
        mesh.transform(Matrix.Translation((0, 0, high * UNITS_PER_MM)))
        return mesh
    return turned_body([(out * half, up * high) for out, up in OUTLINES[pawn.shape]])


def turned_body(outline: Sequence[tuple[float, float]]) -> Mesh:
    """Return what a lathe makes of an outline that ends on its axis."""
    rim = outline[:-1]
    corners = [
        (out * math.cos(2 * math.pi * n / AROUND), out * math.sin(2 * math.pi * n / AROUND), up)
        for out, up in rim
        for n in range(AROUND)
    ]
    corners.append((0.0, 0.0, outline[-1][1]))
    last, tip = (len(rim) - 1) * AROUND, len(corners) - 1
    faces: list[tuple[int, ...]] = [tuple(range(AROUND))[::-1], *skin_faces(len(rim), AROUND)]
    faces += [(last + n, last + (n + 1) % AROUND, tip) for n in range(AROUND)]
    mesh = polyhedron(corners, faces)
    mesh.polygons.foreach_set("use_smooth", [n > 0 for n in range(len(faces))])
    mesh.set_sharp_from_angle(angle=math.radians(50))
    return mesh


def _ghost(
    pawn: Pawn,
    shape: str,
    paint: Material,
    inks: Inks,
    at: Vector,
    rotation: Matrix,
    rng: random.Random,
) -> list[Body]:
    radius, height = pawn.width_mm / 2, pawn.height_mm
    grown = radius / 8.5
    if shape == "standee":
        return _standee(pawn, paint, inks, at, rotation, rng)
    waist = radius - rng.uniform(0, 0.7)
    parts = [place(_sheet_ghost(radius, waist, height, rng), paint, at, rotation)]
    if shape == "plain":
        return parts
    size, apart, gaze = rng.uniform(2.1, 2.7) * grown, rng.uniform(24, 30), rng.uniform(-25, 25)
    up = height - radius + rng.uniform(-1, 2.5)
    for side in (-1, 1):
        eye = turned(side * apart) @ Vector((waist - 0.9, 0, 0)) + Vector((0, 0, up))
        parts.append(place(ball(size, 16, 10), inks.white, at + rotation @ eye, rotation))
        ahead = Vector((size - 0.55, 0, rng.uniform(-0.3, 0.6)))
        look = turned(side * apart * 0.4 + gaze) @ ahead
        pupil = ball(size / 2, 12, 8)
        parts.append(place(pupil, inks.pupil, at + rotation @ (eye + look), rotation))
    return parts


def _standee(
    pawn: Pawn, paint: Material, inks: Inks, at: Vector, rotation: Matrix, rng: random.Random
) -> list[Body]:
    """Return a ghost cut from a board, on a round foot."""
    half, high, thick = pawn.width_mm / 2, pawn.height_mm, 0.3 * pawn.width_mm
    angles = np.linspace(0, math.pi, 14).tolist()
    rim = [(half * math.cos(a), high - half + half * math.sin(a)) for a in angles]
    rim += [(-half, 1.0), (half, 1.0)]
    count = len(rim)
    corners = [(x, y, up) for y in (-thick / 2, thick / 2) for x, up in rim]
    faces: list[tuple[int, ...]] = [tuple(range(count)), tuple(range(count, 2 * count))[::-1]]
    faces += [(n + count, (n + 1) % count + count, (n + 1) % count, n) for n in range(count)]
    parts = [place(polyhedron(corners, faces), paint, at, rotation)]
    foot = column(half, half * 0.95, 2.0)
    parts.append(place(foot, paint, at, rotation))
    size = 0.16 * pawn.width_mm
    for side in (-1, 1):
        for face in (-1, 1):
            eye = Vector((side * 0.4 * half, face * (thick / 2 - 0.35 * size), high - 0.8 * half))
            parts.append(place(ball(size, 12, 8), inks.white, at + rotation @ eye))
            pupil = eye + Vector((0.2 * size, face * 0.75 * size, 0))
            parts.append(place(ball(size / 2, 10, 6), inks.pupil, at + rotation @ pupil))
    return parts


def _pacman(
    pawn: Pawn,
    shape: str,
    paint: Material,
    inks: Inks,
    at: Vector,
    rotation: Matrix,
    rng: random.Random,
) -> list[Body]:
    """Return Pac-Man: a disc, a ball, or a ball with its mouth aside or up."""
    radius, mouth = pawn.width_mm / 2, math.radians(rng.uniform(55, 80))
    grown = radius / 9.5
    if shape == "disc":
        body = place(_cut_disc(radius, mouth, pawn.height_mm), paint, at, rotation)
        bevel = body.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = 0.6 * UNITS_PER_MM, 2, "ANGLE"
        eye = turned(rng.choice((55, 65))) @ Vector((5.4 * grown, 0, pawn.height_mm - 0.1))
        dot = column(1.3 * grown, 1.3 * grown, 0.3, 16)
        return [body, place(dot, inks.dark, at + rotation @ eye, rotation)]
    middle = at + rotation @ Vector((0, 0, radius))
    if shape == "ball":
        return [place(ball(radius, 32, 20), paint, middle)]
    out, side, angle = 5.2, 7.7, 62.0
    if shape == "mouth up":
        raised = turned(-rng.uniform(25, 75), "Y") @ turned(90, "X")
        rotation, out, side, angle = rotation @ raised, 7.0, 6.0, rng.choice((66.0, 72.0))
    parts = [place(_cut_ball(radius, mouth), paint, middle, rotation)]
    for sign in (1, -1):
        eye = turned(angle) @ Vector((out * grown, 0, 0)) + Vector((0, 0, sign * side * grown))
        parts.append(place(ball(1.4 * grown, 12, 8), inks.dark, middle + rotation @ eye))
    return parts


def _sheet_ghost(radius: float, waist: float, height: float, rng: random.Random) -> Mesh:
    """Return a column with a domed top and, on most, a wavy hem."""
    waves, hem = rng.choice((5, 6, 7)), rng.choice((0.0, 1.2, 2.0))
    straight = height - radius
    outline = [
        (radius, 0.0),
        ((radius + waist) / 2, 0.2 * straight),
        (waist, 0.45 * straight),
        (waist, straight),
    ]
    for angle in np.linspace(0.12, 1.5, 12).tolist():
        outline.append((waist * math.cos(angle), height - radius + radius * math.sin(angle)))
    corners = []
    for ring, (out, up) in enumerate(outline):
        for here in range(AROUND):
            angle = 2 * math.pi * here / AROUND
            wave = math.cos(waves * angle)
            wide = out + (0.25 * wave if ring < 2 and hem else 0.0)
            raised = hem * (0.5 + 0.5 * wave) if ring == 0 else 0.0
            corners.append((wide * math.cos(angle), wide * math.sin(angle), up + raised))
    corners.append((0.0, 0.0, height))
    last = (len(outline) - 1) * AROUND
    faces: list[tuple[int, ...]] = [*skin_faces(len(outline), AROUND)]
    faces += [(last + n, last + (n + 1) % AROUND, len(corners) - 1) for n in range(AROUND)]
    return smooth(polyhedron(corners, faces))


def _cut_disc(radius: float, mouth: float, high: float) -> Mesh:
    angles = np.linspace(mouth / 2, 2 * math.pi - mouth / 2, 40).tolist()
    rim = [(0.0, 0.0), *((radius * math.cos(a), radius * math.sin(a)) for a in angles)]
    count = len(rim)
    corners = [(x, y, up) for up in (0.0, high) for x, y in rim]
    faces: list[tuple[int, ...]] = [tuple(range(count))[::-1], tuple(range(count, 2 * count))]
    return polyhedron(corners, [*faces, *skin_faces(2, count)])


def _cut_ball(radius: float, mouth: float) -> Mesh:
    """Return a ball without a slice about its upright axis, around +x."""
    slices, rings = 40, 20
    corners = []
    for angle in np.linspace(mouth / 2, 2 * math.pi - mouth / 2, slices + 1).tolist():
        for up in np.linspace(-math.pi / 2, math.pi / 2, rings + 1).tolist():
            out = radius * math.cos(up)
            at = (out * math.cos(angle), out * math.sin(angle), radius * math.sin(up))
            corners.append(at)
    edge = rings + 1
    faces: list[tuple[int, ...]] = [
        (n * edge + k, (n + 1) * edge + k, (n + 1) * edge + k + 1, n * edge + k + 1)
        for n in range(slices)
        for k in range(rings)
    ]
    round_faces, lips = len(faces), len(corners)
    corners += corners[:edge] + corners[-edge:]
    faces += [tuple(range(lips, lips + edge)), tuple(range(lips + edge, lips + 2 * edge))[::-1]]
    return smooth(polyhedron(corners, faces), round_faces)
