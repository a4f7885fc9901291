"""Asks an installed companion how it is, or about its port; standard library only."""

import argparse
import errno
import json
import socket
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

#: So many good answers in a row count as well; one may come just before a fall.
ANSWERS = 3
PAUSE_SECONDS = 0.5
ASK_SECONDS = 3.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
TAKEN = "port {} is in use by another program: end that one, or choose another port in {}"
STRAIGHT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def address_of(config: Path) -> tuple[str, int]:
    """Return host and port of the page by the settings."""
    web = tomllib.loads(config.read_text(encoding="utf-8")).get("web", {})
    return str(web.get("host", "0.0.0.0")), int(web.get("port", 8080))


def is_taken(host: str, port: int) -> bool:
    """Tell whether another program has the port; other reasons against it the service tells."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family):
            return False
    except OSError as error:
        return error.errno == errno.EADDRINUSE


def troubles(url: str) -> list[str]:
    """Return a sentence for each device that the companion misses."""
    try:
        with STRAIGHT.open(url, timeout=ASK_SECONDS) as answer:
            said = json.load(answer)
        return [f"{name}: {text}" for name, text in said.get("trouble", {}).items()]
    except (OSError, ValueError, AttributeError):
        return []  # it was well a moment ago, and what has happened since is not the question


def ask(url: str) -> str:
    """Return what is wrong with the companion, nothing when it is well."""
    try:
        with STRAIGHT.open(url, timeout=ASK_SECONDS) as answer:
            said = json.load(answer)
    except urllib.error.HTTPError as error:
        error.close()
        return f"it answers with status {error.code}"
    except OSError as error:
        return f"no answer from {url}: {getattr(error, 'reason', error)}"
    except ValueError:
        return f"what answers at {url} is no companion"
    if not isinstance(said, dict) or said.get("ok") is not True:
        return "it says that it does not do its work"
    return f"{', '.join(said['stalled'])} hangs" if said.get("stalled") else ""


def wait_until_well(url: str, seconds: float) -> str:
    """Ask until the companion has been well for a while; return what is wrong at the end."""
    deadline = time.monotonic() + seconds
    good = 0
    while True:
        wrong = ask(url)
        good = 0 if wrong else good + 1
        if good >= ANSWERS:
            return ""
        if time.monotonic() >= deadline:
            return wrong or f"it was not well for long within {seconds:g} s"
        time.sleep(PAUSE_SECONDS)


def main() -> int:
    """Run; exit 0 when the companion is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="settings of the companion")
    parser.add_argument("--seconds", type=float, default=60, help="how long to wait for it")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--port", action="store_true", help="print the port and ask nothing")
    what.add_argument("--free", action="store_true", help="see whether the port can be had")
    what.add_argument("--troubles", action="store_true", help="print which devices it misses")
    options = parser.parse_args()
    try:
        host, port = address_of(options.config)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        print(f"{options.config} cannot be used: {error}", file=sys.stderr)
        return 2
    if options.port:
        print(port)
        return 0
    own = EVERYWHERE.get(host, host)
    url = f"http://[{own}]:{port}/healthz" if ":" in own else f"http://{own}:{port}/healthz"
    if options.troubles:
        for trouble in troubles(url):
            print(trouble)
        return 0
    if options.free:
        wrong = TAKEN.format(port, options.config) if is_taken(host, port) else ""
    else:
        wrong = wait_until_well(url, options.seconds)
    if wrong:
        print(wrong, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
