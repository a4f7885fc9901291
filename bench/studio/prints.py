"""What is printed on cells: dots, rings, lines, letters and crosses, as thin as paint."""

import math
import random

from bench.studio.blender import UNITS_PER_MM, Mesh, bpy, link, turned
from bench.studio.materials import Finish, make_material
from bench.studio.plan import Plan
from bench.studio.shapes import place, polyhedron, sheet
from bench.studio.themes import Print

AROUND = 32
PAINT_MM = 0.06
RING = 0.72  # of its outer radius, the inner one
LINE = 0.1  # of a cell, how wide lines are


def add_prints(plan: Plan, rng: random.Random) -> None:
    """Print on the cells."""
    for each in plan.theme.prints:
        ink = make_material(Finish(each.colour, rng.uniform(0.3, 0.8)), rng)
        meshes = _meshes(each, plan.board.cell_mm, rng)
        for number, square in enumerate(each.squares):
            mesh = meshes[number % len(meshes)]
            place(mesh, ink, (*plan.board.at(square), PAINT_MM), turned(each.turn_deg))


def _meshes(each: Print, cell: float, rng: random.Random) -> list[Mesh]:
    size = each.size * cell
    if each.kind == "dots":
        return [_ring(0.0, size / 2)]
    if each.kind == "rings":
        return [_ring(RING * size / 2, size / 2)]
    width = cell * LINE * rng.uniform(0.5, 1.4)
    if each.kind == "lines":
        return [sheet(min(0.98 * cell, size * 1.25) * (0.75 if each.turn_deg % 90 else 1), width)]
    if each.kind == "crosses":
        return [_cross(size, width)]
    return [_letter(letter, size) for letter in each.letters]


def _ring(inner: float, outer: float) -> Mesh:
    corners = [
        (
            radius * math.cos(2 * math.pi * n / AROUND),
            radius * math.sin(2 * math.pi * n / AROUND),
            0,
        )
        for radius in (inner, outer)
        for n in range(AROUND)
    ]
    if not inner:
        return polyhedron(corners[AROUND:], [tuple(range(AROUND))])
    faces = [(n, AROUND + n, AROUND + (n + 1) % AROUND, (n + 1) % AROUND) for n in range(AROUND)]
    return polyhedron(corners, faces)


def _cross(size: float, width: float) -> Mesh:
    a, b = size / 2 * 0.95, width / 2
    rim = [(a, -b), (a, b), (b, b), (b, a), (-b, a), (-b, b), (-a, b), (-a, -b), (-b, -b)]
    rim += [(-b, -a), (b, -a), (b, -b)]
    return polyhedron([(x, y, 0.0) for x, y in rim], [tuple(range(len(rim)))])


def _letter(letter: str, size: float) -> Mesh:
    text = bpy.data.curves.new("letter", "FONT")
    text.body, text.align_x, text.align_y = letter, "CENTER", "CENTER"
    text.size = size * UNITS_PER_MM
    body = link(bpy.data.objects.new("letter", text))
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(body.evaluated_get(_graph()))
    bpy.data.objects.remove(body)
    return mesh


def _graph() -> "bpy.types.Depsgraph":
    return bpy.context.evaluated_depsgraph_get()
