"""The camera in the scene, and the light that falls through it, computed with Cycles."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.studio.blender import UNITS_PER_MM, Matrix, bpy, link
from bench.studio.lens import Canvas, Lens, Point, canvas_of

DRAWN_SCALE = 0.85  # of the picture: no lens is as sharp as its sensor, and it saves time
SMALL_PX = 900  # a picture less wide is drawn whole
SENSOR_MM = 36.0  # what focal lengths are counted in
BOUNCES = 1
NOTHING_CUT = (0, 0, 0, 0)


def take_light(
    lens: Lens, samples: int, threads: int, seed: int, around: Sequence[Point] = ()
) -> NDArray[np.float32]:
    """Return the light that each pixel of the picture gets, red first, distortion included; with
    points that it should show ``around``, what lies outside of them is not drawn."""
    canvas = canvas_of(lens)
    _add_camera(lens, canvas)
    edges = _cut(lens, canvas, around) if around else NOTHING_CUT
    with _hushed():
        _set_cycles(samples, threads, seed)
        drawn = _render()
    if edges != NOTHING_CUT:
        drawn = np.asarray(cv2.copyMakeBorder(drawn, *edges, cv2.BORDER_REPLICATE))
    size = canvas.width, canvas.height
    return canvas.bend(np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_CUBIC)))


def _add_camera(lens: Lens, canvas: Canvas) -> None:
    """Hang up a camera without distortion that sees the canvas."""
    scene = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    scene.camera = link(bpy.data.objects.new("camera", camera))
    pose = np.eye(4)
    pose[:3, :3] = np.array(lens.rotation).T @ np.diag([1.0, -1.0, -1.0])
    pose[:3, 3] = np.array(lens.centre) * UNITS_PER_MM
    scene.camera.matrix_world = Matrix(pose.tolist())
    (focal, _, x), (_, _, y), _ = lens.matrix
    x, y = x - canvas.left + 0.5, y - canvas.top + 0.5
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", SENSOR_MM
    camera.lens = focal * SENSOR_MM / canvas.width
    camera.shift_x = (canvas.width / 2 - x) / canvas.width
    camera.shift_y = (y - canvas.height / 2) / canvas.width
    camera.clip_start = 0.01
    render = scene.render
    render.resolution_x, render.resolution_y = canvas.width, canvas.height
    render.resolution_percentage = 100 if lens.width < SMALL_PX else round(100 * DRAWN_SCALE)


def _cut(lens: Lens, canvas: Canvas, around: Sequence[Point]) -> tuple[int, int, int, int]:
    """Draw only what is between some points of the board; return how many rows and columns are
    left out above, below, left and right."""
    corner = np.array((canvas.left, canvas.top))
    render = bpy.context.scene.render
    size = np.array((canvas.width, canvas.height)) * render.resolution_percentage // 100
    share = (lens.straighten(lens.project(around)) - corner) / (canvas.width, canvas.height)
    left, top = np.clip(np.floor(share.min(0) * size), 0, size - 1).astype(int).tolist()
    right, bottom = np.clip(np.ceil(share.max(0) * size), (left + 1, top + 1), size).astype(int)
    width, height = size.tolist()
    render.use_border = render.use_crop_to_border = True
    render.border_min_x, render.border_max_x = left / width, right / width
    render.border_min_y, render.border_max_y = 1 - bottom / height, 1 - top / height
    return top, height - int(bottom), left, width - int(right)


def _set_cycles(samples: int, threads: int, seed: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.filter_size = 1.3
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.04
    cycles.adaptive_min_samples = min(8, samples)
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.max_bounces = BOUNCES + 1
    cycles.diffuse_bounces = cycles.glossy_bounces = BOUNCES
    cycles.transmission_bounces, cycles.transparent_max_bounces = 2, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_direct, cycles.sample_clamp_indirect = 0, 4
    cycles.blur_glossy, cycles.use_light_tree = 0.3, False


def _render() -> NDArray[np.float32]:
    scene = bpy.context.scene
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(str(path))
        image.colorspace_settings.name = "Non-Color"
        width, height = image.size
        pixels = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(pixels)
    return pixels.reshape(height, width, 4)[::-1, :, :3].copy()


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep Blender, which writes past Python, from telling what it saves and what it lacks."""
    sys.stdout.flush()
    kept = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for number, copy in enumerate(kept, 1):
            os.dup2(copy, number)
            os.close(copy)
        os.close(nowhere)
