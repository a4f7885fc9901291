"""``python -m bench.eyes.spots FOLDER``: teach the net of the close look at squares and holes.

Takes the studio's pictures in every folder given, lays each field flat at the close look's size,
cuts the spots out and trains on them. Samples that are there are not made again.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from bench.eyes.__main__ import HELD_BACK, make_samples
from bench.eyes.export import write
from bench.eyes.net import Block
from bench.eyes.photographed import look_at
from bench.eyes.sample import LEFT_OUT, SIDE, Kept
from bench.eyes.train import KEEP, SHORT
from companion.commands.progress import say
from companion.sensing.vision.closeup import SPOT_PLANES, SPOT_PX, SPOT_SIZE
from companion.sensing.vision.net import SQUARE
from companion.sensing.vision.sheet import MARGIN

PAINT = 3
BATCH, BOARDS = 192, 24  # spots of so many boards
BARE_SHARE = 0.35  # of a batch; most spots of a board are empty
RATE, DECAY = 2e-3, 0.02
PAINT_WEIGHT = 0.7
SHIFT_PX = 3.5  # a spot is not always where it is expected
KINDS = len(SQUARE)


class SpotNet(nn.Module):
    """From cut-outs, (n, 8, SIZE, SIZE), to the kinds of what is there, as logits, and its paint."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            *self._step(SPOT_PLANES, 24),
            *self._step(24, 40),
            Block(40),
            Block(40),
            *self._step(40, 72),
            Block(72),
            Block(72),
        )
        side = SPOT_SIZE // 8
        self.head = nn.Sequential(
            nn.Conv2d(72, 24, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(24 * side * side, 96),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(96, KINDS + PAINT),
        )

    @staticmethod
    def _step(before: int, after: int) -> tuple[nn.Module, ...]:
        return (
            nn.Conv2d(before, after, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and paint, (n, 9)."""
        out: Tensor = self.head(self.trunk(x))
        return out


@dataclass(frozen=True)
class Spots(Kept):
    """One picture laid flat, and what its spots show."""

    picture: NDArray[np.uint8]  # with a margin of a pitch
    eye: NDArray[np.float32]  # of the camera in pitches: east and south of the middle, up
    at: NDArray[np.float32]  # (n, 2): middles of the spots in pixels
    kind: NDArray[np.int8]  # (n,)
    paint: NDArray[np.float32]  # (n, 3)


def spots_of(path: Path) -> Spots:
    """Return the spots of a photograph whose truth lies beside it."""
    photo = look_at(path)
    cells = (np.arange(SIDE) + 0.5 + MARGIN) * SPOT_PX - 0.5
    at = np.stack(np.meshgrid(cells, cells), axis=-1).reshape(-1, 2)
    return Spots(
        photo.laid(MARGIN, SPOT_PX),
        photo.eye,
        at.astype(np.float32),
        photo.labels["square"].ravel().astype(np.int8),
        photo.labels["paint"].reshape(-1, PAINT).astype(np.float32),
    )


@dataclass(frozen=True)
class Board:
    """A picture ready to be cut: its planes, the mean of its spots, and where they are."""

    spots: Spots
    typical: NDArray[np.float32]  # (3, SIZE, SIZE)
    bare: NDArray[np.intp]
    filled: NDArray[np.intp]

    @classmethod
    def of(cls, spots: Spots) -> "Board":
        """Return a board whose spots all lie within the picture."""
        whole = cls(spots, np.zeros((3, SPOT_SIZE, SPOT_SIZE), np.float32), *_numbers(spots))
        cuts = np.stack([_cut(spots.picture, at) for at in spots.at])
        typical = np.moveaxis(cuts.astype(np.float32).mean(axis=0), -1, 0)
        return replace(whole, typical=typical / 255)

    def planes(self, number: int, shift: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the cut-out of one spot, its middle shifted by some pixels."""
        at = self.spots.at[number] + shift
        planes = np.empty((SPOT_PLANES, SPOT_SIZE, SPOT_SIZE), np.float32)
        planes[:3] = np.moveaxis(_cut(self.spots.picture, at), -1, 0)
        planes[:3] /= 255
        planes[3:6] = self.typical
        middle = (np.array(self.spots.picture.shape[1::-1]) - 1) / 2
        away = (self.spots.at[number] - middle) / SPOT_PX - self.spots.eye[:2]
        planes[6:] = (away / self.spots.eye[2])[:, None, None]
        return planes


def _numbers(spots: Spots) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.flatnonzero(spots.kind == 0), np.flatnonzero(spots.kind > 0)


def _cut(picture: NDArray[np.uint8], at: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    return cv2.getRectSubPix(picture, (SPOT_SIZE, SPOT_SIZE), (float(at[0]), float(at[1])))


def batch_of(
    boards: Sequence[Board], rng: np.random.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Return cut-outs, kinds and paints of some spots of some boards, each board in its light."""
    planes, kinds, paints = [], [], []
    for number in rng.integers(len(boards), size=BOARDS):
        board = boards[number]
        some = BATCH // BOARDS
        bare = round(some * BARE_SHARE) if len(board.filled) else some
        chosen = rng.choice(board.bare, bare) if len(board.bare) else np.empty(0, int)
        if len(board.filled):
            chosen = np.concatenate([chosen, rng.choice(board.filled, some - len(chosen))])
        cuts = np.stack([board.planes(n, rng.normal(0, SHIFT_PX / 2, 2)) for n in chosen])
        cuts, paint = _relit(cuts, board.spots.paint[chosen], rng)
        planes.append(cuts)
        kinds.append(board.spots.kind[chosen])
        paints.append(paint)
    cuts = torch.from_numpy(np.concatenate(planes))
    return (
        _turned(cuts, rng),
        torch.from_numpy(np.concatenate(kinds).astype(np.int64)),
        torch.from_numpy(np.concatenate(paints).astype(np.float32)),
    )


def _relit(
    cuts: NDArray[np.float32], paint: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return cut-outs of one board in other light, through another lens."""
    colours = cuts[:, :6].reshape(-1, 2, 3, SPOT_SIZE, SPOT_SIZE)
    if rng.random() < 0.5:
        colours = colours ** np.float32(np.exp(rng.normal(0, 0.18)))
    gain = np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.07, 3)).astype(np.float32)
    colours = colours * gain[:, None, None]
    if rng.random() < 0.4:
        grey = colours.mean(axis=2, keepdims=True)
        colours = grey + (colours - grey) * np.float32(rng.uniform(0.55, 1.35))
    if rng.random() < 0.4:
        blur = float(rng.uniform(0.5, 2.2))
        flat = colours.reshape(-1, SPOT_SIZE, SPOT_SIZE)
        flat = np.stack([cv2.GaussianBlur(each, (0, 0), blur) for each in flat])
        colours = flat.reshape(colours.shape)
    if rng.random() < 0.6:
        noise = rng.normal(0, rng.uniform(0.003, 0.04), colours[:, 0].shape).astype(np.float32)
        colours = colours.copy()
        colours[:, 0] += noise
    lit = cuts.copy()
    lit[:, :6] = np.clip(colours, 0, 1).reshape(-1, 6, SPOT_SIZE, SPOT_SIZE)
    return lit, paint


def _turned(cuts: Tensor, rng: np.random.Generator) -> Tensor:
    """Return cut-outs mirrored either way, and with rows for columns."""
    for axis, plane in ((3, 6), (2, 7)):
        turned = torch.from_numpy(rng.random(len(cuts)) < 0.5)
        cuts[turned] = cuts[turned].flip(axis)
        cuts[turned, plane] *= -1
    swapped = torch.from_numpy(rng.random(len(cuts)) < 0.5)
    cuts[swapped] = cuts[swapped].transpose(2, 3)[:, [0, 1, 2, 3, 4, 5, 7, 6]]
    return cuts


def train(boards: Sequence[Board], steps: int, folder: Path, seed: int = 1) -> SpotNet:
    """Return a net trained on boards (AdamW, a cosine, averaged weights); goes on from where it
    was stopped."""
    torch.manual_seed(seed)
    net = SpotNet().to(memory_format=torch.channels_last)
    best = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEEP), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    parts = {"net": net, "best": best, "optimiser": optimiser}
    kept, first = folder / "spots.pt", 0
    if kept.exists():
        state = torch.load(kept)
        first = state.pop("step")
        for name, part in parts.items():
            part.load_state_dict(state[name])
    losses, began = [], time.monotonic()
    net.train()
    for step in range(first, steps):
        done = step / steps
        rate = RATE * min(1, (done + 0.002) / 0.05) * (0.002 + 0.998 * (1 + math.cos(math.pi * done)) / 2)
        for group in optimiser.param_groups:
            group["lr"] = rate
        cuts, kinds, paint = batch_of(boards, np.random.default_rng([seed, step]))
        with torch.autocast("cpu", torch.bfloat16, enabled=SHORT):
            said = net(cuts.contiguous(memory_format=torch.channels_last))
        said = said.float()
        loss = F.cross_entropy(said[:, :KINDS], kinds, ignore_index=LEFT_OUT)
        asked = ~paint.isnan().any(dim=1)
        if asked.any():
            loss = loss + PAINT_WEIGHT * F.smooth_l1_loss(
                said[asked, KINDS:], paint[asked], beta=0.1
            )
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        best.update_parameters(net)
        losses.append(loss.item())
        if (step + 1) % 200 == 0 or step + 1 == steps:
            state = {name: part.state_dict() for name, part in parts.items()}
            torch.save({"step": step + 1, **state}, kept.with_suffix(".part"))
            kept.with_suffix(".part").replace(kept)
            say(f"step {step + 1} loss {np.mean(losses):.4f} {time.monotonic() - began:.0f} s")
            losses.clear()
    trained: SpotNet = best.module
    return trained.eval()


@torch.no_grad()
def answers(net: nn.Module, board: Board) -> NDArray[np.float32]:
    """Return what a net says of all spots of a board, (n, 9)."""
    cuts = np.stack([board.planes(n, np.zeros(2)) for n in range(len(board.spots.at))])
    said: NDArray[np.float32] = net(torch.from_numpy(cuts)).numpy()
    return said


@torch.no_grad()
def calibrate(net: SpotNet, boards: Sequence[Board]) -> dict[str, Any]:
    """Have the net be as sure as it is right on boards it has not seen (a temperature, and a bias
    for each kind, since it has learned from more things than lie on a board)."""
    said = torch.from_numpy(np.concatenate([answers(net, board) for board in boards]))[:, :KINDS]
    kinds = torch.from_numpy(np.concatenate([b.spots.kind for b in boards]).astype(np.int64))
    asked = kinds != LEFT_OUT
    said, kinds = said[asked], kinds[asked]
    with torch.enable_grad():
        warmth, bias = torch.zeros(1, requires_grad=True), torch.zeros(KINDS, requires_grad=True)
        fit = torch.optim.LBFGS([warmth, bias], max_iter=100)

        def off() -> Tensor:
            fit.zero_grad()
            loss = F.cross_entropy(said * warmth.exp() + bias, kinds) + 1e-3 * (bias**2).sum()
            loss.backward()
            return loss

        fit.step(off)
    last = net.head[-1]
    last.weight[:KINDS] *= warmth.exp()
    last.bias[:KINDS] = last.bias[:KINDS] * warmth.exp() + bias
    return {"temperature": round(float((-warmth).exp()), 3)}


def figures(net: nn.Module, boards: Sequence[Board]) -> dict[str, Any]:
    """Return how a net does on boards: errors by kind, wrong when sure."""
    counts: dict[str, int] = {}
    clean = 0
    for board in boards:
        said = answers(net, board)[:, :KINDS]
        share = np.exp(said - np.logaddexp.reduce(said, axis=1, keepdims=True))
        best, kind = share.argmax(axis=1), board.spots.kind
        asked = kind != LEFT_OUT
        off = asked & (best != kind)
        clean += not off.any()
        for true, told in zip(kind[off], best[off], strict=True):
            name = f"{SQUARE[true]} as {SQUARE[told]}"
            counts[name] = counts.get(name, 0) + 1
        sure = off & (share.max(axis=1) > 0.95) & (best != 0)
        counts["wrong when sure"] = counts.get("wrong when sure", 0) + int(sure.sum())
    return {"boards": len(boards), "without error": clean / max(1, len(boards)), **counts}


def main(arguments: Sequence[str] | None = None) -> int:
    """Cut out what is missing, train, calibrate, score, and write spots.onnx and spots.json."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes.spots", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="outside of the work tree")
    words.add_argument("pictures", type=Path, nargs="+", metavar="PICTURES", help="of the studio")
    words.add_argument("--steps", type=int, default=4000, metavar="N", help="of training")
    words.add_argument("--threads", type=int, default=2, metavar="N", help="processor cores")
    options = words.parse_args(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    folder: Path = options.folder
    photos = [path for place in options.pictures for path in sorted(_stills(place))]
    samples = make_samples(
        folder / "spots", ((f"{p.parents[1].name}_{p.stem}", p) for p in photos), spots_of, len(photos)
    )
    kept = {path for path in samples if _number(path) % HELD_BACK == 0}
    learned = [Board.of(Spots.load(path)) for path in samples if path not in kept]
    held = [Board.of(Spots.load(path)) for path in samples if path in kept]
    say(f"{len(learned)} boards to learn from, {len(held)} held back")
    net = train(learned, options.steps, folder)
    found = calibrate(net, held[::2]) | figures(net, held[1::2])
    say(json.dumps(found))
    write(net, (SPOT_PLANES, SPOT_SIZE, SPOT_SIZE), folder / "spots.onnx", ("cut", "answers"))
    (folder / "spots.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def _number(path: Path) -> int:
    """Return the number of a picture, which decides whether it is held back."""
    return int("0" + "".join(filter(str.isdigit, path.stem.rsplit("_", 1)[-1])))


def _stills(folder: Path) -> Iterator[Path]:
    return (path for path in (folder / "stills").glob("*.jpg") if path.with_suffix(".json").exists())


if __name__ == "__main__":
    sys.exit(main())
