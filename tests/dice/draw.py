"""Draws the pictures of this folder again: ``PYTHONPATH=. python tests/dice/draw.py``."""

import json
from pathlib import Path

import cv2
import numpy as np

from bench.dice.body import draw
from bench.dice.scene import scene
from companion.sensing.dice.net import VALUES

FOLDER = Path(__file__).parent
SEED = 9  # of nothing that was learned from, tuned on or scored


def main() -> None:
    """Draw them."""
    dice = [draw(np.random.default_rng([SEED, number])) for number in range(40)]
    truth = {}
    for number in range(4):
        rng = np.random.default_rng([SEED, 1000 + number])
        picture, lying = scene(rng, dice, 360, float(rng.uniform(36, 60)), 12)
        name = f"drawn_{number:04}.jpg"
        cv2.imwrite(str(FOLDER / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        whole = [die for die in lying if die.seen > 0.85]
        truth[name] = {
            "values": [VALUES[die.value - 1] for die in whole],
            "boxes_px": [[round(side) for side in die.box] for die in whole],
        }
    (FOLDER / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
