"""What a long command shows: its lines, and on a terminal how far it has come.

tqdm is imported only where something is shown: whoever reads our output through a pipe, and the
service itself, go without it.
"""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

T = TypeVar("T")


def progress(
    items: Iterable[T], what: str, total: Callable[[], int | None] | None = None
) -> Iterator[T]:
    """Yield the items; on a terminal a bar below shows how many, until they are through.

    ``total`` is asked how many there will be when the items cannot say so themselves. Lines for
    people go out through :func:`say` meanwhile.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm

    count = total() if total else None
    bar = tqdm(items, what, count, leave=False, file=sys.stderr, dynamic_ncols=True)
    with closing(bar):
        yield from bar


def say(line: str) -> None:
    """Print a line at once, above the bar if there is one."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(line)
        sys.stdout.flush()
    else:
        print(line, flush=True)


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the log while the command reports the same itself."""
    log = logging.getLogger("companion")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
