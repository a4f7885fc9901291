"""``companion teach IMAGE…``: learns a board from pictures of it, empty first, then set up."""

import argparse
import json
import math
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from companion.boards.files import write
from companion.boards.spots import PlainSpot, SpotBoard, spots_toml
from companion.errors import OptionError, PictureError
from companion.games.catalogue import KITS
from companion.sensing.camera.files import read_picture, write_picture
from companion.sensing.camera.frame import Array, Picture
from companion.sensing.teach.holes import Holes, find_holes
from companion.sensing.teach.lattice import through
from companion.sensing.teach.names import Named, draw, named
from companion.sensing.teach.things import Lying, moved, paints, things
from companion.text import counted

#: Sizes in the profile are reckoned from this when nothing was measured.
USUAL_SPACING_MM = 20.0
MEASURE = re.compile(r"([a-z]+[0-9]+) ([a-z]+[0-9]+) ([0-9]{1,4}(?:\.[0-9]{1,3})?)")
NO_BOARD = (
    "no board found: expected twenty or more alike holes in rows; take the picture from above, in"
    " even light, with the whole board in view and nothing on it"
)
MOVED = (
    "the board of the first picture is not found again: expected the same board, camera and"
    " picture size; take the pictures one after the other"
)


@dataclass(frozen=True)
class Seen:
    """One picture of a taught board: where its spots are, and what lies in them."""

    path: Path
    picture: Picture
    pixels: Array | None
    lying: list[Lying]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "images",
        nargs="+",
        metavar="IMAGE",
        type=Path,
        help="pictures of one board, the empty one first",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--out", metavar="PROFILE", type=Path, help="write the profile, a .toml file"
    )
    parser.add_argument("--title", default="", help="what the profile calls the board")
    parser.add_argument(
        "--measure",
        metavar='"A B MM"',
        help="how far apart the middles of two spots are, such as 'a1 i1 232'",
    )
    parser.add_argument("--overlay", metavar="OUT.png", type=Path, help="draw the last picture's")
    parser.add_argument("--game", metavar="GAME", help="say whether this game fits on the board")


def run(options: argparse.Namespace) -> int:
    """Learn the board; return 1 when there is none in one of the pictures."""
    if options.out is not None and options.out.suffix != ".toml":
        raise OptionError(f"--out: expected a file named like my-board.toml, got {options.out}")
    game = None if options.game is None else _maze_of(options.game)
    if options.measure is not None:
        _measured(options.measure)
    pictures = [_read(path) for path in options.images]
    empty = pictures[0]
    holes = find_holes(empty)
    if holes is None:
        print(f"companion teach: {options.images[0]}: {NO_BOARD}", file=sys.stderr)
        if options.json:
            for path in options.images:
                print(json.dumps({"image": str(path), "spots": [], "things": []}))
        return 1
    called = named(holes)
    spacing = _spacing(options.measure, called)
    found = [Seen(options.images[0], empty, holes.pixels, [])]
    good = True
    for path, picture in zip(options.images[1:], pictures[1:], strict=True):
        shift = moved(holes, empty, picture)
        if shift is None:
            good = False
            print(f"companion teach: {path}: {MOVED}", file=sys.stderr)
            found.append(Seen(path, picture, None, []))
            continue
        lying = things(holes, empty, picture, shift)
        found.append(Seen(path, picture, through(shift, holes.pixels), lying))
    for seen in found:
        print(_as_json(seen, called) if options.json else _in_words(seen, called, holes))
    if game is not None:
        for sentence in _misfits(options.game, game, holes):
            print(sentence, file=sys.stderr if options.json else sys.stdout)
    if options.out is not None:
        board = _profile(options, empty, holes, called, spacing)
        write(options.out, spots_toml(board).encode())
    if options.overlay is not None:
        for seen in reversed(found):
            if seen.pixels is not None:
                drawn = draw(seen.picture, holes, seen.pixels, called, seen.lying)
                write_picture(options.overlay, drawn)
                break
    return 0 if good else 1


def _read(path: Path) -> Picture:
    try:
        return read_picture(path)
    except PictureError as error:
        error.wrong_use = True  # type: ignore[attr-defined]
        raise


