"""Asking a companion that is already running on this machine."""

import json
import urllib.error
import urllib.request
from typing import Any

from companion.config import Settings

ASK_SECONDS = 1.0


def ask(settings: Settings, path: str, key: str) -> dict[str, Any] | None:
    """Return what a running companion answers at a path, None when none does.

    ``key`` is what its answer must have, so that nobody else's is taken for it.
    """
    if not settings.web.port:
        return None
    address = f"http://127.0.0.1:{settings.web.port}{path}"
    try:
        with urllib.request.urlopen(address, timeout=ASK_SECONDS) as answer:
            said = json.load(answer)
    except urllib.error.HTTPError as error:  # it answers, and says that it is ill
        try:
            said = json.load(error)
        except ValueError:
            return None
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) and key in said else None
