"""The one door to Blender: lengths become its units here, and only what imports this needs it."""

import math
from typing import TypeAlias

import bpy  # first: the other modules are parts of it

# isort: split
import bmesh
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

__all__ = [
    "UNITS_PER_MM",
    "BVHTree",
    "Body",
    "Material",
    "Matrix",
    "Mesh",
    "Vector",
    "bmesh",
    "bpy",
    "link",
    "turned",
]

UNITS_PER_MM = 0.01

Body: TypeAlias = bpy.types.Object
Mesh: TypeAlias = bpy.types.Mesh
Material: TypeAlias = bpy.types.Material


def link(thing: Body) -> Body:
    """Put an object into the scene and return it."""
    bpy.context.scene.collection.objects.link(thing)
    return thing


def turned(degrees: float, axis: str = "Z") -> Matrix:
    """Return the rotation about an axis."""
    return Matrix.Rotation(math.radians(degrees), 3, axis)
