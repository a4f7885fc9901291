"""The board and all that is on and around it, built from a plan."""

import random
from collections.abc import Sequence

import cv2
import numpy as np

from bench.studio.blender import UNITS_PER_MM, Body, BVHTree, Material, Vector, bpy, turned
from bench.studio.colours import Rgb, of_hex
from bench.studio.fencing import add_fences, add_rack, mix_fence_materials, stave_of
from bench.studio.figures import Inks, Place, add_pawn, mix_inks
from bench.studio.hand import add_hand
from bench.studio.hands import Hand
from bench.studio.lamps import add_lighting
from bench.studio.lens import Point
from bench.studio.materials import Finish, make_material
from bench.studio.pawns import Pawn
from bench.studio.plan import LED_COLOURS, Plan, frame_lights
from bench.studio.prints import add_prints
from bench.studio.shapes import ball, box, column, place, sheet
from bench.studio.things import add_items, add_tokens
from bench.studio.truth import Hides, Sight
from companion.board import Marker

CELL_THICK_MM = 6.0
GAP_MM = 0.1  # between parts that lie side by side
MARKER_MM = 0.25  # thick: paper, glued on
LED_MM = 4.6
LED_COVERS = ("#f0f0ec", "#d8d8d4", "#c8c4b4")
PAPER, INK = 0.82, 0.03
MODULES = 8  # across a marker with its white margin; six of them are the marker


