"""Trains the net: AdamW, a learning rate that falls by a cosine, averaged weights, checkpoints."""

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from bench.eyes.augment import SIZE, VALUES, Turned, varied
from bench.eyes.net import Net
from bench.eyes.sample import LEFT_OUT, Sample
from bench.eyes.start import begun_with
from companion.sensing.vision.net import FIRST, HEADS, KINDS, STRIDE, maps_of

HEAD_OF = {**{name: name for name in KINDS}, "point": "square"}
#: What errors of values count beside the cross-entropy of kinds, by the head that is asked. Kinds
#: make most of the errors and least of the loss, so they must not be drowned.
WEIGHTS = {"paint": 0.6, "stave": 0.03, "off": 0.3}
KINDS_WEIGHT = 3.0
AT_FIRST = 8  # batches to measure scales by
WARMING = 0.05  # of all steps
#: How much more an error counts for what is rare and easily taken for something else.
RARE = {"loose": 3.0, "lying": 2.0, "flat": 2.0, "ball": 1.5}
KEEP = 0.998  # of the averaged weights, at each step (exponential moving average)
#: Whether this processor multiplies short numbers (bfloat16) faster than long ones.
SHORT = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


@dataclass(frozen=True)
class Recipe:
    """How long, and how fast."""

    steps: int = 16_000
    batch: int = 8
    rate: float = 2e-3
    decay: float = 0.02
    width: int = 80  # a multiple of 16: short numbers go wrong in others
    seed: int = 1

    @property
    def keep(self) -> float:
        """Return how much of the averaged weights is kept at each step, less in a short run."""
        return min(KEEP, 1 - 10 / self.steps)

    def rate_at(self, step: int) -> float:
        """Return the learning rate: up in a twentieth of the steps, then down by a cosine.

        With more steps than before, a run that was over goes on from a higher rate.
        """
        done = step / self.steps
        if done < WARMING:
            return self.rate * (0.04 + 0.96 * done / WARMING)
        fall = (done - WARMING) / (1 - WARMING)
        return self.rate * (0.001 + 0.999 * (1 + math.cos(math.pi * fall)) / 2)


def split(maps: Tensor) -> dict[str, Tensor]:
    """Return the maps by head."""
    return dict(zip(HEADS, maps.split(list(HEADS.values()), dim=1), strict=True))


def read_at(maps: Tensor, at: Tensor) -> Tensor:
    """Return the answers at pixels, (n, places, answers)."""
    steps = SIZE // STRIDE
    grid = (at - FIRST) / STRIDE * 2 / (steps - 1) - 1
    read = F.grid_sample(maps, grid[:, :, None], align_corners=True, padding_mode="border")
    return read[..., 0].transpose(1, 2)


def stack(batch: Sequence[Turned]) -> tuple[Tensor, dict[str, Tensor], ...]:
    """Return pictures, places, labels and values of a batch."""
    pictures = torch.from_numpy(np.stack([each.picture for each in batch]))
    parts = []
    for part in ("at", "labels", "values"):
        names = getattr(batch[0], part)
        stacked = {n: np.stack([getattr(each, part)[n] for each in batch]) for n in names}
        parts.append({n: torch.from_numpy(each) for n, each in stacked.items()})
    return pictures, *parts


def loss_of(
    maps: Tensor, at: dict[str, Tensor], labels: dict[str, Tensor], values: dict[str, Tensor]
) -> Tensor:
    """Return what is wrong with the answers: cross-entropy of kinds, distance of values."""
    heads = split(maps)
    total = maps.new_zeros(())
    for name, head in HEAD_OF.items():
        if not (labels[name] != LEFT_OUT).any():
            continue
        said = read_at(heads[head], at[name])
        total = total + KINDS_WEIGHT * F.cross_entropy(
            said.reshape(-1, said.shape[-1]),
            labels[name].reshape(-1),
            said.new_tensor([RARE.get(kind, 1.0) for kind in KINDS[head]]),
            ignore_index=LEFT_OUT,
        )
    for name, (head, places) in VALUES.items():
        wanted = values[name]
        asked = ~wanted.isnan().any(dim=-1)
        if asked.any():
            said = read_at(heads[head], at[places])[asked]
            total = total + WEIGHTS[head] * F.smooth_l1_loss(said, wanted[asked], beta=0.1)
    return total


def batches(sets: Sequence[Sequence[Sample]], recipe: Recipe, first: int) -> Iterator[list[Turned]]:
    """Yield batches for ever, the same for the same recipe, from a step on; every set of samples
    has an equal part in them."""
    step = first
    while True:
        rng = np.random.default_rng([recipe.seed, step])
        first_set = step * recipe.batch  # so that none is left behind where it does not divide
        chosen = (sets[(first_set + n) % len(sets)] for n in range(recipe.batch))
        yield [varied(samples[rng.integers(len(samples))], rng) for samples in chosen]
        step += 1


def ahead(batches: Iterator[list[Turned]]) -> Iterator[list[Turned]]:
    """Yield the same, each made by another thread while the one before it is learned."""
    with ThreadPoolExecutor(1) as maker:
        coming = maker.submit(next, batches)
        while True:
            batch, coming = coming.result(), maker.submit(next, batches)
            yield batch


def keep_scales(net: Net) -> None:
    """Have batches no say in how the net scales what it sees."""
    for part in net.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.eval()


