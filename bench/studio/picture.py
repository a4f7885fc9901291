"""One picture from plan to files: the scene is built, its light taken, developed and kept."""

import json
import os
from pathlib import Path

import cv2
import numpy as np

from bench.studio.plan import Plan
from bench.studio.render import take_light
from bench.studio.scene import build_scene
from bench.studio.sensor import develop
from bench.studio.truth import find_hidden, truth_of, white_points


def take_picture(plan: Plan, folder: Path, samples: int, threads: int) -> Path:
    """Write the picture of a plan and its truth into ``stills`` of a folder; return its path."""
    hides = build_scene(plan)
    truth = truth_of(plan, find_hidden(plan, hides))
    draw = plan.seed * 1000 + plan.number
    light = take_light(plan.lens, samples, threads, draw)
    margins = [light[round(y), round(x)] for x, y in plan.lens.project(white_points(plan)).tolist()]
    white = np.median(margins, axis=0)
    picture = develop(light, plan.exposure, white, np.random.default_rng(draw))
    quality = [cv2.IMWRITE_JPEG_QUALITY, plan.exposure.jpeg]
    path = folder / "stills" / f"{plan.name}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    # The truth comes first: where there is a picture, there is a truth beside it.
    _write(path.with_suffix(".json"), json.dumps(truth).encode())
    _write(path, cv2.imencode(".jpg", picture, quality)[1].tobytes())
    return path


def _write(path: Path, data: bytes) -> None:
    """Write a file that is whole from the moment it is there."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    os.replace(part, path)