def _spacing(text: str | None, called: Named) -> float | None:
    """Return the millimetres from one spot to the next, None when nobody has measured."""
    if text is None:
        return None
    match = _measured(text)
    one, other = match[1], match[2]
    for name in (one, other):
        if name not in called.names:
            raise OptionError(
                f"--measure: expected a spot of this board such as {called.names[0]!r},"
                f" got {name!r:.20}"
            )
    here, there = (called.at[called.names.index(name)] for name in (one, other))
    far = math.dist(here, there)
    if far == 0:
        raise OptionError(f"--measure: expected two different spots, got {one!r} twice")
    return float(match[3]) / far


def _measured(text: str) -> re.Match[str]:
    match = MEASURE.fullmatch(text.strip())
    if match is None or float(match[3]) <= 0:
        raise OptionError(
            f"--measure: expected two spots and millimetres like 'a1 i1 232', got {text!r:.60}"
        )
    return match


def _as_json(seen: Seen, called: Named) -> str:
    spots = (
        []
        if seen.pixels is None
        else [
            {"name": name, "kind": "hole", "px": [round(float(x), 1), round(float(y), 1)]}
            for name, (x, y) in zip(called.names, seen.pixels, strict=True)
        ]
    )
    lying = [
        {"kind": thing.kind, "spot": called.names[thing.spot], "colour": thing.colour}
        for thing in seen.lying
    ]
    return json.dumps({"image": str(seen.path), "spots": spots, "things": lying})


def _in_words(seen: Seen, called: Named, holes: Holes) -> str:
    if seen.pixels is None:
        return f"{seen.path}\n  not the board of the first picture"
    lines = [f"{seen.path}\n  {counted(len(seen.pixels), 'hole')} in {holes.rows}"]
    kinds = Counter((thing.colour, thing.kind) for thing in seen.lying)
    for (colour, kind), count in sorted(kinds.items()):
        names = [
            called.names[thing.spot]
            for thing in seen.lying
            if (thing.colour, thing.kind) == (colour, kind)
        ]
        lines.append(f"  {counted(count, f'{colour} {kind}')}: {', '.join(sorted(names))}")
    return "\n".join(lines)


def _maze_of(name: str) -> dict[str, int]:
    """Return how many spots of each kind a game has that is played on the holes of a board."""
    kits = {kit.name: kit for kit in KITS.values() if any(kind.name == "maze" for kind in kit.data)}
    if name not in kits:
        expected = ", ".join(sorted(kits))
        raise OptionError(
            f"--game: expected a game that is played on holes ({expected}), got {name!r:.40}"
        )
    kit = kits[name]
    kind = next(kind for kind in kit.data if kind.name == "maze")
    shipped = sorted(kit.folder.glob("*.toml")) if kit.folder else []
    return dict(kind.facts(kind.load(shipped[0]))["spots"])


def _misfits(name: str, counts: dict[str, int], holes: Holes) -> list[str]:
    """Return in sentences what of a game does not fit on the holes, and what cannot be told."""
    wanted = {kind: count for kind, count in counts.items() if kind != "exit"}
    total, found = sum(wanted.values()), len(holes.pixels)
    listed = ", ".join(f"{count} {kind}" for kind, count in wanted.items())
    told = []
    if total != found:
        told.append(f"{name}: expected {total} holes ({listed}), found {found}.")
    else:
        told.append(f"{name}: the board has {total} holes, as many as the game.")
    told.append(
        f"{name}: pictures of holes show no paths, walls or tunnels: draw these in a maze profile."
    )
    return told


def _profile(
    options: argparse.Namespace,
    empty: Picture,
    holes: Holes,
    called: Named,
    spacing: float | None,
) -> SpotBoard:
    mm = spacing or USUAL_SPACING_MM
    size = f"stand-in: nobody has measured; {USUAL_SPACING_MM:g} mm from hole to hole assumed"
    if spacing is not None:
        size = f"estimate: reckoned from one measured length, {options.measure}"
    from_picture = f"estimate: found in the picture {options.images[0].name}"
    order = sorted(
        range(len(called.names)), key=lambda n: (round(called.at[n][1], 2), called.at[n][0])
    )
    spots = {
        called.names[n]: PlainSpot("hole", *(round(float(v) * mm, 2) for v in called.at[n]))
        for n in order
    }
    board, hole = paints(holes, empty)
    return SpotBoard(
        name=options.out.stem,
        title=options.title or options.out.stem,
        spacing_mm=mm,
        hole_mm=2 * holes.radius * mm,
        colours={"board": board, "hole": hole},
        spots=spots,
        provenance={"geometry": size, "colours": from_picture, "spots": from_picture},
    )
