"""``python -m bench.eyes.curve FOLDER``: does the net want more pictures, or more practice?

Trains the same net for the same number of steps on an eighth, a quarter, half and all of the
studio's pictures and scores it on those held back (a learning curve): as long as the errors fall
with the pictures, rendering more is worth its while.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from bench.eyes.lessons import load_samples, looked
from bench.eyes.train import Recipe, figures, train
from companion.commands.progress import say
from companion.sensing.vision.net import KINDS

PARTS = (8, 4, 2, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train on parts of the pictures; write FOLDER/curve.json."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes.curve", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="as of python -m bench.eyes")
    words.add_argument("--steps", type=int, default=2000, metavar="N", help="of each training")
    words.add_argument("--threads", type=int, default=2, metavar="N", help="processor cores")
    options = words.parse_args(arguments)
    torch.set_num_threads(options.threads)
    folder: Path = options.folder
    paths = sorted((folder / "flat").glob("*.npz"))
    learned = load_samples(paths, held_back=False)
    kept = load_samples(paths, held_back=True)
    curve = []
    for part in PARTS:
        samples = learned[: len(learned) // part]
        place = folder / "curve" / f"{len(samples)}"
        place.mkdir(parents=True, exist_ok=True)
        net = train([samples], Recipe(steps=options.steps), place)
        score = figures(looked(net, kept), kept)
        errors = sum(score[f"errors, {name}"] for name in KINDS)
        curve.append({"pictures": len(samples), "steps": options.steps, "errors": errors})
        say(f"{len(samples)} pictures: {errors:.2f} wrong places a board")
        (folder / "curve.json").write_text(json.dumps(curve) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
