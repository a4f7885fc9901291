"""What things are made of: paint, wood, stone, cloth, leather, and plastic that glows."""

import random
from dataclasses import dataclass
from typing import Any

from bench.studio.blender import Material, bpy
from bench.studio.colours import BRIGHTEST, Rgb


@dataclass(frozen=True)
class Finish:
    """The look of a surface. ``scale`` makes the grain finer, ``vary`` lets things of the same
    material differ in brightness, ``clear`` is how much light goes through."""

    colour: Rgb
    roughness: float = 0.5
    kind: str = "plain"
    grain: float = 0.35
    scale: float = 1.0
    bump: float = 0.0
    vary: float = 0.0
    clear: float = 0.0
    coat: float = 0.0
    metal: bool = False
    wear: str = "none"  # or scuffed, in many small scratches, or stained, in a few large blots
    wear_depth: float = 0.0
    glow: Rgb | None = None
    power: float = 0.0


@dataclass(frozen=True)
class Noise:
    """The pattern behind a kind of surface."""

    scale: float
    detail: float
    distortion: float
    roughness: float


NOISES = {
    "wood": Noise(1.6, 3, 0.0, 0.6),
    "stone": Noise(5, 3, 0.0, 0.65),
    "cloth": Noise(14, 2, 0.0, 0.7),
    "marble": Noise(1.1, 5, 1.0, 0.65),
    "leather": Noise(14, 1, 0.0, 0.5),
    "plain": Noise(9, 0, 0.0, 0.5),
}
ONE_COLOURED = ("plain", "leather")
CHECKS = 4.0  # a Blender unit
APART = 37.0  # shifts the grain of one thing against that of the next


def make_material(finish: Finish, rng: random.Random) -> Material:
    """Return a material; what it leaves open, such as the run of the grain, is drawn."""
    material = bpy.data.materials.new("finish")
    material.use_nodes = True
    tree = material.node_tree
    surface = tree.nodes["Principled BSDF"]
    _set(
        surface,
        {
            "Base Color": (*finish.colour, 1),
            "Roughness": finish.roughness,
            "Metallic": 0.85 if finish.metal else 0.0,
            "Coat Weight": finish.coat,
            "Coat Roughness": 0.12,
        },
    )
    if finish.glow:
        _set(surface, {"Emission Color": (*finish.glow, 1), "Emission Strength": finish.power})
    if finish.clear:
        _let_light_through(tree, surface, finish)
    if finish.kind != "plain" or finish.bump or finish.vary:
        _add_grain(tree, surface, finish, rng)
    if finish.wear != "none":
        _add_wear(tree, surface, finish, rng)
    return material


