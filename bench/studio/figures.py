"""The figures of the game: ghosts with their eyes, and Pac-Man in the shapes that people make."""

import math
import random
from dataclasses import dataclass

import numpy as np

from bench.studio.blender import UNITS_PER_MM, Body, Material, Mesh, Vector, turned
from bench.studio.materials import Finish, make_material
from bench.studio.setting import Stand
from bench.studio.shapes import ball, column, place, polyhedron, skin_faces, smooth
from bench.studio.themes import Theme
from bench.studio.truth import DISC_MM
from companion.board import Piece

AROUND = 48
HEIGHT_SPREAD_MM = 2.0
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


def add_ghost(
    piece: Piece,
    stand: Stand,
    theme: Theme,
    inks: Inks,
    rng: random.Random,
    foot_mm: float = 0.0,
) -> list[Body]:
    """Put a ghost on the board; return all its parts."""
    radius = piece.diameter_mm / 2
    height = piece.height_mm + rng.uniform(-HEIGHT_SPREAD_MM, HEIGHT_SPREAD_MM)
    waist = radius - rng.uniform(0, 0.7)
    at, rotation = Vector((stand.x_mm, stand.y_mm, foot_mm)), turned(rng.uniform(0, 360))
    if stand.lies_deg is not None:
        lie = turned(stand.lies_deg) @ turned(90, "Y")
        at = at + Vector((0, 0, radius)) - lie @ Vector((0, 0, height / 2))
        rotation = lie @ rotation
    paint = make_material(Finish(theme.paint[piece.name], theme.paint_roughness), rng)
    parts = [place(_sheet_ghost(radius, waist, height, rng), paint, at, rotation)]
    size, apart, gaze = rng.uniform(2.1, 2.7), rng.uniform(24, 30), rng.uniform(-25, 25)
    up = height - radius + rng.uniform(-1, 2.5)
    for side in (-1, 1):
        eye = turned(side * apart) @ Vector((waist - 0.9, 0, 0)) + Vector((0, 0, up))
        parts.append(place(ball(size, 16, 10), inks.white, at + rotation @ eye, rotation))
        look = turned(side * apart * 0.4 + gaze) @ Vector((size - 0.55, 0, rng.uniform(-0.3, 0.6)))
        pupil = ball(size / 2, 12, 8)
        parts.append(place(pupil, inks.pupil, at + rotation @ (eye + look), rotation))
    return parts


def _sheet_ghost(radius: float, waist: float, height: float, rng: random.Random) -> Mesh:
    """Return a column with a domed top and, on most, a wavy hem."""
    waves, hem = rng.choice((5, 6, 7)), rng.choice((0.0, 1.2, 2.0))
    outline = [(radius, 0.0), ((radius + waist) / 2, 4.0), (waist, 9.0), (waist, height - radius)]
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


def add_pacman(
    piece: Piece, stand: Stand, theme: Theme, inks: Inks, shape: str, rng: random.Random
) -> list[Body]:
    """Put Pac-Man on the board: a disc, or a ball with its mouth aside or up."""
    paint = make_material(Finish(theme.paint[piece.name], theme.paint_roughness), rng)
    radius, mouth = piece.diameter_mm / 2, math.radians(rng.uniform(55, 80))
    foot, heading = Vector((stand.x_mm, stand.y_mm, 0)), rng.uniform(0, 360)
    if shape == "disc":
        body = place(_cut_disc(radius, mouth), paint, foot, turned(heading))
        bevel = body.modifiers.new("bevel", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = 0.6 * UNITS_PER_MM, 2, "ANGLE"
        eye = turned(heading + rng.choice((55, 65))) @ Vector((5.4, 0, DISC_MM - 0.1))
        return [body, place(column(1.3, 1.3, 0.3, 16), inks.dark, foot + eye)]
    middle = foot + Vector((0, 0, radius))
    rotation, out, side, angle = turned(heading), 5.2, 7.7, 62.0
    if shape == "mouth up":
        raised = turned(-rng.uniform(25, 75), "Y") @ turned(90, "X")
        rotation, out, side, angle = rotation @ raised, 7.0, 6.0, rng.choice((66.0, 72.0))
    parts = [place(_cut_ball(radius, mouth), paint, middle, rotation)]
    for sign in (1, -1):
        eye = turned(angle) @ Vector((out, 0, 0)) + Vector((0, 0, sign * side))
        parts.append(place(ball(1.4, 12, 8), inks.dark, middle + rotation @ eye))
    return parts


def _cut_disc(radius: float, mouth: float) -> Mesh:
    angles = np.linspace(mouth / 2, 2 * math.pi - mouth / 2, 40).tolist()
    rim = [(0.0, 0.0), *((radius * math.cos(a), radius * math.sin(a)) for a in angles)]
    count = len(rim)
    corners = [(x, y, up) for up in (0.0, DISC_MM) for x, y in rim]
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
