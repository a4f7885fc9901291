"""``make hardware``: remakes all that is made from pins, plan, buyer's lists and board profile."""

import sys
from collections.abc import Iterable
from pathlib import Path

from hardware import checks, made, plan, prints


def write(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write what has changed, and say so."""
    for path, content in files:
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            print(f"made {path.relative_to(made.TOP)}")


def main(arguments: list[str]) -> int:
    """Make everything; printed parts only where they changed, unless ``--all`` is given.

    At the end it says which rules the build does not keep.
    """
    if set(arguments) - {"--all"}:
        print("usage: python -m hardware [--all]", file=sys.stderr)
        return 2
    build = plan.load()
    shared = prints.dimensions(build.board, build.plan)
    write([(prints.DIMENSIONS, shared.encode())])
    try:
        write(made.parts_to_print(build, all_of_them="--all" in arguments))
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    write(made.files(build))
    wrong = checks.faults(build)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
