"""What lies around, built: each kind of :class:`~bench.studio.clutter.Item` as a body."""

import random
from collections.abc import Callable

from bench.studio.blender import UNITS_PER_MM, Body, Material, Matrix, Mesh, turned
from bench.studio.clutter import Item
from bench.studio.colours import of_hex
from bench.studio.figures import Inks, add_ghost
from bench.studio.materials import Finish, make_material
from bench.studio.plan import Plan
from bench.studio.setting import Stand
from bench.studio.shapes import ball, box, column, place, smooth

COFFEE = of_hex("#2a1608")
MUG_MM, MUG_WALL_MM = 95.0, 4.0


def add_items(plan: Plan, inks: Inks, fence_material: Material, rng: random.Random) -> list[Body]:
    """Put everything that lies around into the scene; return all its parts."""
    parts: list[Body] = []
    for item in plan.items:
        if item.kind == "ghost":
            stand = Stand(item.x_mm, item.y_mm)
            piece = plan.board.pieces[item.piece]
            parts += add_ghost(piece, stand, plan.theme, inks, rng, item.z_mm)
        elif item.kind == "fence":
            fence = plan.board.fence
            lying = box(
                fence.length_mm,
                fence.height_mm + plan.board.groove_depth_mm,
                fence.thickness_mm,
                0.4,
            )
            parts.append(_lay(item, lying, fence_material, fence.thickness_mm))
        elif item.kind == "pellet":
            radius = plan.board.pellet.diameter_mm / 2 if plan.board.pellet else 4.8
            pellet = make_material(Finish(plan.theme.pellet), rng)
            parts.append(_lay(item, ball(radius), pellet, radius))
        else:
            parts += _KINDS[item.kind](item, rng)
    return parts


def _lay(
    item: Item,
    mesh: Mesh,
    material: Material,
    up_mm: float,
    rotation: Matrix | None = None,
) -> Body:
    turn = turned(item.turn_deg)
    at = (item.x_mm, item.y_mm, item.z_mm + up_mm)
    return place(mesh, material, at, turn @ rotation if rotation is not None else turn)


def _painted(item: Item, rng: random.Random, roughness: float) -> Material:
    return make_material(Finish(item.colour, roughness), rng)


def _die(item: Item, rng: random.Random) -> list[Body]:
    return [_lay(item, box(12, 12, 12, 1.5, 3), _painted(item, rng, 0.3), 12)]


def _coin(item: Item, rng: random.Random) -> list[Body]:
    return [_lay(item, column(11, 11, 2), _painted(item, rng, 0.35), 0)]


def _pen(item: Item, rng: random.Random) -> list[Body]:
    return [_lay(item, column(4, 3.4, 140, 20), _painted(item, rng, 0.4), 4.2, turned(90, "X"))]


def _phone(item: Item, rng: random.Random) -> list[Body]:
    return [_lay(item, box(72, 150, 8, 2, 3), _painted(item, rng, 0.15), 8)]


def _card(item: Item, rng: random.Random) -> list[Body]:
    return [_lay(item, box(*item.size_mm, 0.5, 0), _painted(item, rng, 0.6), 0.8)]


def _mug(item: Item, rng: random.Random) -> list[Body]:
    wall = _lay(item, smooth(column(40, 42, MUG_MM, 48, False)), _painted(item, rng, 0.3), 0)
    thick = wall.modifiers.new("wall", "SOLIDIFY")
    thick.thickness = MUG_WALL_MM * UNITS_PER_MM
    coffee = make_material(Finish(COFFEE, 0.1), rng)
    return [wall, _lay(item, column(38, 38, 0.82 * MUG_MM), coffee, 0)]


_KINDS: dict[str, Callable[[Item, random.Random], list[Body]]] = {
    "die": _die,
    "coin": _coin,
    "pen": _pen,
    "phone": _phone,
    "card": _card,
    "mug": _mug,
}
