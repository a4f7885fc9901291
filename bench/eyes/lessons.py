"""The course of training: which samples, how long, how well it went, and what comes out."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bench.eyes.__main__ import part_of
from bench.eyes.augment import as_it_is
from bench.eyes.export import export
from bench.eyes.net import Net
from bench.eyes.sample import LEFT_OUT, Sample
from bench.eyes.start import begun_with
from bench.eyes.train import Recipe, figures, reliability, train, unweigh
from companion.sensing.vision import net as vision
from companion.sensing.vision.eyes import GLANCES
from companion.sensing.vision.net import KINDS

PARTS = {"studio": 2}  # of every batch; other sets have one


def teach(
    folder: Path,
    sets: Mapping[str, Sequence[Path]],
    recipe: Recipe,
    threads: int,
    start: Path | None = None,
    *,
    tuning: bool = False,
) -> dict[str, Any]:
    """Train on several sets of samples, each with its part; return the model's card.

    A net that is only tuned does not become surer of itself by the few samples that are kept back.
    """
    torch.set_num_threads(threads)
    sets = {name: paths for name, paths in sets.items() if paths}
    learned = {name: load_samples(paths, held_back=False) for name, paths in sets.items()}
    kept = {name: load_samples(paths, held_back=True) for name, paths in sets.items()}
    parts = [each for name, each in learned.items() for _ in range(PARTS.get(name, 1)) if each]
    net = train(parts, recipe, folder, start=start, tuning=tuning)
    unweigh(net)
    told = {name: looked(net, samples) for name, samples in kept.items()}
    warmth = {
        head: temperature(
            np.concatenate([said[head] for name in kept for said in told[name]]),
            np.concatenate([getattr(s, head).ravel() for name in kept for s in kept[name]]),
        )
        for head in KINDS
    }
    if tuning:
        warmth = {head: max(1.0, value) for head, value in warmth.items()}
    export(net, folder / "eyes.onnx", warmth)
    return {
        "trained on": {name: len(samples) for name, samples in learned.items()},
        "steps": recipe.steps,
        "weights": sum(part.numel() for part in net.parameters()),
        "temperature": warmth,
        "reliability": reliability(
            [said for name in kept for said in told[name]],
            [sample for name in kept for sample in kept[name]],
            warmth,
        ),
        "figures": _figures(told, kept),
        **({} if start is None else _before(start, kept)),
    }


def _figures(
    told: Mapping[str, list[dict[str, np.ndarray]]], kept: Mapping[str, Sequence[Sample]]
) -> dict[str, float]:
    return {
        f"{name}, {what}": round(value, 4)
        for name, samples in kept.items()
        for what, value in figures(told[name], samples).items()
    }


def _before(start: Path, kept: Mapping[str, Sequence[Sample]]) -> dict[str, object]:
    """Return how the net did with the weights that it began with."""
    net = begun_with(start)
    told = {name: looked(net, samples) for name, samples in kept.items()}
    return {"began with": start.name, "figures before": _figures(told, kept)}


def looked(net: Net, samples: Sequence[Sample]) -> list[dict[str, np.ndarray]]:
    """Return the logits of every sample at its places as the companion comes by them: run by
    OpenCV, the mean of a glance in every quarter turn."""
    with tempfile.TemporaryDirectory() as folder:
        export(net, Path(folder) / "eyes.onnx", {})
        eyes = vision.Net(Path(folder) / "eyes.onnx")
    told = []
    for sample in samples:
        shown = as_it_is(sample)
        picture = np.moveaxis(np.rint(shown.picture[:3] * 255), 0, -1).astype(np.uint8)
        lean = shown.picture[3:]
        maps = np.mean([eyes.answer(picture, lean, turn) for turn in GLANCES], axis=0)
        told.append(
            {name: vision.head(vision.read_at(maps, shown.at[name]), name).T for name in KINDS}
        )
    return told


def load_samples(paths: Sequence[Path], held_back: bool) -> list[Sample]:
    """Return the samples that are held back from training, or all others."""
    return [Sample.load(path) for path in part_of(paths, held_back)]


def temperature(logits: np.ndarray, labels: np.ndarray) -> float:
    """Return by what logits are to be divided so that their certainty is right (temperature
    scaling: the one of a few that makes the labels likeliest)."""
    known = labels != LEFT_OUT
    logits, labels = logits[known].astype(np.float64), labels[known].astype(np.intp)

    def unlikely(warmth: float) -> float:
        scaled = logits / warmth
        whole = np.logaddexp.reduce(scaled, axis=1)
        return float((whole - scaled[np.arange(len(labels)), labels]).mean())

    return float(min(np.round(np.geomspace(0.4, 4.0, 41), 3), key=unlikely))
