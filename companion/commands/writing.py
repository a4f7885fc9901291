"""Files that commands write for people."""

from pathlib import Path

from companion.errors import CompanionError


def write(target: Path, data: bytes) -> None:
    """Write a file; raise a CompanionError that says why it cannot be."""
    try:
        target.write_bytes(data)
    except OSError as error:
        raise CompanionError(f"{target}: cannot be written: {error.strerror}") from error
