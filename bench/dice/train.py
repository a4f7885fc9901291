"""Trains the nets for dice: AdamW, a rate that falls by a cosine, averaged weights, checkpoints."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench.dice.body import Rng
from bench.dice.faces import Faces, some
from bench.dice.lessons import LEFT_OUT, Lesson, batch
from bench.dice.net import FinderNet, ReaderNet
from companion.commands.progress import say
from companion.sensing.dice.net import BOX, THERE, evened

WARMING = 50  # steps
THERE_WEIGHT = 6.0  # of whether a die is there, beside where it ends
SHORT = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())

Loss = Callable[[nn.Module, Rng, int], Tensor]


@dataclass(frozen=True)
class Recipe:
    """How long, and how fast."""

    steps: int
    batch: int
    rate: float = 3e-3
    decay: float = 0.02
    keep: float = 0.99  # of the averaged weights, at each step (exponential moving average)
    seed: int = 1

    def rate_at(self, step: int) -> float:
        """Return the learning rate: up in a few steps, then down by a cosine."""
        if step < WARMING:
            return self.rate * (step + 1) / WARMING
        fall = (step - WARMING) / max(1, self.steps - WARMING)
        return self.rate * (0.003 + 0.997 * (1 + math.cos(math.pi * fall)) / 2)


FINDING = Recipe(steps=700, batch=8)
READING = Recipe(steps=12_600, batch=64)


def _shown(net: nn.Module, pictures: np.ndarray) -> Tensor:
    planes = torch.from_numpy(pictures).permute(0, 3, 1, 2)
    with torch.autocast("cpu", torch.bfloat16, enabled=SHORT):
        said: Tensor = net(planes.contiguous(memory_format=torch.channels_last))
    return said.float()


def finding(parts: list[Lesson]) -> Loss:
    """Return what tells how wrong a finder is about some of these pictures."""

    def loss(net: nn.Module, rng: Rng, size: int) -> Tensor:
        lesson = batch(parts, rng, size)
        maps = _shown(net, lesson.pictures)
        there = torch.from_numpy(lesson.there.astype(np.float32))
        box = torch.from_numpy(lesson.box)
        asked = there != LEFT_OUT
        said = maps[:, THERE][:, 0][asked]
        total = THERE_WEIGHT * F.binary_cross_entropy_with_logits(said, there[asked])
        sides = maps[:, BOX].permute(0, 2, 3, 1)[there == 1]
        if len(sides):
            right = box.permute(0, 2, 3, 1)[there == 1]
            total = total + F.smooth_l1_loss(sides, right, beta=0.1)
        return total

    return loss


def reading(parts: list[Faces]) -> Loss:
    """Return what tells how wrong a reader is about some of these cut-outs."""

    def loss(net: nn.Module, rng: Rng, size: int) -> Tensor:
        pictures, values = some(parts, rng, size)
        logits = _shown(net, evened(pictures)).flatten(1)
        return F.cross_entropy(logits, torch.from_numpy(values))

    return loss


def find_net(parts: list[Lesson], folder: Path, recipe: Recipe = FINDING) -> nn.Module:
    """Return a finder that was trained, or goes on where its training was stopped."""
    torch.manual_seed(recipe.seed)
    return train(FinderNet(), finding(parts), recipe, folder / "finder.pt")


def read_net(parts: list[Faces], folder: Path, recipe: Recipe = READING) -> nn.Module:
    """Return a reader that was trained, or goes on where its training was stopped."""
    torch.manual_seed(recipe.seed)
    return train(ReaderNet(), reading(parts), recipe, folder / "reader.pt")


def train(net: nn.Module, loss_of: Loss, recipe: Recipe, kept: Path, every: int = 100) -> nn.Module:
    """Train, or go on where a run was stopped; return the net with its averaged weights."""
    net = net.to(memory_format=torch.channels_last)
    best = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(recipe.keep), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    parts = {"net": net, "best": best, "optimiser": optimiser}
    step = 0
    if kept.exists():
        state = torch.load(kept)
        step = state.pop("step")
        for name, part in parts.items():
            part.load_state_dict(state[name])
    began, losses = time.monotonic(), []
    while step < recipe.steps:
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate_at(step)
        net.train()
        loss = loss_of(net, np.random.default_rng([recipe.seed, step]), recipe.batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        best.update_parameters(net)
        losses.append(loss.item())
        step += 1
        if step % every == 0 or step == recipe.steps:
            state = {name: part.state_dict() for name, part in parts.items()}
            torch.save({"step": step, **state}, kept.with_suffix(".part"))
            kept.with_suffix(".part").replace(kept)
            spent = time.monotonic() - began
            say(f"{kept.stem}: step {step} loss {np.mean(losses):.4f} {spent:.0f} s")
            losses.clear()
    trained: nn.Module = best.module
    return trained.to(memory_format=torch.contiguous_format).eval()
