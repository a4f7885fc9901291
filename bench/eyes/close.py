"""``python -m bench.eyes.close FOLDER``: teach the net of the close look, and score it.

Draws simulated boards on which half of the fences are not pushed home, takes the studio's pictures
in FOLDER/studio, cuts every fence out, and trains on that. Samples that are there are not made
again.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench.eyes.__main__ import make_samples, part_of
from bench.eyes.export import write
from bench.eyes.net import PLANES, Block
from bench.eyes.photographed import TrueLens
from bench.eyes.sample import Kept
from bench.eyes.simulated import SPOILERS, any_light, dressed
from bench.eyes.train import SHORT
from bench.truth import board_of, read_truth
from companion.board import FENCE, apart
from companion.boards import profile
from companion.commands.progress import say
from companion.sensing.camera.files import read_picture
from companion.sensing.vision.closeup import SIZE, cut_out, mirrored
from companion.sensing.vision.pose import Pose, find_markers, find_pose
from companion.sim.body import Habits
from companion.sim.picture.camera import SimCamera, random_pose
from companion.sim.stress import Stress, StressedCamera
from companion.sim.table import SimTable

FIRST_SEED = 400_000
PICTURE = (1296, 972)
TILTS = (4.0, 13.0)  # degrees of a fence that counts as not all the way in
HEIGHT_MM = 0.7  # by which profiles are wrong about the height of their fences
BATCH_OF = {"simulated": 48, "studio": 16}  # of the studio's fences few are not in
RATE, DECAY = 2e-3, 0.02
MOST_DOUBTED = 0.008  # of the fences that are in


class CloseNet(nn.Module):
    """From cut-outs, (n, 5, across, along), to how likely the fence is loose, as a logit."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            *self._step(PLANES, 16),
            *self._step(16, 32),
            Block(32),
            *self._step(32, 48),
            Block(48),
            *self._step(48, 32),
        )
        spots = SIZE[0] * SIZE[1] // 16**2
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(32 * spots, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 1)
        )

    @staticmethod
    def _step(before: int, after: int) -> tuple[nn.Module, ...]:
        return (
            nn.Conv2d(before, after, 4, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits, (n, 1)."""
        out: Tensor = self.head(self.stem(x))
        return out


@dataclass(frozen=True)
class Cuts(Kept):
    """The fences of one picture."""

    cuts: np.ndarray  # (n, 5, across, along)
    loose: np.ndarray  # (n,)

    @classmethod
    def of(cls, cuts: Sequence[np.ndarray], loose: Sequence[bool]) -> "Cuts":
        """Return cut-outs with whether each fence is loose."""
        stacked = np.stack(cuts) if cuts else np.zeros((0, PLANES, *SIZE[::-1]))
        return cls(stacked.astype(np.float16), np.array(loose, bool))


def board_sample(seed: int) -> Cuts:
    """Return the fences of one simulated board: cut-outs and whether each is loose."""
    rng = random.Random(seed)
    known = profile.load("reference")
    board = known if rng.random() < 0.5 else dressed(known, rng)
    table = SimTable(board, rng, Habits(half_in_tilts=TILTS))
    slots = list(apart(rng.sample(board.slots, len(board.slots))))[: rng.randint(8, 18)]
    pieces = rng.sample(list(board.pieces), rng.randint(0, len(board.pieces)))
    squares = rng.sample(board.squares, len(pieces))
    table.set_up(dict(zip(squares, pieces, strict=True)) | dict.fromkeys(slots, FENCE))
    loose = {slot for slot in slots if rng.random() < 0.5}
    for slot in loose:
        table.half_seat(table.fence_at(slot) or "")
    camera = SimCamera(
        table,
        board,
        lambda: 1.0,
        size=PICTURE,
        seed=seed,
        light=any_light(rng),
        pose=random_pose(board, rng, PICTURE),
    )
    names = rng.sample(SPOILERS, rng.choice([0, 0, 1, 1, 2]))
    spoilt = StressedCamera(camera, [Stress(name, rng.randint(1, 4)) for name in names], seed)
    frame = spoilt.read()
    assert frame is not None
    pose = find_pose(board, find_markers(board, frame.picture), *PICTURE)
    if pose is None:
        return Cuts.of((), ())
    guessed = replace(
        board,
        fence=replace(board.fence, height_mm=board.fence.height_mm + rng.gauss(0, HEIGHT_MM)),
    )
    cuts = [cut_out(guessed, _nudged(pose, rng), frame.picture, slot) for slot in slots]
    return Cuts.of(cuts, [slot in loose for slot in slots])


def photograph_sample(path: Path) -> Cuts:
    """Return the same of a photograph of the studio: most of its fences are in."""
    truth, picture = read_truth(path), read_picture(path)
    board, lens = board_of(profile.load("reference"), truth), TrueLens.of(truth["camera"])
    hidden = truth["slot_occlusion_fraction"]
    fences = [
        fence
        for fence in truth["fences"]
        if fence["state"] in ("seated", "half", "askew") and hidden.get(fence["slot"], 0) < 0.05
    ]
    cuts = [cut_out(board, lens, picture, fence["slot"]) for fence in fences]
    return Cuts.of(cuts, [fence["state"] != "seated" for fence in fences])


def _nudged(pose: Pose, rng: random.Random) -> Pose:
    """Return a pose that is off by a little, as one by grooves or corners is."""
    return pose.shifted(rng.gauss(0, 0.3), rng.gauss(0, 0.3))


def varied(cuts: Tensor, rng: torch.Generator) -> Tensor:
    """Return cut-outs mirrored either way and in other light."""
    cuts = cuts.clone()
    count = len(cuts)
    for axis, plane in ((3, 3), (2, 4)):
        turned = torch.rand(count, generator=rng) < 0.5
        cuts[turned] = cuts[turned].flip(axis)
        cuts[turned, plane] *= -1
    gain = torch.exp(0.15 * torch.randn(count, 3, 1, 1, generator=rng))
    cuts[:, :3] = (cuts[:, :3] * gain).clamp(0, 1) ** torch.exp(
        0.15 * torch.randn(count, 1, 1, 1, generator=rng)
    )
    noise = torch.randn(count, 3, *cuts.shape[2:], generator=rng)
    cuts[:, :3] += 0.02 * torch.rand(count, 1, 1, 1, generator=rng) * noise
    return cuts


def train(sets: Mapping[str, tuple[Tensor, Tensor]], steps: int, seed: int = 1) -> CloseNet:
    """Return a net trained on sets of cut-outs (AdamW, a cosine, averaged weights)."""
    torch.manual_seed(seed)
    rng = torch.Generator().manual_seed(seed)
    net = CloseNet()
    best = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    losses = []
    for step in range(steps):
        parts = [
            (cuts[chosen], loose[chosen])
            for (cuts, loose), count in ((sets[name], BATCH_OF[name]) for name in sets)
            for chosen in (torch.randint(len(cuts), (count,), generator=rng),)
        ]
        cuts, loose = (torch.cat(part).float() for part in zip(*parts, strict=True))
        with torch.autocast("cpu", torch.bfloat16, enabled=SHORT):
            said = net(varied(cuts, rng))
        loss = F.binary_cross_entropy_with_logits(said.float().ravel(), loose)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        best.update_parameters(net)
        losses.append(loss.item())
        if (step + 1) % 100 == 0:
            say(f"step {step + 1} loss {np.mean(losses[-100:]):.4f}")
    trained: CloseNet = best.module
    return trained.eval()


@torch.no_grad()
def be_careful(net: CloseNet, seated: Tensor) -> None:
    """Have the net doubt hardly any fence that is in: people would be asked about it."""
    limit = float(np.quantile(scores(net, seated), 1 - MOST_DOUBTED))
    net.head[-1].bias -= max(limit, 0.0)


@torch.no_grad()
def scores(net: CloseNet, cuts: Tensor) -> np.ndarray:
    """Return the logits of cut-outs as the companion comes by them: the mean of four looks."""
    ways = [mirrored(cuts.float().numpy(), way) for way in range(4)]
    looks = [
        torch.cat([net(part).ravel() for part in torch.from_numpy(way).split(64)]) for way in ways
    ]
    return torch.stack(looks).mean(dim=0).numpy()


def figures(logits: np.ndarray, loose: np.ndarray) -> dict[str, Any]:
    """Return how many are taken for what they are not."""
    taken, doubted = (logits < 0)[loose], (logits > 0)[~loose]
    return {
        "loose": int(loose.sum()),
        "taken for seated": round(float(taken.mean()), 4),
        "seated": int((~loose).sum()),
        "doubted": round(float(doubted.mean()), 4),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw what is missing, train, score, and write seated.onnx and seated.json."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes.close", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="outside of the work tree")
    words.add_argument("--boards", type=int, default=800, metavar="N", help="simulated boards")
    words.add_argument("--steps", type=int, default=2000, metavar="N", help="of training")
    words.add_argument("--threads", type=int, default=2, metavar="N", help="processor cores")
    options = words.parse_args(arguments)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    folder: Path = options.folder
    photos = sorted((folder / "studio" / "stills").glob("*.jpg"))
    sources = {
        "simulated": make_samples(
            folder / "close",
            ((f"board_{n}", n) for n in range(FIRST_SEED, FIRST_SEED + options.boards)),
            board_sample,
            options.boards,
        ),
        "studio": make_samples(
            folder / "cut", ((p.stem, p) for p in photos), photograph_sample, len(photos)
        ),
    }
    sources = {name: paths for name, paths in sources.items() if paths}
    learned = {name: _load(part_of(paths, held_back=False)) for name, paths in sources.items()}
    net = train(learned, options.steps)
    kept = {name: _load(part_of(paths, held_back=True)) for name, paths in sources.items()}
    be_careful(net, torch.cat([cuts[~loose] for cuts, loose in kept.values()]))
    write(net, (PLANES, *SIZE[::-1]), folder / "seated.onnx", ("cut", "loose"))
    found = {}
    for name, (cuts, loose) in kept.items():
        found[name] = figures(scores(net, cuts), loose.numpy())
        say(f"{name}: {found[name]}")
    (folder / "seated.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def _load(paths: Sequence[Path]) -> tuple[Tensor, Tensor]:
    boards = [Cuts.load(path) for path in paths]
    return (
        torch.from_numpy(np.concatenate([board.cuts for board in boards])),
        torch.from_numpy(np.concatenate([board.loose for board in boards])),
    )


if __name__ == "__main__":
    sys.exit(main())
