"""``python -m bench.eyes.ship FOLDER``: take a trained net into the package, with its card.

The card says what the net was trained on, and how it reads the photographs that come with the code;
``make docs`` makes docs/eyes-card.md of it.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.eyes.__main__ import FIRST_SEED
from bench.eyes.rendered import SEED
from bench.photos import score_still
from companion.boards.profile import load
from companion.commands.progress import say
from companion.sensing.vision import closeup
from companion.sensing.vision.net import WEIGHTS

ROOT = Path(__file__).parents[2]
CARD = ROOT / "docs" / "eyes-card.json"
NEEDED = ("eyes.onnx", "card.json", "seated.onnx", "seated.json")
PHOTOS = ROOT / "tests" / "photos"


def committed() -> dict[str, Any]:
    """Return how the shipped net reads the photographs that come with the code."""
    board = load("reference")
    marks = [score_still(board, path) for path in sorted(PHOTOS.rglob("*.jpg"))]
    return {
        "pictures": len(marks),
        "without error": sum(mark.counts["without error"] for mark in marks),
        "wrong": sum(mark.counts["square wrong"] + mark.counts["wall wrong"] for mark in marks),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy the weights and write the card; return 2 when there are none."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes.ship", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="in which it was trained")
    folder: Path = words.parse_args(arguments).folder
    missing = [name for name in NEEDED if not (folder / name).exists()]
    if missing:
        print(f"expected {missing[0]} in {folder}: run make eyes", file=sys.stderr)
        return 2
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card["close look"] = json.loads((folder / "seated.json").read_text(encoding="utf-8"))
    curve = folder / "curve.json"
    for weights in (WEIGHTS, closeup.WEIGHTS):
        shutil.copyfile(folder / weights.name, weights)
    card["seeds"] = {"simulated": f"seeds from {FIRST_SEED:,}", "studio": f"seed {SEED}"}
    card["committed"] = committed()
    card["curve"] = json.loads(curve.read_text(encoding="utf-8")) if curve.exists() else []
    CARD.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    say(f"{WEIGHTS.name}: {WEIGHTS.stat().st_size:,} bytes, {card['committed']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
