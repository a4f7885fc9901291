"""The course of training: which samples, how long, how well it went, and what comes out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bench.eyes.__main__ import HELD_BACK
from bench.eyes.export import export
from bench.eyes.sample import LEFT_OUT, Sample
from bench.eyes.train import Recipe, answers, figures, reliability, train
from companion.sensing.vision.net import KINDS


def teach(
    folder: Path, drawn: Sequence[Path], taken: Sequence[Path], steps: int, threads: int
) -> dict[str, Any]:
    """Train on simulated boards and photographs, half and half; return the model's card."""
    torch.set_num_threads(threads)
    sets = {"simulated": drawn, "studio": taken}
    learned = {name: load_samples(paths, held_back=False) for name, paths in sets.items()}
    kept = {name: load_samples(paths, held_back=True) for name, paths in sets.items()}
    recipe = Recipe(steps=steps)
    net = train([each for each in learned.values() if each], recipe, folder)
    told = {name: answers(net, samples) for name, samples in kept.items()}
    warmth = {
        head: temperature(
            np.concatenate([said[head] for name in kept for said in told[name]]),
            np.concatenate([getattr(s, head).ravel() for name in kept for s in kept[name]]),
        )
        for head in KINDS
    }
    export(net, folder / "eyes.onnx", warmth)
    return {
        "trained on": {name: len(samples) for name, samples in learned.items()},
        "steps": steps,
        "weights": sum(part.numel() for part in net.parameters()),
        "temperature": warmth,
        "reliability": reliability(
            [said for name in kept for said in told[name]],
            [sample for name in kept for sample in kept[name]],
            warmth,
        ),
        "figures": {
            f"{name}, {what}": round(value, 4)
            for name, samples in kept.items()
            for what, value in figures(told[name], samples).items()
        },
    }


def load_samples(paths: Sequence[Path], held_back: bool) -> list[Sample]:
    """Return the samples that are held back from training, or all others."""
    return [Sample.load(p) for n, p in enumerate(paths) if (n % HELD_BACK == 0) == held_back]


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
