"""``python -m bench photos FOLDER``: scores the eyes on photographs whose truth is known.

Stills are read cold, games after one lesson. A *claim* is a piece, pellet or fence that the eyes
say is there. What the truth calls ambiguous, skewed or hidden is left out on both sides; saying
"unsure" is never wrong, only less useful. Where there are games it also says what a frame costs.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from companion.board import FENCE, PELLET, Board, Position, Spot, Thing, is_slot
from companion.boards.profile import load
from companion.commands.progress import progress, say
from companion.errors import PictureError
from companion.sensing.camera.files import read_picture
from companion.sensing.camera.frame import Frame
from companion.sensing.vision.decode import Statement, read_board
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.net import Net
from companion.sensing.vision.pose import find_markers

HIDDEN_PIECE = 0.3  # of a piece, from which nothing is asked about its square
FRAME_SECONDS = 2.0  # between the frames of a game
#: Makes eyes for a board.
Opener = Callable[[Board], Any]

NEEDED = ("pieces", "walls", "pellets", "disturbance")

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


@dataclass(frozen=True)
class Marks:
    """How one picture was read. ``groups`` are the rows of a table it counts in."""

    picture: str
    groups: tuple[str, ...]
    counts: Counter[str]
    faults: list[str] = field(default_factory=list)


def truth_of(data: Mapping[str, Any]) -> Position:
    """Return the position that a truth file describes."""
    position = {square: piece for piece, square in data["pieces"].items()}
    position |= dict.fromkeys(data["pellets"], PELLET)
    position |= dict.fromkeys(data["walls"], FENCE)
    return position


def judge_picture(
    board: Board, sight: Sight, data: Mapping[str, Any]
) -> tuple[Counter[str], list[str]]:
    """Return counts of what was right, unsure, missed and wrong, and the faults by name."""
    score: Counter[str] = Counter(pictures=1)
    if not sight.found:
        score["no board"] += 1
        return score, [sight.text]
    told = read_board(board, sight.evidence, sight.covered)
    truth, claims, leave = truth_of(data), to_position(told), _left_out(data)
    faults = []
    for spot in (*board.squares, *board.slots):
        kind = "wall" if is_slot(spot) else "square"
        want, got = truth.get(spot, ""), claims.get(spot, "")
        if spot in leave:
            score["left out"] += 1
            if got and got != want:
                score[f"{kind} wrong, hidden"] += 1
                faults.append(f"{spot}:{got}({want})")
        elif want == got:
            score[f"{kind} right"] += 1
            if want:
                score["things right"] += 1
        elif got:
            score[f"{kind} wrong"] += 1
            faults.append(f"{spot}:{got}!={want or 'empty'}")
        else:
            doubt = spot in told.unsure or spot in told.covered
            score[f"{kind} {'unsure' if doubt else 'missed'}"] += 1
            faults.append(f"{spot}:{'?' if doubt else '-'}{want}")
    hidden, touched = data.get("occluded_squares", ()), data.get("occlusion_fraction", ())
    score["covered missed"] += sum(spot not in told.covered for spot in hidden)
    score["covered right"] += sum(spot in told.covered for spot in hidden)
    score["covered wrong"] += sum(not is_slot(s) and s not in touched for s in told.covered)
    return score, faults


def _left_out(data: Mapping[str, Any]) -> set[str]:
    """Return the spots of which nothing is asked."""
    leave = {*data.get("occluded_squares", ()), *data.get("occluded_walls", ())}
    leave |= {square for pair in data.get("ambiguous", {}).values() for square in pair}
    leave |= set(data.get("skewed_walls", ()))
    hidden = data.get("piece_occlusion_fraction", {})
    return leave | {s for name, s in data["pieces"].items() if hidden.get(name, 0) > HIDDEN_PIECE}


def score_folder(board: Board, folder: Path, opener: Opener = Eyes) -> Iterator[Marks]:
    """Read all pictures of a folder with ``stills`` and ``games`` and yield how each was read."""
    stills = sorted((folder / "stills").glob("*.jpg"))
    games = sorted(path for path in (folder / "games").glob("*") if path.is_dir())
    if not stills and not games:
        raise PictureError(f"expected {folder} to hold stills/*.jpg or games/*/frame_*.jpg")
    for path in stills:
        yield score_still(board, path, opener)
    for game in games:
        yield from score_game(board, game, opener)


def count_pictures(folder: Path) -> int:
    """Return how many pictures such a folder has."""
    return sum(1 for each in ("stills/*.jpg", "games/*/frame_*.jpg") for _ in folder.glob(each))


def score_still(board: Board, path: Path, opener: Opener = Eyes) -> Marks:
    """Read one still cold, with new eyes."""
    data = read_truth(path)
    sight = opener(board).look(Frame(0.0, read_picture(path)))
    counts, faults = judge_picture(board, sight, data)
    troubles = tuple(f"stills, {name}" for name in data["disturbance"])
    whole = "stills, disturbed" if troubles else "stills, nothing in the way"
    return Marks(path.stem, (whole, *troubles), counts, faults)


def score_game(board: Board, folder: Path, opener: Opener = Eyes) -> Iterator[Marks]:
    """Read a game with one pair of eyes that are told every settled position after looking."""
    eyes = opener(board)
    for number, path in enumerate(sorted(folder.glob("frame_*.jpg"))):
        data, picture = read_truth(path), read_picture(path)
        frame = Frame(FRAME_SECONDS * number, picture)
        sight = eyes.look(frame)
        settled = data.get("settled", True)
        if settled and number == 0:
            eyes.learn(truth_of(data))
            sight = eyes.look(frame)
        counts, faults = judge_picture(board, sight, data)
        if settled and number > 0:
            eyes.learn(truth_of(data))
        how = "nothing in the way" if settled else "a hand in view"
        yield Marks(f"{folder.name}/{path.stem}", (folder.name, f"games, {how}"), counts, faults)


def read_truth(path: Path) -> dict[str, Any]:
    """Return the truth beside a picture."""
    beside = path.with_suffix(".json")
    try:
        data: dict[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
    except OSError as error:
        raise PictureError(f"cannot read the truth of {path.name}: {error.strerror}") from error
    except ValueError as error:
        raise PictureError(f"expected JSON in {beside}, got something else") from error
    missing = [key for key in NEEDED if not isinstance(data, dict) or key not in data]
    if missing:
        raise PictureError(f"expected the keys {', '.join(NEEDED)} in {beside}: no {missing[0]}")
    return data


def summed(marks: list[Marks]) -> dict[str, Counter[str]]:
    """Return the counts of all rows of a table, in the order in which they first occur."""
    rows: dict[str, Counter[str]] = {}
    for mark in marks:
        for group in mark.groups:
            rows.setdefault(group, Counter()).update(mark.counts)
    return dict(sorted(rows.items(), key=lambda row: _rank(row[0])))


def _rank(row: str) -> int:
    order = ("stills, nothing", "stills, disturbed", "stills", "games")
    return next((n for n, start in enumerate(order) if row.startswith(start)), len(order))


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


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench photos")
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="holds stills/*.jpg and games/*/frame_*.jpg"
    )
    parser.add_argument(
        "--board", default="reference", metavar="PROFILE", help="a profile by name or a .toml file"
    )
    parser.add_argument("--net", type=Path, metavar="ONNX", help="other weights than those shipped")
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    parser.add_argument("--verbose", action="store_true", help="name the faults of every picture")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Score all pictures; return 1 when something was claimed that is not there."""
    options = parser().parse_args(arguments)
    cv2.setNumThreads(1)
    board = load(options.board)
    marks = []
    opener = partial(Eyes, net=Net(options.net)) if options.net else Eyes
    scored = score_folder(board, options.folder, opener)
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
        frames = sorted((options.folder / "games").glob("*/frame_*.jpg"))[:4]
        if len(frames) > 1 and not options.net:
            costs = time_frames(board, frames)
            print(", ".join(f"{name} {cost:.1f} ms" for name, cost in costs.items()))
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


def to_position(statement: Statement) -> dict[Spot, Thing]:
    """Return a statement as a position."""
    position: dict[Spot, Thing] = {square: piece for piece, square in statement.pieces.items()}
    position |= dict.fromkeys(statement.pellets, PELLET)
    position |= dict.fromkeys(statement.walls, FENCE)
    return position
