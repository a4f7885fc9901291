"""The eyes on a folder of photographs: how well they read, and what a frame costs."""

import sys
import time
from pathlib import Path

import cv2

from companion.board import Board
from companion.boards.profile import load
from companion.commands.bench_photos import table
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.eyes import Eyes
from companion.sensing.vision.pose import find_markers
from companion.sensing.vision.score import score_folder, summed


def time_frames(board: Board, paths: list[Path]) -> dict[str, float]:
    """Return milliseconds of CPU for a marker search, a changed and an unchanged picture."""
    pictures = [read_picture(path) for path in paths]
    eyes = Eyes(board)
    eyes.look(Frame(0.0, pictures[0]))
    eyes.look(Frame(0.0, pictures[1]))
    costs: dict[str, list[float]] = {"search": [], "changed": [], "same": []}
    for number in range(20):
        picture = pictures[number % len(pictures)]
        start = time.process_time()
        find_markers(board, picture)
        costs["search"].append(time.process_time() - start)
        start = time.process_time()
        eyes.look(Frame(number, picture))
        costs["changed"].append(time.process_time() - start)
        start = time.process_time()
        eyes.look(Frame(number, picture))
        costs["same"].append(time.process_time() - start)
    return {name: 1000 * sorted(values)[len(values) // 2] for name, values in costs.items()}


def main(folder: str, *options: str) -> None:
    """Print a table for a folder with ``stills`` and ``games``."""
    cv2.setNumThreads(1)
    board = load("reference")
    marks = list(score_folder(board, Path(folder)))
    if "-v" in options:
        for mark in marks:
            print(f"  {mark.picture}", *mark.faults)
    print(table(summed(marks)))
    frames = sorted((Path(folder) / "games").glob("*/frame_*.jpg"))[:4]
    if len(frames) > 1:
        costs = time_frames(board, frames)
        print(", ".join(f"{name} {cost:.1f} ms" for name, cost in costs.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
