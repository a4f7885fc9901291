"""``python -m bench photos FOLDER``: scores the eyes on photographs whose truth is known.

Stills are read cold, games after one lesson. A *claim* is a piece, pellet or fence that the eyes
say is there; it is *wrong* where the truth has another thing or none. What the truth calls
ambiguous or hidden is left out on both sides, and of a skewed fence it is not asked whether it is
seen. A board is read *without error* when every open square and slot is told right: unsure or
missed is an error. Boards of the studio have their own sizes and are read by their true corners.
Where there are games it also says what a frame costs.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import cv2

from bench.truth import board_of, corners_of, left_out, position_of, read_truth, same_looks
from companion.board import FENCE, PELLET, Board, Spot, Thing, is_slot
from companion.boards.profile import load
from companion.commands.progress import progress, quiet, say
from companion.commands.watch import Watcher, played
from companion.errors import PictureError
from companion.games.catalogue import find_game
from companion.referee.verdict import Kind
from companion.sensing.camera.files import frames, read_picture
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.playback import Reel
from companion.sensing.corners import Corners
from companion.sensing.vision.decode import Statement, read_board
from companion.sensing.vision.eyes import Eyes, Sight
from companion.sensing.vision.net import Net
from companion.sensing.vision.pose import find_markers
from companion.store.journal import IN_MEMORY, Journal

FRAME_SECONDS = 2.0  # between the frames of a game
#: Makes eyes for a board, given its corners in the picture or none.
Opener = Callable[[Board, Corners | None], Any]

COLUMNS = {
    "pictures": ("pictures",),
    "without error": ("without error",),
    "squares right": ("square right",),
    "walls right": ("wall right",),
    "unsure": ("square unsure", "wall unsure"),
    "missed": ("square missed", "wall missed", "no board"),
    "wrong": ("square wrong", "wall wrong"),
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
    disturbed: bool = False


def judge_picture(
    board: Board, sight: Sight, data: Mapping[str, Any]
) -> tuple[Counter[str], list[str]]:
    """Return counts of what was right, unsure, missed and wrong, and the faults by name."""
    score: Counter[str] = Counter(pictures=1)
    if not sight.found:
        score["no board"] += 1
        return score, [sight.text]
    told = read_board(board, sight.evidence, sight.covered)
    truth, claims, leave = position_of(data), to_position(told), left_out(data)
    skewed = data.get("skewed_walls", ())
    faults = []
    for spot in (*board.squares, *board.slots):
        kind = "wall" if is_slot(spot) else "square"
        want, got = truth.get(spot, ""), claims.get(spot, "")
        if spot in leave:
            score["left out"] += 1
        elif same_looks(board, want, got) or (spot in skewed and not got):
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
    score["without error"] += not faults
    return score, faults


def score_folder(
    board: Board, folder: Path, opener: Opener = Eyes, *, corners_too: bool = False
) -> Iterator[Marks]:
    """Read all pictures of a folder with ``stills`` and ``games`` and yield how each was read."""
    stills = sorted(chain(folder.glob("*.jpg"), (folder / "stills").glob("*.jpg")))
    games = sorted(path for path in (folder / "games").glob("*") if path.is_dir())
    if not stills and not games:
        raise PictureError(f"expected {folder} to hold stills/*.jpg or games/*/frame_*.jpg")
    for path in stills:
        yield score_still(board, path, opener, corners_too=corners_too)
    for game in games:
        yield from score_game(board, game, opener)


def count_pictures(folder: Path) -> int:
    """Return how many pictures such a folder has."""
    kinds = ("*.jpg", "stills/*.jpg", "games/*/frame_*.jpg")
    return sum(1 for each in kinds for _ in folder.glob(each))


def score_still(
    board: Board, path: Path, opener: Opener = Eyes, *, corners_too: bool = False
) -> Marks:
    """Read one still cold, with new eyes."""
    data, picture = read_truth(path), read_picture(path)
    board, corners = board_of(board, data), None
    if corners_too or "sizes" in data:
        corners = corners_of(data, picture.shape[1], picture.shape[0])
    sight = opener(board, corners).look(Frame(0.0, picture))
    counts, faults = judge_picture(board, sight, data)
    troubles = tuple(f"stills, {name}" for name in data["disturbance"])
    whole = "stills, disturbed" if troubles else "stills, nothing in the way"
    return Marks(path.stem, (whole, *troubles), counts, faults, disturbed=bool(troubles))


def score_game(board: Board, folder: Path, opener: Opener = Eyes) -> Iterator[Marks]:
    """Read a game with one pair of eyes that are told every settled position after looking."""
    eyes = opener(board, None)
    for number, path in enumerate(sorted(folder.glob("frame_*.jpg"))):
        data, picture = read_truth(path), read_picture(path)
        frame = Frame(FRAME_SECONDS * number, picture)
        sight = eyes.look(frame)
        settled = data.get("settled", True)
        if settled and number == 0:
            eyes.learn(position_of(data))
            sight = eyes.look(frame)
        counts, faults = judge_picture(board, sight, data)
        if settled and number > 0:
            eyes.learn(position_of(data))
        how = "nothing in the way" if settled else "a hand in view"
        yield Marks(
            f"{folder.name}/{path.stem}",
            (folder.name, f"games, {how}"),
            counts,
            faults,
            disturbed=not settled,
        )


def referee_game(board: Board, folder: Path) -> tuple[list[str], list[str]]:
    """Return the moves that ``companion watch`` tells of a game's frames, and those it should."""
    facts = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    game = find_game(facts["game"])
    state, before = played(game, " ".join(facts["moves_before"]))
    reel = Reel(frames(str(folder), FRAME_SECONDS), FRAME_SECONDS)
    with quiet(), Journal(IN_MEMORY) as journal:
        watcher = Watcher(board, game, state, before, reel, journal)
        lines = [line for _ in reel for line in watcher.look()]
    told = [str(line["move"]) for line in lines if line["verdict"] is Kind.ACCEPTED]
    return told, list(facts["moves"])


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
    parser.add_argument(
        "--corners", action="store_true", help="where markers fail, go by the true corners"
    )
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
    scored = score_folder(board, options.folder, opener, corners_too=options.corners)
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
        print(in_short(marks))
        if not options.net:
            print(in_games(board, options.folder, options.verbose), end="")
        frames = sorted((options.folder / "games").glob("*/frame_*.jpg"))[:4]
        if len(frames) > 1 and not options.net:
            costs = time_frames(board, frames)
            print(", ".join(f"{name} {cost:.1f} ms" for name, cost in costs.items()))
    wrong = ("square wrong", "wall wrong")
    return int(any(mark.counts[kind] for mark in marks for kind in wrong))


