"""Photographs of the reference board in colours and lights that no other picture has, each with
its exact truth: ``python -m bench.studio FOLDER``.

What a picture shows is planned from a seed without Blender (:mod:`.plan` and what it uses); only
the modules that import :mod:`.blender` build the scene and need the module ``bpy``.
"""
