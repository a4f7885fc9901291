"""``python -m bench.eyes FOLDER``: draw boards, train the net on them, score and export it.

Every step goes on where it was stopped: pictures that are there are not drawn again, and training
has checkpoints. Pictures of the studio are rendered beforehand or meanwhile, into FOLDER/studio, by
``python -m bench.studio FOLDER/studio --seed 1000 --count N --scale 0.42 --samples 4``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2

from bench.eyes.photographed import photographed
from bench.eyes.sample import Sample
from bench.eyes.simulated import simulated
from companion.commands.progress import progress, say

HELD_BACK = 15  # one in so many samples is never trained on
FIRST_SEED = 200_000  # of the simulated boards
NO_TORCH = "expected PyTorch to train with, found none: install it with `pip install '.[train]'`"


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="outside of the work tree")
    words.add_argument("--simulated", type=int, default=3000, metavar="N", help="simulated boards")
    words.add_argument("--steps", type=int, default=8000, metavar="N", help="of training")
    words.add_argument("--threads", type=int, default=2, metavar="N", help="processor cores")
    return words


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what is missing and train; return 0, or 2 without PyTorch or pictures."""
    options = parser().parse_args(arguments)
    cv2.setNumThreads(1)
    folder: Path = options.folder
    drawn = make_samples(
        folder / "simulated",
        ((f"board_{seed}", seed) for seed in range(FIRST_SEED, FIRST_SEED + options.simulated)),
        simulated,
        options.simulated,
    )
    photos = sorted((folder / "studio" / "stills").glob("*.jpg"))
    whole = [path for path in photos if path.with_suffix(".json").exists()]
    taken = make_samples(
        folder / "flat", ((path.stem, path) for path in whole), photographed, len(whole)
    )
    try:
        from bench.eyes.lessons import teach
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        print(NO_TORCH, file=sys.stderr)
        return 2
    if not drawn and not taken:
        print(f"expected pictures in {folder}, found none", file=sys.stderr)
        return 2
    card = teach(folder, drawn, taken, options.steps, options.threads)
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    for name, figure in card["figures"].items():
        say(f"{name}: {figure}")
    return 0


def make_samples(
    folder: Path,
    sources: Iterable[tuple[str, Any]],
    make: Callable[[Any], Sample],
    count: int,
) -> list[Path]:
    """Make the samples that are not there yet; return the files of all."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, source in progress(sources, folder.name, lambda: count):
        path = folder / f"{name}.npz"
        if not path.exists():
            make(source).save(path)
        paths.append(path)
    return paths


if __name__ == "__main__":
    sys.exit(main())
