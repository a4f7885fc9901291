"""Scores the eyes on photographs whose truth is known: stills read cold, games after one lesson.

A *claim* is a piece, pellet or fence that the eyes say is there. What the truth calls ambiguous,
skewed or hidden is left out on both sides; saying "unsure" is never wrong, only less useful.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2

from companion.board import FENCE, PELLET, Board, Position, is_slot
from companion.boards.profile import load
from companion.sensing.camera import Frame
from companion.sensing.decode import read_board, to_position
from companion.sensing.eyes import Eyes, Sight
from companion.sensing.pose import find_markers


def truth_of(data: dict[str, Any]) -> Position:
    """Return the position that a truth file describes."""
    position = {square: piece for piece, square in data["pieces"].items()}
    position |= dict.fromkeys(data["pellets"], PELLET)
    position |= dict.fromkeys(data["walls"], FENCE)
    return position


def judge_picture(
    board: Board, sight: Sight, data: dict[str, Any]
) -> tuple[Counter[str], list[str]]:
    """Return counts of what was right, missed and wrong, and the faults by name."""
    score: Counter[str] = Counter(pictures=1)
    if not sight.found:
        score["no board"] += 1
        return score, [sight.text]
    told = read_board(board, sight.evidence, sight.covered)
    truth, claims = truth_of(data), to_position(told)
    leave = set(data["occluded_squares"]) | set(data["occluded_walls"])
    leave |= {square for pair in data["ambiguous"].values() for square in pair}
    leave |= set(data["skewed_walls"])
    hidden = data.get("piece_occlusion_fraction", {})
    leave |= {spot for name, spot in data["pieces"].items() if hidden.get(name, 0) > 0.3}
    faults = []
    for spot in (*board.squares, *board.slots):
        kind = "wall" if is_slot(spot) else "square"
        want, got = truth.get(spot, ""), claims.get(spot, "")
        if spot in leave:
            score["left out"] += 1
            if got and got != want and spot not in told.unsure:
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
    score["covered missed"] += sum(s not in told.covered for s in data["occluded_squares"])
    score["covered right"] += sum(s in told.covered for s in data["occluded_squares"])
    free = set(data["occlusion_fraction"])
    score["covered wrong"] += sum(not is_slot(s) and s not in free for s in told.covered)
    return score, faults


def score_stills(board: Board, paths: Iterable[Path], *, verbose: bool = False) -> Counter[str]:
    """Read stills cold, each with new eyes; return the summed score."""
    total: Counter[str] = Counter()
    for path in paths:
        picture, data = _load(path)
        sight = Eyes(board).look(Frame(0.0, picture))
        score, faults = judge_picture(board, sight, data)
        total += score
        if verbose:
            extra = {key: value for key, value in score.items() if key.startswith("covered")}
            print(
                f"  {path.stem} {data['theme']} {data['light']} {data['disturbance']}",
                *faults,
                extra,
            )
    return total


def score_game(board: Board, folder: Path, *, verbose: bool = False) -> Counter[str]:
    """Read a game with one pair of eyes that are told every settled position after looking."""
    total: Counter[str] = Counter()
    eyes = Eyes(board)
    for number, path in enumerate(sorted(folder.glob("frame_*.jpg"))):
        picture, data = _load(path)
        sight = eyes.look(Frame(2.0 * number, picture))
        if data["settled"] and number == 0:
            eyes.learn(truth_of(data))
            sight = eyes.look(Frame(2.0 * number, picture))
        score, faults = judge_picture(board, sight, data)
        total += score
        if data["settled"] and number > 0:
            eyes.learn(truth_of(data))
        if verbose:
            extra = {key: value for key, value in score.items() if key.startswith("covered")}
            print(f"  {folder.name}/{path.stem} {data['note']}", *faults, extra)
    return total


def time_frames(board: Board, paths: list[Path]) -> dict[str, float]:
    """Return milliseconds of CPU for a marker search, a changed and an unchanged picture."""
    pictures = [_load(path)[0] for path in paths]
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


def _load(path: Path) -> tuple[Any, dict[str, Any]]:
    return cv2.imread(str(path)), json.loads(path.with_suffix(".json").read_text())


def main(folder: str, *options: str) -> None:
    """Print a table for a folder with ``stills`` and ``games``."""
    cv2.setNumThreads(1)
    board = load("reference")
    verbose = "-v" in options
    root = Path(folder)
    stills = sorted((root / "stills").glob("*.jpg"))
    plain = [path for path in stills if not _load(path)[1]["disturbance"]]
    rows = {
        "stills, nothing in the way": score_stills(board, plain, verbose=verbose),
        "stills, disturbed": score_stills(
            board, [path for path in stills if path not in plain], verbose=verbose
        ),
    }
    for game in sorted((root / "games").glob("seq_*")):
        rows[game.name] = score_game(board, game, verbose=verbose)
    for name, score in rows.items():
        print(f"{name}: " + ", ".join(f"{key} {value}" for key, value in sorted(score.items())))
    frames = sorted((root / "games").glob("seq_*/frame_*.jpg"))[:4]
    costs = time_frames(board, frames)
    print(", ".join(f"{name} {cost:.1f} ms" for name, cost in costs.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
