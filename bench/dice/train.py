"""Trains the net for dice: AdamW, a rate that falls by a cosine, averaged weights, checkpoints."""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from bench.dice.lessons import LEFT_OUT, Lesson, Lessons, batch
from bench.dice.net import Net
from companion.commands.progress import say
from companion.sensing.dice.net import BOX, THERE, VALUE

KEEP = 0.99  # of the averaged weights, at each step (exponential moving average)
WARMING, COOLING = 60, 0.33  # steps, and a part of all steps
THERE_WEIGHT, VALUE_WEIGHT, BOX_WEIGHT = 6.0, 1.0, 1.0
SHORT = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


@dataclass(frozen=True)
class Recipe:
    """How long, and how fast."""

    steps: int = 4000
    batch: int = 8
    rate: float = 3e-3
    files: int = 15  # of pictures, to begin with
    most_files: int = 100
    steps_a_file: int = 20  # until there is one more
    decay: float = 0.02
    seed: int = 1

    def rate_at(self, step: int) -> float:
        """Return the learning rate: up in a few steps, held, and down to nothing in the last third.

        So a run can be made longer as long as its rate is held.
        """
        rising = (step + 1) / WARMING
        falling = (self.steps - step) / (self.steps * COOLING)
        return self.rate * min(1.0, rising, max(falling, 0.003))

    def files_at(self, step: int) -> int:
        """Return how many files of pictures are learned from at a step."""
        return min(self.most_files, self.files + step // self.steps_a_file)


def loss_of(maps: Tensor, lesson: Lesson) -> Tensor:
    """Return what is wrong with the answers."""
    there = torch.from_numpy(lesson.there.astype(np.float32))
    value = torch.from_numpy(lesson.value.astype(np.int64))
    box = torch.from_numpy(lesson.box)
    asked = there != LEFT_OUT
    said = maps[:, THERE][:, 0][asked]
    total = THERE_WEIGHT * F.binary_cross_entropy_with_logits(said, there[asked])
    if (value != LEFT_OUT).any():
        total = total + VALUE_WEIGHT * F.cross_entropy(maps[:, VALUE], value, ignore_index=LEFT_OUT)
    sides = maps[:, BOX].permute(0, 2, 3, 1)[there == 1]
    if len(sides):
        right = box.permute(0, 2, 3, 1)[there == 1]
        total = total + BOX_WEIGHT * F.smooth_l1_loss(sides, right, beta=0.1)
    return total


def train(lessons: Lessons, recipe: Recipe, folder: Path, every: int = 100) -> Net:
    """Train, or go on where a run was stopped; return the net with its averaged weights."""
    torch.manual_seed(recipe.seed)
    net = Net().to(memory_format=torch.channels_last)
    best = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEP), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    parts = {"net": net, "best": best, "optimiser": optimiser}
    kept, step = folder / "checkpoint.pt", 0
    if kept.exists():
        state = torch.load(kept)
        step = state.pop("step")
        for name, part in parts.items():
            part.load_state_dict(state[name])
    began, losses = time.monotonic(), []
    while step < recipe.steps:
        lessons.take(recipe.files_at(step))
        some = batch(lessons.parts, np.random.default_rng([recipe.seed, step]), recipe.batch)
        pictures = torch.from_numpy(some.pictures).permute(0, 3, 1, 2)
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate_at(step)
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=SHORT):
            maps = net(pictures.contiguous(memory_format=torch.channels_last))
        loss = loss_of(maps.float(), some)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        best.update_parameters(net)
        losses.append(loss.item())
        step += 1
        if step % every == 0 or step == recipe.steps:
            state = {name: part.state_dict() for name, part in parts.items()}
            torch.save({"step": step, **state}, kept.with_suffix(".part"))
            kept.with_suffix(".part").replace(kept)
            say(f"step {step} loss {np.mean(losses):.4f} {time.monotonic() - began:.0f} s")
            losses.clear()
    trained: Net = best.module
    return trained.eval()
