"""The board and all that is on and around it, built from a plan."""

from collections.abc import Sequence

import cv2
import numpy as np

from bench.studio.blender import UNITS_PER_MM, Body, BVHTree, Material, Vector, bpy, turned
from bench.studio.clutter import TABLE_MM
from bench.studio.colours import of_hex
from bench.studio.figures import Inks, add_ghost, add_pacman, mix_inks
from bench.studio.hand import add_hand
from bench.studio.lamps import add_lighting
from bench.studio.lens import Point
from bench.studio.materials import Finish, make_material
from bench.studio.plan import LED_COLOURS, Plan, frame_lights
from bench.studio.shapes import ball, box, place, sheet, smooth
from bench.studio.things import add_items
from bench.studio.truth import Hides
from companion.board import Marker

CELL_THICK_MM, RIM_THICK_MM = 6.0, 10.0
GAP_MM = 0.1  # between parts that lie side by side
MARKER_MM = 0.25  # thick: paper, glued on
LED_MM = 4.6
LED_COVERS = ("#f0f0ec", "#d8d8d4", "#c8c4b4")
PAPER, INK = 0.82, 0.03
MODULES = 8  # across a marker with its white margin; six of them are the marker
WOODEN = ("pale wood", "brown wood", "red wood", "cream wood")


