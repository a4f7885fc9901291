"""How often a law is tried: a sample in ``make test``, the full count in ``make test-long``."""

import os

#: Whether the full counts are wanted.
LONG = os.environ.get("COMPANION_TESTS") == "long"


def examples(sample: int, full: int) -> int:
    """Return how many examples to try."""
    return full if LONG else sample
