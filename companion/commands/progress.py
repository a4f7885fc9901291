"""How far a long command has come, on a terminal; elsewhere nothing is shown.

tqdm is imported only where something is shown: whoever reads our output through a pipe, and the
service itself, go without it.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, redirect_stdout
from typing import TypeVar

T = TypeVar("T")


def progress(
    items: Iterable[T], what: str, total: Callable[[], int | None] | None = None
) -> Iterator[T]:
    """Yield the items; on a terminal a bar below shows how many, until they are through.

    ``total`` is asked how many there will be when the items cannot say so themselves. What is
    printed meanwhile goes above the bar.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm
    from tqdm.contrib import DummyTqdmFile

    count = total() if total else None
    bar = tqdm(items, what, count, leave=False, file=sys.stderr, dynamic_ncols=True)
    with closing(bar), redirect_stdout(DummyTqdmFile(sys.stdout)):
        yield from bar