def build_scene(plan: Plan) -> Hides:
    """Build everything but the camera; return what tells how much of something is hidden."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _add_table(plan)
    _add_board(plan)
    for marker in plan.board.markers:
        _add_marker(plan, marker)
    _add_lights_of_the_frame(plan)
    fence_material = _add_fences(plan)
    inks = mix_inks(plan.theme, plan.dice("inks"))
    _add_pieces(plan, inks)
    _add_pellets(plan)
    in_the_way = add_items(plan, inks, fence_material, plan.dice("items"))
    if plan.hand:
        in_the_way += add_hand(plan.hand, plan.dice("hand"))
    add_lighting(plan.lighting, plan.dice("lamps"))
    return _sight(plan.lens.centre, in_the_way)


def _add_table(plan: Plan) -> None:
    rng, theme = plan.dice("table"), plan.theme
    roughness = 0.95 if theme.table_kind == "cloth" else rng.uniform(0.3, 0.8)
    grain = rng.uniform(0.1, 0.4)
    finish = Finish(theme.table_colour, roughness, theme.table_kind, grain=grain, scale=0.8)
    top = box(4000, 4000, 20, 0)
    place(top, make_material(finish, rng), (0, 0, TABLE_MM), turned(rng.uniform(-12, 12)))


def _add_board(plan: Plan) -> None:
    rng, board, theme = plan.dice("board"), plan.board, plan.theme
    cells = make_material(
        Finish(
            theme.cell,
            theme.roughness,
            theme.grain_kind,
            grain=theme.grain,
            scale=2.2,
            vary=0.05,
            coat=theme.coat,
        ),
        rng,
    )
    frame = make_material(
        Finish(
            theme.frame,
            min(0.9, theme.roughness * theme.frame_roughness),
            theme.frame_kind,
            grain=theme.grain,
            bump=0.25 if theme.frame_kind == "leather" else 0.0,
        ),
        rng,
    )
    cell = box(board.cell_mm, board.cell_mm, CELL_THICK_MM, 0.35)
    for square in board.squares:
        place(cell, cells, (*board.at(square), 0))
    floor = box(board.field_mm + 3, board.field_mm + 3, 4, 0)
    grooves = make_material(Finish(theme.groove, 0.75), rng)
    place(floor, grooves, (0, 0, -board.groove_depth_mm))
    _add_ring(board.field_mm / 2 + 2 * GAP_MM, board.board_mm / 2, RIM_THICK_MM, cells)
    _add_ring(board.board_mm / 2 + GAP_MM, board.frame_mm / 2 - GAP_MM, -TABLE_MM, frame)


def _add_ring(inner_mm: float, outer_mm: float, thick_mm: float, material: Material) -> None:
    """Put four planks around the field."""
    wide, middle = outer_mm - inner_mm, (outer_mm + inner_mm) / 2
    for side in (-1, 1):
        place(box(2 * outer_mm, wide, thick_mm, 0.5), material, (0, side * middle, 0))
        place(box(wide, 2 * inner_mm, thick_mm, 0.5), material, (side * middle, 0, 0))


def _add_marker(plan: Plan, marker: Marker) -> None:
    side = plan.board.marker_mm * MODULES / (MODULES - 2)
    paper = sheet(side, side)
    paper.uv_layers.new(name="paper").data.foreach_set("uv", [0, 0, 1, 0, 1, 1, 0, 1])
    material = bpy.data.materials.new("marker")
    material.use_nodes = True
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 0.55
    printed = tree.nodes.new("ShaderNodeTexImage")
    printed.interpolation = "Closest"
    printed.image = _marker_image(marker.id)
    tree.links.new(printed.outputs[0], surface.inputs["Base Color"])
    place(paper, material, (marker.x_mm, marker.y_mm, MARKER_MM))


def _marker_image(number: int) -> bpy.types.Image:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    white = np.full((MODULES, MODULES), True)
    white[1:-1, 1:-1] = cv2.aruco.generateImageMarker(dictionary, number, MODULES - 2) > 0
    pixels = np.ones((MODULES, MODULES, 4), np.float32)
    pixels[..., :3] = np.where(white[::-1, :, None], PAPER, INK)
    image = bpy.data.images.new(f"marker {number}", MODULES, MODULES, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    image.pack()
    return image


def _add_lights_of_the_frame(plan: Plan) -> None:
    strip, rng = plan.strip, plan.dice("strip")
    if not strip.fitted:
        return
    dark = make_material(Finish(of_hex(rng.choice(LED_COVERS)), 0.4), rng)
    lit = {
        colour: make_material(
            Finish(of_hex("#e0e0e0"), 0.4, glow=LED_COLOURS[colour], power=strip.power), rng
        )
        for colour in sorted(set(strip.lit.values()))
    }
    for name, at in frame_lights(plan.board).items():
        colour = strip.lit.get(name)
        place(box(LED_MM, LED_MM, 1.5, 0.2), lit[colour] if colour else dark, (*at, 0.6))


def _add_fences(plan: Plan) -> Material:
    fence, theme, rng = plan.board.fence, plan.theme, plan.dice("fences")
    material = make_material(
        Finish(
            theme.fence_colour,
            theme.fence_roughness,
            "wood" if theme.fence in WOODEN else "plain",
            grain=0.22,
            scale=3,
            clear=0.4 if theme.fence.startswith("clear") else 0.0,
        ),
        rng,
    )
    size = fence.length_mm, fence.thickness_mm, fence.height_mm + plan.board.groove_depth_mm
    stave = smooth(box(*size, 1.9, 4)) if theme.fence_edges == "round" else box(*size, 0.35)
    for each in plan.setting.fences:
        rotation = turned(each.turn_deg) @ turned(each.tip_deg, "Y") @ turned(each.lean_deg, "X")
        place(stave, material, (each.x_mm, each.y_mm, each.top_mm), rotation)
    return material


def _add_pieces(plan: Plan, inks: Inks) -> None:
    for name, stand in plan.setting.stands.items():
        piece, rng = plan.board.pieces[name], plan.dice(name)
        if piece.shape == "ghost":
            add_ghost(piece, stand, plan.theme, inks, rng)
        else:
            add_pacman(piece, stand, plan.theme, inks, plan.pacman_shape, rng)


def _add_pellets(plan: Plan) -> None:
    rng, pellet = plan.dice("pellets"), plan.board.pellet
    if pellet is None:
        return
    radius = pellet.diameter_mm / 2 + rng.uniform(-0.25, 0.25)
    material = make_material(Finish(plan.theme.pellet, rng.uniform(0.3, 0.7)), rng)
    mesh = ball(radius)
    for at in plan.setting.pellets.values():
        place(mesh, material, (*at, radius))


def _sight(eye_mm: Point, bodies: Sequence[Body]) -> Hides:
    """Return what tells the share of points that bodies hide from the camera."""
    if not bodies:
        return lambda points: 0.0
    tree, eye = _solid(bodies), Vector(eye_mm)

    def hides(points: Sequence[Point]) -> float:
        rays = [Vector(point) - eye for point in points]
        hits = [tree.ray_cast(eye, ray.normalized(), ray.length - 0.5)[0] for ray in rays]
        return sum(hit is not None for hit in hits) / len(hits)

    return hides


def _solid(bodies: Sequence[Body]) -> BVHTree:
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    corners: list[Vector] = []
    faces: list[list[int]] = []
    for body in bodies:
        shown = body.evaluated_get(graph)
        mesh = shown.to_mesh()
        first = len(corners)
        corners += [(body.matrix_world @ v.co) / UNITS_PER_MM for v in mesh.vertices]
        faces += [[first + corner for corner in face.vertices] for face in mesh.polygons]
        shown.to_mesh_clear()
    return BVHTree.FromPolygons(corners, faces)