def in_short(marks: Sequence[Marks]) -> str:
    """Return the figures that count, of pictures with nothing in the way and of the others."""
    lines = []
    for name, chosen in (
        ("undisturbed", [m for m in marks if not m.disturbed]),
        ("disturbed", [m for m in marks if m.disturbed]),
    ):
        if not chosen:
            continue
        total: Counter[str] = sum((m.counts for m in chosen), Counter())
        told = total["square right"] + total["wall right"]
        asked = sum(n for kind, n in total.items() if kind.startswith(("square ", "wall ")))
        wrong = total["square wrong"] + total["wall wrong"]
        lines.append(
            f"{name}: {total['without error']} of {len(chosen)} without error,"
            f" {wrong} wrong claims ({wrong / len(chosen):.3f} a picture),"
            f" {told / max(1, asked):.2%} of open places told"
        )
    return "\n".join(lines)


def in_games(board: Board, folder: Path, verbose: bool) -> str:
    """Return how many games were refereed to their end, and how many moves were invented."""
    games = sorted(path.parent for path in (folder / "games").glob("*/game.json"))
    told = {game.name: referee_game(board, game) for game in progress(games, "games")}
    if not told:
        return ""
    lines = [f"{name}: told {' '.join(got)}" for name, (got, want) in told.items() if got != want]
    whole = sum(got == want for got, want in told.values())
    found = sum(len(_common(got, want)) for got, want in told.values())
    moves = sum(len(want) for _, want in told.values())
    invented = sum(len(got) - len(_common(got, want)) for got, want in told.values())
    lines = lines if verbose else []
    lines.append(
        f"games: {whole} of {len(told)} refereed to the end,"
        f" {found} of {moves} moves, {invented} invented"
    )
    return "\n".join(lines) + "\n"


def _common(got: Sequence[str], want: Sequence[str]) -> list[str]:
    """Return the moves that were told up to the first that was not played."""
    return [
        move for move, _ in takewhile(lambda pair: pair[0] == pair[1], zip(got, want, strict=False))
    ]


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