def build_scene(plan: Plan) -> Sight:
    """Build everything but the camera; return what tells how much of something is hidden."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _add_table(plan)
    _add_board(plan)
    add_prints(plan, plan.dice("prints"))
    for marker in plan.board.markers:
        _add_marker(plan, marker)
    _add_lights_of_the_frame(plan)
    _add_screws(plan)
    materials = mix_fence_materials(plan, plan.dice("fences"))
    standing, in_the_way = add_fences(plan, materials)
    add_rack(plan, materials, plan.dice("rack"))
    inks = mix_inks(plan.theme, plan.dice("inks"))
    pawns = {}
    for stand in plan.setting.stands:
        pose = stand.lies_deg, stand.lean_deg, stand.towards_deg
        spot, name = Place(stand.x_mm, stand.y_mm, 0.0, *pose), stand.pawn.name
        pawns[name] = add_pawn(stand.pawn, spot, inks, plan.dice(name))
    _add_pellets(plan)
    add_tokens(plan, plan.dice("tokens"))
    in_the_way += add_items(plan, inks, materials, plan.dice("items"))
    for number, hand in enumerate(plan.hands):
        in_the_way += _add_hand(
            plan, hand, inks, materials, plan.dice(f"hand {plan.frame} {number}")
        )
    add_lighting(plan.lighting, plan.dice("lamps"))
    eye = plan.lens.centre
    return Sight(
        hides=_sight(eye, in_the_way),
        fences=_sight(eye, standing),
        pawns={name: _sight(eye, bodies) for name, bodies in pawns.items()},
    )


def _add_table(plan: Plan) -> None:
    rng, theme = plan.dice("table"), plan.theme
    roughness = 0.95 if theme.table_finish == "cloth" else rng.uniform(0.25, 0.85)
    grain = rng.uniform(0.1, 0.45)
    finish = Finish(theme.table, roughness, theme.table_finish, grain=grain, scale=0.8)
    top = box(4000, 4000, 20, 0)
    at = (0, 0, plan.build.table_mm)
    place(top, make_material(finish, rng), at, turned(rng.uniform(-45, 45)))


def _add_board(plan: Plan) -> None:
    rng, board, theme, build = plan.dice("board"), plan.board, plan.theme, plan.build
    cells, others, frame, grooves = _board_materials(plan)
    thick = max(CELL_THICK_MM, board.groove_depth_mm + 1)
    cell = box(board.cell_mm, board.cell_mm, thick, build.tile_edge_mm)
    other = cell.copy()
    for square in board.squares:
        odd = square in theme.others
        place(other if odd else cell, others if odd else cells, (*board.at(square), 0))
    half_x, half_y = build.frame_half_mm
    if build.kind == "tiles":
        plate = box(2 * half_x, 2 * half_y, -build.table_mm + build.plane_mm, 0.5)
        ground = frame if rng.random() < 0.6 else grooves
        place(plate, ground, (0, 0, build.plane_mm))
        if ground is frame and rng.random() < 0.3:  # the gaps have a colour of their own
            gaps = sheet(board.field_mm, board.field_mm)
            place(gaps, grooves, (0, 0, build.plane_mm + GAP_MM))
        return
    floor = box(board.field_mm + 3, board.field_mm + 3, 4, 0)
    place(floor, grooves, (0, 0, -board.groove_depth_mm))
    inner, outer = board.field_mm / 2 + 2 * GAP_MM, board.board_mm / 2
    _add_ring((inner, inner), (outer, outer), -build.table_mm, cells)
    if build.kind == "framed":
        edge = outer + GAP_MM
        _add_ring((edge, edge), (half_x - GAP_MM, half_y - GAP_MM), -build.table_mm, frame)


def _board_materials(plan: Plan) -> tuple[Material, Material, Material, Material]:
    """Return the materials of cells, of cells of another colour, of the frame and of grooves."""
    rng, theme = plan.dice("materials"), plan.theme
    run = rng.random()

    def cell_of(colour: Rgb) -> Material:
        return make_material(
            Finish(
                colour,
                theme.roughness,
                theme.cell_finish,
                grain=theme.grain,
                scale=2.2,
                vary=theme.vary,
                coat=theme.coat,
                bump=0.15 if theme.cell_finish == "leather" else 0.0,
                wear=theme.wear,
                wear_depth=theme.wear_depth,
            ),
            random.Random(run),
        )

    frame = Finish(
        theme.frame,
        theme.frame_roughness,
        theme.frame_finish,
        grain=theme.grain,
        bump=0.25 if theme.frame_finish == "leather" else 0.0,
        wear=theme.wear,
        wear_depth=theme.wear_depth,
    )
    grooves = Finish(theme.groove, 0.75, "wood" if theme.cell_finish == "wood" else "plain")
    return (
        cell_of(theme.cell),
        cell_of(theme.other_cell),
        make_material(frame, rng),
        make_material(grooves, rng),
    )


def _add_ring(
    inner: tuple[float, float], outer: tuple[float, float], thick_mm: float, material: Material
) -> None:
    """Put four planks around the field."""
    wide, high = outer[0] - inner[0], outer[1] - inner[1]
    if min(wide, high) < 0.5:
        return
    edge = min(0.5, 0.2 * min(wide, high))
    for side in (-1, 1):
        across = (0, side * (outer[1] + inner[1]) / 2, 0)
        place(box(2 * outer[0], high, thick_mm, edge), material, across)
        along = (side * (outer[0] + inner[0]) / 2, 0, 0)
        place(box(wide, 2 * inner[1], thick_mm, edge), material, along)


def _add_hand(
    plan: Plan, hand: Hand, inks: Inks, materials: Sequence[Material], rng: random.Random
) -> list[Body]:
    """Put a hand over the board, with what it holds; return all of it."""
    parts, held = add_hand(hand, plan.board, rng)
    if isinstance(hand.holds, Pawn):
        up = held.z - 0.3 * hand.holds.height_mm
        parts += add_pawn(hand.holds, Place(held.x, held.y, up), inks, rng)
    elif hand.holds is not None:
        top = held.z + 0.5 * plan.board.fence.height_mm
        material = materials[hand.holds % len(materials)]
        turn = turned(hand.turn_deg)
        parts.append(place(stave_of(plan), material, (held.x, held.y, top), turn))
    return parts


def _add_marker(plan: Plan, marker: Marker) -> None:
    side = plan.board.marker_mm * (MODULES / (MODULES - 2) if plan.build.margin else 1.0)
    paper = sheet(side, side)
    paper.uv_layers.new(name="paper").data.foreach_set("uv", [0, 0, 1, 0, 1, 1, 0, 1])
    material = bpy.data.materials.new("marker")
    material.use_nodes = True
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 0.55
    printed = tree.nodes.new("ShaderNodeTexImage")
    printed.interpolation = "Closest"
    printed.image = _marker_image(marker.id, plan.build.margin)
    tree.links.new(printed.outputs[0], surface.inputs["Base Color"])
    place(paper, material, (marker.x_mm, marker.y_mm, plan.build.marker_plane_mm + MARKER_MM))


def _marker_image(number: int, margin: bool) -> bpy.types.Image:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    white = np.full((MODULES, MODULES), True)
    white[1:-1, 1:-1] = cv2.aruco.generateImageMarker(dictionary, number, MODULES - 2) > 0
    if not margin:
        white = white[1:-1, 1:-1]
    pixels = np.ones((*white.shape, 4), np.float32)
    pixels[..., :3] = np.where(white[::-1, :, None], PAPER, INK)
    image = bpy.data.images.new(f"marker {number}", *white.shape, float_buffer=True)
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


def _add_screws(plan: Plan) -> None:
    rng = plan.dice("screws")
    metal = make_material(Finish((0.6, 0.6, 0.62), 0.3, metal=True), rng)
    hole = make_material(Finish((0.02, 0.02, 0.02), 0.8), rng)
    for x, y, radius in plan.build.screws:
        up = plan.build.plane_mm
        place(column(radius, 0.85 * radius, 1.2), metal, (x, y, up))
        place(column(0.4 * radius, 0.4 * radius, 0.1, 6), hole, (x, y, up + 1.2))


def _add_pellets(plan: Plan) -> None:
    rng, radius = plan.dice("pellets"), plan.setting.pellet_mm / 2
    material = make_material(Finish(plan.theme.pellet, rng.uniform(0.15, 0.8)), rng)
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
    corners: list[list[float]] = []
    faces: list[list[int]] = []
    for body in bodies:
        shown = body.evaluated_get(graph)
        mesh = shown.to_mesh()
        mesh.calc_loop_triangles()
        points = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", points)
        triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        turn = np.array(body.matrix_world)
        placed = (points.reshape(-1, 3) @ turn[:3, :3].T + turn[:3, 3]) / UNITS_PER_MM
        faces += (triangles.reshape(-1, 3) + len(corners)).tolist()
        corners += placed.tolist()
        shown.to_mesh_clear()
    return BVHTree.FromPolygons(corners, faces, all_triangles=True)