def _set(node: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        node.inputs[name].default_value = value


def _let_light_through(tree: Any, surface: Any, finish: Finish) -> None:
    through = tree.nodes.new("ShaderNodeBsdfTranslucent")
    _set(through, {"Color": (*finish.colour, 1)})
    mixed = tree.nodes.new("ShaderNodeMixShader")
    mixed.inputs[0].default_value = finish.clear
    tree.links.new(surface.outputs[0], mixed.inputs[1])
    tree.links.new(through.outputs[0], mixed.inputs[2])
    tree.links.new(mixed.outputs[0], tree.nodes["Material Output"].inputs[0])


def _add_grain(tree: Any, surface: Any, finish: Finish, rng: random.Random) -> None:
    each = tree.nodes.new("ShaderNodeObjectInfo").outputs["Random"]
    pattern = _pattern(tree, finish, each, rng)
    if finish.vary or finish.kind not in ONE_COLOURED:
        colour = _between_two_colours(tree, finish, pattern, rng)
        if finish.vary:
            colour = _varied(tree, finish.vary, colour, each)
        tree.links.new(colour, surface.inputs["Base Color"])
    if finish.bump:
        bump = tree.nodes.new("ShaderNodeBump")
        _set(bump, {"Strength": finish.bump, "Distance": 0.01})
        tree.links.new(pattern, bump.inputs["Height"])
        tree.links.new(bump.outputs[0], surface.inputs["Normal"])


def _pattern(tree: Any, finish: Finish, each: Any, rng: random.Random) -> Any:
    """Return the output of nodes that are 0 to 1 all over the thing."""
    place = tree.nodes.new("ShaderNodeTexCoord").outputs["Object"]
    if finish.kind == "check":
        checks = tree.nodes.new("ShaderNodeTexChecker")
        _set(checks, {"Scale": CHECKS})
        tree.links.new(place, checks.inputs["Vector"])
        return checks.outputs["Fac"]
    moved = tree.nodes.new("ShaderNodeMath")
    moved.operation = "MULTIPLY"
    moved.inputs[1].default_value = APART
    tree.links.new(each, moved.inputs[0])
    mapping = tree.nodes.new("ShaderNodeMapping")
    long = rng.uniform(7, 14) if finish.kind == "wood" else 1.0
    stretch = (1.0, long, 1.0) if rng.random() < 0.5 else (long, 1.0, 1.0)
    _set(mapping, {"Scale": [finish.scale * part for part in stretch]})
    tree.links.new(place, mapping.inputs["Vector"])
    tree.links.new(moved.outputs[0], mapping.inputs["Location"])
    noise = NOISES[finish.kind]
    texture = tree.nodes.new("ShaderNodeTexNoise")
    _set(
        texture,
        {
            "Scale": noise.scale,
            "Detail": noise.detail,
            "Distortion": noise.distortion,
            "Roughness": noise.roughness,
        },
    )
    tree.links.new(mapping.outputs[0], texture.inputs["Vector"])
    return texture.outputs[0]


def _between_two_colours(tree: Any, finish: Finish, pattern: Any, rng: random.Random) -> Any:
    grain = 0.0 if finish.kind in ONE_COLOURED else finish.grain
    dark = [max(0.0, value * (1 - grain)) for value in finish.colour]
    light = [min(BRIGHTEST, value * (1 + 0.75 * grain)) for value in finish.colour]
    where = (0.32, 0.68)
    if finish.kind == "check":
        factors = rng.choice(((0.25, 0.25, 0.25), (0.7, 0.12, 0.12)))
        dark = [value * factor for value, factor in zip(finish.colour, factors, strict=True)]
        where = (0.0, 1.0)
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    for element, colour, position in zip(
        ramp.color_ramp.elements, (dark, light), where, strict=True
    ):
        element.color, element.position = (*colour, 1), position
    tree.links.new(pattern, ramp.inputs[0])
    return ramp.outputs[0]


def _add_wear(tree: Any, surface: Any, finish: Finish, rng: random.Random) -> None:
    """Let the colour be paler or darker in places, all over the table's own millimetres."""
    place = tree.nodes.new("ShaderNodeNewGeometry").outputs["Position"]
    shift = tree.nodes.new("ShaderNodeMapping")
    scuffed = finish.wear == "scuffed"
    _set(shift, {"Location": [rng.uniform(0, 50) for _ in range(3)]})
    _set(shift, {"Scale": rng.choice(((1, 9, 1), (9, 1, 1), (5, 5, 1))) if scuffed else (1, 1, 1)})
    tree.links.new(place, shift.inputs["Vector"])
    noise = tree.nodes.new("ShaderNodeTexNoise")
    _set(noise, {"Scale": 4.0 if scuffed else 1.2, "Detail": 3.0, "Roughness": 0.6})
    tree.links.new(shift.outputs[0], noise.inputs["Vector"])
    where = tree.nodes.new("ShaderNodeMapRange")
    _set(where, {"From Min": 0.54, "From Max": 0.72, "To Max": finish.wear_depth})
    tree.links.new(noise.outputs[0], where.inputs["Value"])
    mixed = tree.nodes.new("ShaderNodeMix")
    mixed.data_type = "RGBA"
    worn = [0.75 * BRIGHTEST] * 3 if rng.random() < 0.5 else [0.03, 0.025, 0.02]
    before = surface.inputs["Base Color"]
    if before.is_linked:
        tree.links.new(before.links[0].from_socket, mixed.inputs["A"])
    else:
        mixed.inputs["A"].default_value = (*finish.colour, 1)
    mixed.inputs["B"].default_value = (*worn, 1)
    tree.links.new(where.outputs[0], mixed.inputs["Factor"])
    tree.links.new(mixed.outputs["Result"], before)


def _varied(tree: Any, amount: float, colour: Any, each: Any) -> Any:
    span = tree.nodes.new("ShaderNodeMapRange")
    _set(span, {"To Min": 1 - amount, "To Max": 1 + amount})
    tree.links.new(each, span.inputs["Value"])
    varied = tree.nodes.new("ShaderNodeHueSaturation")
    tree.links.new(span.outputs[0], varied.inputs["Value"])
    tree.links.new(colour, varied.inputs["Color"])
    return varied.outputs[0]
