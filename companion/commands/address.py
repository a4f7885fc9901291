"""``companion address``: where phones open the page, as words, as a QR code and as a picture."""

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from companion import config
from companion.boards.files import write
from companion.commands import running
from companion.errors import CompanionError, ConfigError
from companion.web.address import Addresses, addresses, in_terminal, png


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--host", help="address the page listens on, else that of the settings")
    parser.add_argument("--port", type=int, help="port of the page, else that of the settings")
    parser.add_argument("--png", type=Path, metavar="FILE.png", help="write the QR code there")
    add_qr_argument(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")


def add_qr_argument(parser: argparse.ArgumentParser) -> None:
    """Describe the argument that asks for a QR code in the terminal."""
    parser.add_argument(
        "--qr",
        action=argparse.BooleanOptionalAction,
        help="draw the QR code, or do not; unless said, only where a terminal shows it",
    )


def run(options: argparse.Namespace) -> int:
    """Tell the addresses; return 1 when no phone can open the page."""
    settings = config.load(options.config)
    web = settings.web
    web = replace(web, host=web.host if options.host is None else options.host)
    web = replace(web, port=web.port if options.port is None else options.port)
    if not 0 < web.port < 65536:
        raise ConfigError(f"expected the page's port, from 1 to 65535, got {web.port}: give --port")
    where = addresses(web.host, web.port)
    up = running.ask(replace(settings, web=web), "/healthz", "devices") is not None
    if options.png:
        _write(options.png, where)
    if options.json:
        print(json.dumps(asdict(where) | {"running": up}))
    else:
        print("\n".join(in_words(where)))
        if not up:
            print("Nothing answers there yet: `companion play` starts the page.")
        print(drawn(where.phone, options.qr), end="")
    return 0 if where.phone else 1


def in_words(where: Addresses) -> list[str]:
    """Return the addresses as lines for people."""
    if where.phone is None:
        return [f"The page:              {where.here}", where.why]
    names = " or ".join(filter(None, (where.phone, where.name)))
    lines = [f"The page for phones:   {names}"]
    return lines if where.here == where.phone else [*lines, f"On this machine:       {where.here}"]


def drawn(address: str | None, wanted: bool | None) -> str:
    """Return an address as a QR code for the terminal, nothing where it is not wanted."""
    if address is None or not (sys.stdout.isatty() if wanted is None else wanted):
        return ""
    return f"\n{in_terminal(address)}\nPoint a phone's camera at it to open the page.\n"


def _write(target: Path, where: Addresses) -> None:
    if where.phone is None:
        raise CompanionError(f"there is no address to draw. {where.why}")
    write(target, png(where.phone))
