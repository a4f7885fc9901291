"""``python -m bench.eyes FOLDER``: draw boards, train the net on them, score and export it.

Every step goes on where it was stopped: pictures that are there are not drawn again, and training
has checkpoints. With ``--pictures`` so many are rendered by the studio into FOLDER/studio first, by
a Python that has Blender's module; those that are there already are enough otherwise.

With ``--data`` a net that was trained before learns from games recorded at a real table, too (fine
tuning: few steps at a low rate); what comes out is in FOLDER/tuned.
"""

import argparse
import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

import companion
from bench.eyes.photographed import photographed
from bench.eyes.rendered import render
from bench.eyes.sample import Kept
from bench.eyes.simulated import simulated
from companion.commands.progress import progress, say
from companion.errors import CompanionError, PictureError

HELD_BACK = 15  # one in so many samples is never trained on
FIRST_SEED = 200_000  # of the simulated boards
STEPS, SIMULATED = 16_000, 1500
TUNING_STEPS, TUNING_SIMULATED = 600, 300  # with recorded games; the net knows the rest already
TUNING_RATE = 2e-4  # a tenth of what a new net learns at
LEAST_RECORDED = 16
SHIPPED = Path(companion.__file__).parent / "sensing" / "vision" / "eyes.onnx"
CHECKPOINT, TUNED, LESSON = "checkpoint.pt", "tuned", "lesson.json"
NO_TORCH = "expected PyTorch to train with, found none: install it with `pip install '.[train]'`"


def parser() -> argparse.ArgumentParser:
    """Return what may be said on the command line."""
    words = argparse.ArgumentParser(prog="python -m bench.eyes", description=__doc__)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="outside of the work tree")
    words.add_argument("--simulated", type=int, metavar="N", help="simulated boards")
    words.add_argument("--pictures", type=int, default=0, metavar="N", help="of the studio")
    words.add_argument(
        "--renderer",
        type=Path,
        default=Path(sys.executable),
        metavar="PYTHON",
        help="one with bpy, to render pictures with",
    )
    words.add_argument("--steps", type=int, metavar="N", help="of training")
    words.add_argument(
        "--data",
        type=Path,
        action="append",
        default=[],
        metavar="RECORDINGS",
        help="recorded games to learn from; several if given several times",
    )
    words.add_argument(
        "--from",
        type=Path,
        dest="start",
        metavar="WEIGHTS",
        help="a checkpoint.pt or eyes.onnx to begin with; with recorded games, else the checkpoint"
        " of FOLDER, else the net that comes along",
    )
    words.add_argument("--rate", type=float, metavar="X", help="of learning, at its highest")
    words.add_argument("--threads", type=int, default=2, metavar="N", help="processor cores")
    return words


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what is missing and train; return 0, or 2 without PyTorch or pictures."""
    options = parser().parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        return _tune(options) if options.data else _train(options)
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2


def _train(options: argparse.Namespace) -> int:
    if options.pictures:
        render(options.renderer, options.folder / "studio", options.pictures, options.threads)
    sets = _own_samples(options, options.simulated or SIMULATED)
    return _teach(options.folder, sets, options, options.steps or STEPS, options.start)


def _tune(options: argparse.Namespace) -> int:
    folder: Path = options.folder
    places = [options.start] if options.start else [folder / CHECKPOINT, SHIPPED]
    start = next((path for path in places if path.is_file()), None)
    if start is None:
        raise PictureError(f"expected a trained net in {places[0]}, found none")
    pictures = recorded_pictures(options.data)
    say(f"{len(pictures)} pictures of recorded games")
    named = {_sample_name(path): path for path in pictures}
    recorded = make_samples(folder / "recorded", named.items(), photographed, len(named))
    sets = _own_samples(options, options.simulated or TUNING_SIMULATED)
    out = folder / TUNED
    begin_anew_unless(out, {"from": str(start), "pictures": sorted(named)})
    return _teach(
        out, {**sets, "recorded": recorded}, options, options.steps or TUNING_STEPS, start
    )


def _own_samples(options: argparse.Namespace, count: int) -> dict[str, list[Path]]:
    """Return the samples of the simulated table and of the studio, made where they are missing."""
    folder: Path = options.folder
    drawn = make_samples(
        folder / "simulated",
        ((f"board_{seed}", seed) for seed in range(FIRST_SEED, FIRST_SEED + count)),
        simulated,
        count,
    )
    photos = sorted((folder / "studio" / "stills").glob("*.jpg"))
    whole = [path for path in photos if path.with_suffix(".json").exists()]
    taken = make_samples(
        folder / "flat", ((path.stem, path) for path in whole), photographed, len(whole)
    )
    return {"simulated": drawn, "studio": taken}


def _teach(
    folder: Path,
    sets: Mapping[str, Sequence[Path]],
    options: argparse.Namespace,
    steps: int,
    start: Path | None,
) -> int:
    try:
        from bench.eyes.lessons import teach
        from bench.eyes.train import Recipe
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        print(NO_TORCH, file=sys.stderr)
        return 2
    if not any(sets.values()):
        raise PictureError(f"expected pictures in {folder}, found none")
    usual = TUNING_RATE if options.data else Recipe.rate
    recipe = Recipe(steps=steps, rate=options.rate or usual)
    card = teach(folder, sets, recipe, options.threads, start, tuning=bool(options.data))
    (folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    for name, figure in card["figures"].items():
        say(f"{name}: {figure}")
    return 0


def make_samples(
    folder: Path,
    sources: Iterable[tuple[str, Any]],
    make: Callable[[Any], Kept],
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


def part_of(paths: Sequence[Path], held_back: bool) -> list[Path]:
    """Return the files that are held back from training, or all others: the name of each decides,
    so that it stays so when there are more of them."""
    return [p for p in paths if (zlib.crc32(p.stem.encode()) % HELD_BACK == 0) == held_back]


def recorded_pictures(folders: Sequence[Path]) -> list[Path]:
    """Return the pictures below these folders that have a truth beside them: those of positions
    that everybody agreed on; PictureError when there are too few to learn from."""
    pictures: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise PictureError(f"no such folder: {folder}")
        found = [path for path in folder.rglob("*.jpg") if path.with_suffix(".json").is_file()]
        if not found:
            raise PictureError(
                f"no recorded positions in {folder}: expected frame_0000.jpg with frame_0000.json,"
                " as `companion record` keeps them"
            )
        pictures += found
    if len(pictures) < LEAST_RECORDED:
        raise PictureError(
            f"expected {LEAST_RECORDED} recorded positions at least, found {len(pictures)}:"
            " play on, every move is one"
        )
    return sorted(set(pictures))


def _sample_name(picture: Path) -> str:
    """Return a name for a picture's sample: games may have pictures of the same name."""
    digest = hashlib.sha256(picture.read_bytes()).hexdigest()[:8]
    return f"{picture.parent.name}-{picture.stem}-{digest}"


def begin_anew_unless(folder: Path, lesson: Mapping[str, Any]) -> None:
    """Forget how far a course of training has come, unless it was this very lesson."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(lesson)
    kept = folder / LESSON
    if not kept.exists() or kept.read_text(encoding="utf-8") != text:
        (folder / CHECKPOINT).unlink(missing_ok=True)
        kept.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
