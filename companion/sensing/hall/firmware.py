"""The hall grid's firmware as files: where they are, which version they are, how to update a Pico.

They lie in ``firmware/`` of a checkout and are packed into the package as ``companion/pico``.
"""

import re
from pathlib import Path

from companion.errors import CompanionError

PACKAGE = Path(__file__).parents[2]
PLACES = (
    PACKAGE.parent / "firmware",  # a checkout, whose files may be newer
    PACKAGE / "pico",
)
Version = tuple[int, int, int]


def folder() -> Path:
    """Return the folder with the firmware's files."""
    for place in PLACES:
        if (place / "version.py").is_file():
            return place
    raise CompanionError(f"the firmware's files are missing: expected them in {PLACES[-1]}")


def version() -> Version:
    """Return the version of these files."""
    text = (folder() / "version.py").read_text(encoding="utf-8")
    found = re.search(r"^VERSION = \((\d+), (\d+), (\d+)\)$", text, re.MULTILINE)
    if found is None:
        raise CompanionError(
            f"expected VERSION = (major, minor, patch) in version.py, got {text!r}"
        )
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def advice(running: Version) -> str | None:
    """Say how to bring a grid with this version up to date; None when it is."""
    ours = version()
    if running == ours:
        return None
    theirs, there = _dotted(running), folder()
    if running > ours:
        return (
            f"The hall grid runs firmware {theirs}, newer than the companion's {_dotted(ours)}."
            " Update the companion."
        )
    return (
        f"The hall grid runs firmware {theirs}, the companion brings {_dotted(ours)}. Stop the"
        f" companion, copy the files with: pipx run mpremote cp {there}/*.py : + reset"
    )


def _dotted(number: Version) -> str:
    return ".".join(map(str, number))
