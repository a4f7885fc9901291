"""The key that signs the page's cookies, kept beside the journal so that phones stay paired."""

import os
import secrets
from pathlib import Path

from companion.errors import CompanionError

SECRET_BYTES = 32


def kept_secret(journal: Path) -> bytes:
    """Return the key, which is made on the first start."""
    path = journal.with_name("cookie.key")
    try:
        if path.exists() and len(secret := path.read_bytes()) >= SECRET_BYTES:
            return secret
        # A new one takes the place of none, or of one that a power cut left empty.
        secret, fresh = secrets.token_bytes(SECRET_BYTES), path.with_suffix(".new")
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secret)
        fresh.replace(path)
    except OSError as error:
        raise CompanionError(
            f"cannot keep the key of the page's cookies in {path}: {error.strerror}"
        ) from error
    return secret
