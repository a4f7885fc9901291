"""Simple bodies, given in millimetres, and how they are put into the scene."""

from collections.abc import Sequence
from typing import Any

from bench.studio.blender import (
    UNITS_PER_MM,
    Body,
    Material,
    Matrix,
    Mesh,
    Vector,
    bmesh,
    bpy,
    link,
)

Corners = Sequence[Sequence[float]]
Faces = Sequence[Sequence[int]]


def place(
    mesh: Mesh,
    material: Material,
    at_mm: Sequence[float],
    rotation: Matrix | None = None,
) -> Body:
    """Put a body into the scene, turned about its own origin."""
    body = link(bpy.data.objects.new(mesh.name, mesh))
    turn = rotation.to_4x4() if rotation is not None else Matrix()
    body.matrix_world = Matrix.Translation(Vector(at_mm) * UNITS_PER_MM) @ turn
    if not mesh.materials:
        mesh.materials.append(material)
    return body


def smooth(mesh: Mesh, faces: int | None = None) -> Mesh:
    """Round off the shading of a mesh, or of its first faces."""
    count = len(mesh.polygons)
    mesh.polygons.foreach_set("use_smooth", [faces is None or n < faces for n in range(count)])
    return mesh


def box(
    width_mm: float, depth_mm: float, height_mm: float, bevel_mm: float = 0.3, steps: int = 2
) -> Mesh:
    """Return a box whose top is at z = 0."""
    build = bmesh.new()
    bmesh.ops.create_cube(build, size=1)
    for corner in build.verts:
        x, y, z = corner.co
        corner.co = Vector((x * width_mm, y * depth_mm, (z - 0.5) * height_mm)) * UNITS_PER_MM
    if bevel_mm:
        bmesh.ops.bevel(
            build,
            geom=build.edges[:],
            offset=bevel_mm * UNITS_PER_MM,
            segments=steps,
            affect="EDGES",
            profile=0.5,
        )
    return as_mesh(build, "box")


def ball(radius_mm: float, around: int = 24, rings: int = 16) -> Mesh:
    """Return a ball about the origin."""
    build = bmesh.new()
    bmesh.ops.create_uvsphere(
        build, u_segments=around, v_segments=rings, radius=radius_mm * UNITS_PER_MM
    )
    return smooth(as_mesh(build, "ball"))


def column(
    foot_mm: float, head_mm: float, height_mm: float, around: int = 40, closed: bool = True
) -> Mesh:
    """Return a round column that stands on z = 0, with the radius of its foot and its head."""
    build = bmesh.new()
    bmesh.ops.create_cone(
        build,
        cap_ends=closed,
        segments=around,
        radius1=foot_mm * UNITS_PER_MM,
        radius2=head_mm * UNITS_PER_MM,
        depth=height_mm * UNITS_PER_MM,
    )
    for corner in build.verts:
        corner.co.z += height_mm * UNITS_PER_MM / 2
    return as_mesh(build, "column")


def polyhedron(corners: Corners, faces: Faces) -> Mesh:
    """Return a body given by its corners and faces."""
    mesh = bpy.data.meshes.new("polyhedron")
    mesh.from_pydata([[value * UNITS_PER_MM for value in at] for at in corners], [], faces)
    mesh.update()
    return mesh


def sheet(width_mm: float, depth_mm: float) -> Mesh:
    """Return a flat rectangle about the origin."""
    x, y = width_mm / 2, depth_mm / 2
    return polyhedron([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2, 3)])


def skin_faces(rings: int, around: int) -> list[tuple[int, int, int, int]]:
    """Return the faces between rings of corners that lie one behind the other."""
    return [
        (
            ring * around + here,
            ring * around + (here + 1) % around,
            (ring + 1) * around + (here + 1) % around,
            (ring + 1) * around + here,
        )
        for ring in range(rings - 1)
        for here in range(around)
    ]


def as_mesh(build: Any, name: str) -> Mesh:
    """Turn what is being built into a mesh, and let go of it."""
    mesh = bpy.data.meshes.new(name)
    build.to_mesh(mesh)
    build.free()
    return mesh
