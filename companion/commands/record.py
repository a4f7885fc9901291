"""``companion record``: has games recorded on this machine, lists the recordings, deletes them."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from companion import config
from companion.config import Settings
from companion.store.recordings import Kept, Recordings
from companion.text import counted

MEGABYTE = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    wanted = parser.add_mutually_exclusive_group()
    wanted.add_argument("--stop", action="store_true", help="record no longer; what there is stays")
    wanted.add_argument("--list", action="store_true", help="list the recordings, the oldest first")
    wanted.add_argument(
        "--forget",
        nargs="*",
        metavar="NAME",
        help="delete the recordings of these names, all of them without any name",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the journal is kept")
    parser.add_argument("--json", action="store_true", help="the list as one JSON object a line")


def run(options: argparse.Namespace) -> int:
    """Do what is asked for; without any option, have games recorded from now on."""
    settings = config.load(options.config)
    journal = options.data / "journal.db" if options.data else settings.store.path
    recordings = Recordings.beside(journal)
    if options.list:
        _list(recordings, options.json)
    elif options.forget is not None:
        count = recordings.forget(options.forget)
        print(
            f"Deleted {counted(count, 'recording')}." if count else "There was nothing to delete."
        )
    else:
        recordings.switch(not options.stop)
        print(_stopped(settings) if options.stop else _begun(recordings, settings))
    return 0


def _begun(recordings: Recordings, settings: Settings) -> str:
    most = settings.record.most_mb
    return (
        f"Games are recorded from now on, in {recordings.folder}, {most} MB at most.\n"
        "Pictures of the table and of hands are among it. It stays on this machine.\n"
        "A companion that is running begins within seconds and says so on its page.\n"
        "companion record --stop ends it, companion record --forget deletes everything."
    )


def _stopped(settings: Settings) -> str:
    if settings.record.on:
        return "Games are still recorded: record.on is true in the settings."
    return "Games are not recorded any more. Those that were are kept until --forget."


def _list(recordings: Recordings, as_json: bool) -> None:
    kept = list(recordings.all())
    for each in kept:
        print(json.dumps(_facts(recordings, each)) if as_json else _in_a_line(each))
    if not as_json:
        print(_total(recordings, kept))


def _facts(recordings: Recordings, kept: Kept) -> dict[str, object]:
    return {
        "name": kept.name,
        "folder": str(recordings.folder / kept.name),
        "game": kept.game,
        "moves": kept.moves,
        "pictures": kept.pictures,
        "bytes": kept.size,
    }


def _in_a_line(kept: Kept) -> str:
    size = f"{kept.size / MEGABYTE:.1f} MB"
    counts = f"{counted(kept.moves, 'move')}, {counted(kept.pictures, 'picture')}"
    return f"{kept.name}: {counts}, {size}"


def _total(recordings: Recordings, kept: Iterable[Kept]) -> str:
    sizes = [each.size for each in kept]
    where = f"in {recordings.folder}"
    state = "Games are recorded." if recordings.are_wanted else "Games are not recorded."
    if not sizes:
        return f"No recordings {where}. {state}"
    return f"{counted(len(sizes), 'recording')} {where}, {sum(sizes) / MEGABYTE:.1f} MB. {state}"