@torch.no_grad()
def wake_scales(net: Net, pictures: Tensor) -> None:
    """Have a net whose scales (batch normalisation) were folded into its convolutions scale what
    it sees in these pictures again; it says the same as before."""
    scales = [part for part in net.modules() if isinstance(part, torch.nn.BatchNorm2d)]

    def wake(part: torch.nn.BatchNorm2d, seen: tuple[Tensor]) -> None:
        variance, mean = torch.var_mean(seen[0].float(), dim=(0, 2, 3))
        was = part.weight / (part.running_var + part.eps).sqrt()
        part.bias += was * (mean - part.running_mean)
        part.weight.copy_(was * (variance + part.eps).sqrt())
        part.running_mean.copy_(mean)
        part.running_var.copy_(variance)

    hooks = [part.register_forward_pre_hook(wake) for part in scales]
    net.eval()(pictures)
    for hook in hooks:
        hook.remove()


def train(
    sets: Sequence[Sequence[Sample]],
    recipe: Recipe,
    folder: Path,
    every: int = 250,
    start: Path | None = None,
    *,
    tuning: bool = False,
) -> Net:
    """Train, or go on where a run was stopped; return the net with its averaged weights.

    A run that is new begins with the weights in the file ``start``; without one, with weights by
    chance. In a short one (``tuning``) the scales (batch normalisation) stay as they are.
    """
    torch.manual_seed(recipe.seed)
    fresh = Net(recipe.width) if start is None else begun_with(start)
    net = fresh.to(memory_format=torch.channels_last)
    kept, step = folder / "checkpoint.pt", 0
    if start is not None and not tuning and not kept.exists():
        few = chain.from_iterable(islice(batches(sets, recipe, 0), AT_FIRST))
        wake_scales(net, stack(list(few))[0])
    best = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(recipe.keep), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    parts = {"net": net, "best": best, "optimiser": optimiser}
    if kept.exists():
        state = torch.load(kept)
        step = state.pop("step")
        for name, part in parts.items():
            part.load_state_dict(state[name])
    began, losses = time.monotonic(), []
    for batch in ahead(batches(sets, recipe, step)):
        if step >= recipe.steps:
            break
        net.train()
        if tuning:
            keep_scales(net)
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate_at(step)
        pictures, at, labels, values = stack(batch)
        with torch.autocast("cpu", torch.bfloat16, enabled=SHORT):
            maps = net(pictures.contiguous(memory_format=torch.channels_last))
        loss = loss_of(maps.float(), at, labels, values)
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
            spent = time.monotonic() - began
            print(f"step {step} loss {np.mean(losses):.4f} {spent:.0f} s", flush=True)
            losses.clear()
    trained: Net = best.module
    return trained.eval()


@torch.no_grad()
def unweigh(net: Net) -> None:
    """Take back what the weights of rare kinds have done to how likely the net holds them: errors
    count three times as much as if there were three times as many of a kind."""
    for name, kinds in KINDS.items():
        weights = [math.log(RARE.get(kind, 1.0)) for kind in kinds]
        net.head.bias[maps_of(name)] -= net.head.bias.new_tensor(weights)


def figures(told: Sequence[dict[str, np.ndarray]], samples: Sequence[Sample]) -> dict[str, float]:
    """Return how a net does: boards without error, wrong claims when sure, places told."""
    clean = wrong = sure = asked = 0
    worst: dict[str, int] = dict.fromkeys(KINDS, 0)
    for said, sample in zip(told, samples, strict=True):
        errors = 0
        for name in KINDS:
            labels = getattr(sample, name).ravel()
            logits = said[name]
            share = np.exp(logits - logits.max(axis=1, keepdims=True))
            share /= share.sum(axis=1, keepdims=True)
            best, certain = share.argmax(axis=1), share.max(axis=1) > 0.95
            known = labels != LEFT_OUT
            off = known & (best != labels)
            errors += int(off.sum())
            worst[name] += int(off.sum())
            wrong += int((off & certain & (best != 0)).sum())
            sure += int((known & certain).sum())
            asked += int(known.sum())
        clean += errors == 0
    count = max(1, len(samples))
    return {
        "boards": len(samples),
        "without error": clean / count,
        "wrong claims": wrong / count,
        "told": sure / max(1, asked),
        **{f"errors, {name}": total / count for name, total in worst.items()},
    }


BINS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98)


def reliability(
    told: Sequence[dict[str, np.ndarray]], samples: Sequence[Sample], warmth: dict[str, float]
) -> dict[str, list[tuple[float, float, int]]]:
    """Return for each head, in bins of what was said, the mean of it, how often that was so, and
    of how many: a net that is calibrated says what is so."""
    bins: dict[str, list[tuple[float, float, int]]] = {}
    for name in KINDS:
        logits = np.concatenate([said[name] for said in told]) / warmth[name]
        labels = np.concatenate([getattr(sample, name).ravel() for sample in samples])
        known = labels != LEFT_OUT
        share = np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))[known]
        right = labels[known][:, None] == np.arange(share.shape[1])
        which = np.digitize(share, BINS)
        bins[name] = [
            (
                round(float(share[which == n].mean()), 4),
                round(float(right[which == n].mean()), 4),
                int((which == n).sum()),
            )
            for n in range(len(BINS) + 1)
            if (which == n).any()
        ]
    return bins
