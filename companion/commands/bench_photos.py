"""``companion bench-photos FOLDER``: scores the eyes on photographs whose truth is known."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import cv2

from companion.boards import profile
from companion.commands.progress import progress, say
from companion.sensing.vision.score import count_pictures, score_folder, summed

COLUMNS = {
    "pictures": ("pictures",),
    "squares right": ("square right",),
    "walls right": ("wall right",),
    "unsure": ("square unsure", "wall unsure"),
    "missed": ("square missed", "wall missed", "no board"),
    "wrong": ("square wrong", "wall wrong"),
    "wrong, hidden": ("square wrong, hidden", "wall wrong, hidden"),
    "covered found": ("covered right",),
    "covered missed": ("covered missed",),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="holds stills/*.jpg and games/*/frame_*.jpg"
    )
    parser.add_argument(
        "--board", default="reference", metavar="PROFILE", help="a profile by name or a .toml file"
    )
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    parser.add_argument("--verbose", action="store_true", help="name the faults of every picture")


def run(options: argparse.Namespace) -> int:
    """Score all pictures; return 1 when something was claimed that is not there."""
    cv2.setNumThreads(1)
    board = profile.load(options.board)
    marks = []
    scored = score_folder(board, options.folder)
    for mark in progress(scored, "pictures", lambda: count_pictures(options.folder)):
        marks.append(mark)
        if options.verbose and not options.json:
            say(f"{mark.picture}: {' '.join(mark.faults) or 'right'}")
    rows = summed(marks)
    if options.json:
        faults = {mark.picture: mark.faults for mark in marks if mark.faults}
        print(json.dumps({"rows": rows, "faults": faults}))
    else:
        print(table(rows))
    wrong = ("square wrong", "wall wrong")
    return int(any(mark.counts[kind] for mark in marks for kind in wrong))


def table(rows: Mapping[str, Mapping[str, int]]) -> str:
    """Return the rows as a table in text."""
    width = max(len(name) for name in rows)
    lines = [" " * width + "  " + "  ".join(COLUMNS)]
    for name, counts in rows.items():
        values = (sum(counts.get(kind, 0) for kind in kinds) for kinds in COLUMNS.values())
        cells = (f"{value:>{len(head)}}" for value, head in zip(values, COLUMNS, strict=True))
        lines.append(f"{name:<{width}}  " + "  ".join(cells))
    return "\n".join(lines)
