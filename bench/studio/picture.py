"""One picture from plan to files: the scene is built, its light taken, developed and kept."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.studio.lens import Point
from bench.studio.lights import white_of
from bench.studio.plan import Plan
from bench.studio.render import take_light
from bench.studio.scene import build_scene
from bench.studio.sensor import develop
from bench.studio.truth import clipped, find_hidden, truth_of, white_points


def take_picture(
    plan: Plan,
    path: Path,
    samples: int,
    threads: int,
    more: Mapping[str, Any] | None = None,
    margin: float | None = None,
) -> None:
    """Write the picture of a plan, and its truth beside it, with what ``more`` there is to say;
    with a ``margin`` in pitches, no more is drawn than the field and so much around it."""
    truth = truth_of(plan, find_hidden(plan, build_scene(plan))) | dict(more or {})
    draw = plan.noise_seed
    around = () if margin is None else _around(plan, margin)
    light = take_light(plan.lens, samples, threads, draw, around)
    white = np.array(white_of(plan.lighting)) if around else _white(plan, light)
    picture = develop(light, plan.exposure, white, np.random.default_rng(draw))
    truth["clipped_fraction"] = clipped(plan, picture)
    quality = [cv2.IMWRITE_JPEG_QUALITY, plan.exposure.jpeg]
    path.parent.mkdir(parents=True, exist_ok=True)
    # The truth comes first: where there is a picture, there is a truth beside it.
    _write(path.with_suffix(".json"), json.dumps(truth).encode())
    _write(path, cv2.imencode(".jpg", picture, quality)[1].tobytes())


def _around(plan: Plan, margin: float) -> tuple[Point, ...]:
    reach = plan.board.field_mm / 2 + margin * plan.board.pitch_mm
    return tuple((x, y, 0.0) for x in (-reach, reach) for y in (-reach, reach))


def _white(plan: Plan, light: NDArray[np.float32]) -> NDArray[Any]:
    """Return what white paper shows: the margins of the markers, or else what it should show."""
    points = white_points(plan)
    if points:
        height, width = light.shape[:2]
        pixels = np.round(plan.lens.project(points)).astype(int)
        seen = [(x, y) for x, y in pixels.tolist() if 0 <= x < width and 0 <= y < height]
        if len(seen) >= 6:
            white = np.median([light[y, x] for x, y in seen], axis=0)
            if white.min() > 1e-4:
                return np.asarray(white)
    return np.array(white_of(plan.lighting))


def _write(path: Path, data: bytes) -> None:
    """Write a file that is whole from the moment it is there."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    os.replace(part, path)
