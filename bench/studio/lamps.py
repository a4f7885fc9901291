"""The lamps of a :class:`~bench.studio.lights.Lighting`, hung up in the scene."""

import math
import random
from collections.abc import Sequence

from bench.studio.blender import UNITS_PER_MM, Vector, bpy, link, turned
from bench.studio.lights import Bulb, Lighting, Panel, Sun
from bench.studio.materials import Finish, make_material
from bench.studio.shapes import place, sheet

SUN_DEG = 0.6  # across, as seen from the table
BLIND_MM, BLIND_AWAY_MM = 2500.0, 2600.0
FLATTEST = 0.12  # sine of the angle, below which a lamp is made no brighter to make up for it
BLIND = Finish((0.3, 0.3, 0.3), 0.9)


def add_lighting(lighting: Lighting, rng: random.Random) -> None:
    """Hang up all lamps and fill the room with what light there is besides."""
    for lamp in lighting.lamps:
        if isinstance(lamp, Panel):
            _add_panel(lamp)
        elif isinstance(lamp, Bulb):
            _add_bulb(lamp)
        else:
            _add_sun(lamp, rng)
    room = bpy.data.worlds.new("room")
    bpy.context.scene.world = room
    room.use_nodes = True
    background = room.node_tree.nodes["Background"]
    background.inputs[0].default_value = (*lighting.ambient_colour, 1)
    background.inputs[1].default_value = lighting.ambient


def _energy(brightness: float, at_mm: Sequence[float], facing_mm: Sequence[float]) -> float:
    """Return what makes up for distance and slant, but for the shape of the lamp."""
    way = (Vector(at_mm) - Vector(facing_mm)) * UNITS_PER_MM
    slant = max(FLATTEST, way.z / way.length)
    return float(brightness * math.pi * way.length**2 / slant)


def _add_panel(panel: Panel) -> None:
    light = bpy.data.lights.new("panel", "AREA")
    light.shape, light.color = "RECTANGLE", panel.colour
    light.size, light.size_y = (side * UNITS_PER_MM for side in panel.size_mm)
    light.energy = math.pi * _energy(panel.brightness, panel.at_mm, panel.facing_mm)
    lamp = link(bpy.data.objects.new("panel", light))
    lamp.location = Vector(panel.at_mm) * UNITS_PER_MM
    way = Vector(panel.facing_mm) * UNITS_PER_MM - lamp.location
    lamp.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()


def _add_bulb(bulb: Bulb) -> None:
    light = bpy.data.lights.new("bulb", "POINT")
    light.shadow_soft_size, light.color = bulb.radius_mm * UNITS_PER_MM, bulb.colour
    light.energy = 4 * math.pi * _energy(bulb.brightness, bulb.at_mm, (0, 0, 0))
    link(bpy.data.objects.new("bulb", light)).location = Vector(bulb.at_mm) * UNITS_PER_MM


def _add_sun(sun: Sun, rng: random.Random) -> None:
    azimuth, elevation = math.radians(sun.azimuth_deg), math.radians(sun.elevation_deg)
    flat = math.cos(elevation)
    toward = Vector((flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)))
    light = bpy.data.lights.new("sun", "SUN")
    light.angle, light.color = math.radians(SUN_DEG), sun.colour
    light.energy = sun.brightness * math.pi / math.sin(elevation)
    aim = toward.to_track_quat("Z", "Y")
    link(bpy.data.objects.new("sun", light)).rotation_euler = aim.to_euler()
    wall = make_material(BLIND, rng)
    turn = aim.to_matrix() @ turned(sun.turn_deg)
    middle = Vector((*sun.onto_mm, 0)) + toward * BLIND_AWAY_MM
    for x, y, width, height in (*_walls(*sun.opening_mm), *sun.bars):
        blind = place(sheet(width, height), wall, middle + turn @ Vector((x, y, 0)), turn)
        blind.visible_camera = blind.visible_diffuse = blind.visible_glossy = False


def _walls(width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Return the four walls around an opening: where their middles are, and their sizes."""
    aside, above = (width + BLIND_MM) / 2, (height + BLIND_MM) / 2
    return [
        (-aside, 0.0, BLIND_MM, 3 * BLIND_MM),
        (aside, 0.0, BLIND_MM, 3 * BLIND_MM),
        (0.0, above, width, BLIND_MM),
        (0.0, -above, width, BLIND_MM),
    ]
