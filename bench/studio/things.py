"""What lies around, built: each kind of :class:`~bench.studio.clutter.Item` as a body."""

import random
from collections.abc import Callable, Sequence

from bench.studio.blender import UNITS_PER_MM, Body, Material, Matrix, Mesh, turned
from bench.studio.clutter import PEN_MM, PHONE_MM, Item
from bench.studio.colours import of_hex
from bench.studio.fencing import lay_fence
from bench.studio.figures import Inks, Place, add_pawn
from bench.studio.materials import Finish, make_material
from bench.studio.plan import Plan
from bench.studio.shapes import ball, box, column, place, smooth

COFFEE = of_hex("#2a1608")
MUG_MM, MUG_WALL_MM = 95.0, 4.0


def add_items(
    plan: Plan, inks: Inks, fence_materials: Sequence[Material], rng: random.Random
) -> list[Body]:
    """Put everything that lies around into the scene; return all its parts."""
    parts: list[Body] = []
    for item in plan.items:
        if item.pawn:
            place_ = Place(item.x_mm, item.y_mm, item.z_mm)
            parts += add_pawn(item.pawn, place_, inks, rng)
        elif item.kind == "fence":
            at = item.x_mm, item.y_mm, item.z_mm + plan.board.fence.thickness_mm / 2
            parts.append(lay_fence(plan, rng.choice(fence_materials), at, item.turn_deg))
        elif item.kind == "pellet":
            radius = plan.setting.pellet_mm / 2
            pellet = make_material(Finish(plan.theme.pellet), rng)
            parts.append(_lay(item, ball(radius), pellet, radius))
        else:
            parts += _KINDS[item.kind](item, rng)
    return parts


def add_tokens(plan: Plan, rng: random.Random) -> None:
    """Put coins and dice onto the squares."""
    for token in plan.setting.tokens:
        material = make_material(Finish(token.colour, rng.uniform(0.2, 0.6)), rng)
        at, turn = (token.x_mm, token.y_mm), turned(token.turn_deg)
        if token.kind == "coin":
            radius = token.width_mm / 2
            place(column(radius, radius, token.height_mm), material, (*at, 0.0), turn)
        else:
            die = box(token.width_mm, token.width_mm, token.height_mm, 1.5, 3)
            place(die, material, (*at, token.height_mm), turn)


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
    mesh = column(4, 3.4, PEN_MM, 20)
    mesh.transform(Matrix.Translation((0, 0, -PEN_MM / 2 * UNITS_PER_MM)))
    return [_lay(item, mesh, _painted(item, rng, 0.4), 4.2, turned(90, "X"))]


def _phone(item: Item, rng: random.Random) -> list[Body]:
    glass = make_material(Finish((0.01, 0.01, 0.012), 0.06), rng)
    case = _lay(item, box(*PHONE_MM, 8, 2, 3), _painted(item, rng, 0.15), 8)
    if rng.random() < 0.5:
        return [case]
    return [case, _lay(item, box(PHONE_MM[0] - 6, PHONE_MM[1] - 8, 0.4, 0), glass, 8.3)]


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
