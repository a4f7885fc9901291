"""Fences as bodies: flat, rounded, gabled or arched, in slots, in racks and lying about."""

import math
import random

from bench.studio.blender import Body, Material, Mesh, turned
from bench.studio.materials import Finish, make_material
from bench.studio.plan import Plan
from bench.studio.shapes import box, place, polyhedron, smooth

GABLE, ARCH = 0.72, 0.6  # height of the ends, of the whole height above the board
SLIT_MM = 0.35
DARK = Finish((0.02, 0.018, 0.015), 0.9)


def mix_fence_materials(plan: Plan, rng: random.Random) -> list[Material]:
    """Return a material for each colour that fences have."""
    theme = plan.theme
    return [
        make_material(
            Finish(
                colour,
                theme.fence_roughness,
                "wood" if theme.fence_finish == "wood" else "plain",
                grain=0.22,
                scale=3,
                clear=0.4 if theme.fence_finish == "clear" else 0.0,
                metal=theme.fence_finish == "metal",
            ),
            rng,
        )
        for colour in theme.fences
    ]


def stave_of(plan: Plan) -> Mesh:
    """Return a fence whose top is at z = 0."""
    fence, shape = plan.board.fence, plan.theme.fence_shape
    whole = fence.height_mm + plan.board.groove_depth_mm
    size = fence.length_mm, fence.thickness_mm, whole
    if shape == "flat":
        return box(*size, 0.35)
    if shape == "rounded":
        return smooth(box(*size, 0.38 * fence.thickness_mm, 4))
    half = fence.length_mm / 2
    if shape == "gabled":
        low = -(1 - GABLE) * fence.height_mm
        rim = [(-half, -whole), (half, -whole), (half, low), (0.0, 0.0), (-half, low)]
    else:
        low = -(1 - ARCH) * fence.height_mm
        steps = 14
        rim = [(-half, -whole), (half, -whole)]
        rim += [
            (half * math.cos(math.pi * n / steps), low - low * math.sin(math.pi * n / steps))
            for n in range(steps + 1)
        ]
    return _prism(rim, fence.thickness_mm)


def _prism(rim: list[tuple[float, float]], thick: float) -> Mesh:
    """Return an outline of x and z, as thick as that."""
    count = len(rim)
    corners = [(x, y, z) for y in (-thick / 2, thick / 2) for x, z in rim]
    faces: list[tuple[int, ...]] = [tuple(range(count)), tuple(range(count, 2 * count))[::-1]]
    faces += [(n + count, (n + 1) % count + count, (n + 1) % count, n) for n in range(count)]
    return polyhedron(corners, faces)


def add_fences(plan: Plan, materials: list[Material]) -> tuple[list[Body], list[Body]]:
    """Put all fences of the field into the scene; return those that stand in their slots, and
    those that lie over the field loosely."""
    standing: list[Body] = []
    loose: list[Body] = []
    for each in plan.setting.fences:
        material = materials[each.colour]
        if each.state == "flat":
            at = each.x_mm, each.y_mm, each.top_mm / 2
            loose.append(lay_fence(plan, material, at, each.turn_deg))
            continue
        rotation = turned(each.turn_deg) @ turned(each.tip_deg, "Y") @ turned(each.lean_deg, "X")
        body = place(stave_of(plan), material, (each.x_mm, each.y_mm, each.top_mm), rotation)
        (loose if each.state == "crossed" else standing).append(body)
    return standing, loose


def lay_fence(
    plan: Plan, material: Material, at_mm: tuple[float, float, float], turn_deg: float
) -> Body:
    """Put a fence on its side; the place is that of its middle."""
    whole = plan.board.fence.height_mm + plan.board.groove_depth_mm
    turn = math.radians(turn_deg)
    x = at_mm[0] + math.sin(turn) * whole / 2
    y = at_mm[1] - math.cos(turn) * whole / 2
    return place(stave_of(plan), material, (x, y, at_mm[2]), turned(turn_deg) @ turned(90, "X"))


def add_rack(plan: Plan, materials: list[Material], rng: random.Random) -> None:
    """Put the fences that are not in play beside the field, and the slits they stand in."""
    fence, plane = plan.board.fence, plan.build.plane_mm
    slit = make_material(DARK, rng)
    for each in plan.build.rack:
        material = materials[each.colour % len(materials)]
        if each.lies:
            if each.there:
                at = each.x_mm, each.y_mm, plane + fence.thickness_mm / 2
                lay_fence(plan, material, at, each.turn_deg)
            continue
        rotation = turned(each.turn_deg)
        if each.there:
            top = plane + fence.height_mm
            place(stave_of(plan), material, (each.x_mm, each.y_mm, top), rotation)
        hole = box(fence.length_mm + 4, fence.thickness_mm + 1.2, SLIT_MM, 0)
        place(hole, slit, (each.x_mm, each.y_mm, plane + SLIT_MM / 2), rotation)
