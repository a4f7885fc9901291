"""``companion play``: the service, on a real table or a simulated one."""

import argparse
import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2

from companion import config
from companion.commands.address import add_qr_argument, drawn, in_words
from companion.commands.engine import read_options
from companion.config import Settings
from companion.errors import CompanionError, ConfigError, OptionError
from companion.games.catalogue import find_game
from companion.service import malloc
from companion.service.app import App
from companion.service.seating import PERSON, levels_of, table_kits
from companion.service.watchdog import Notifier, Watchdog
from companion.sim.faults import FAULTS
from companion.sim.firmware import WANTED
from companion.sim.stress import STRESSORS, Stress, parse
from companion.text import counted
from companion.web.address import Addresses
from companion.web.serve import Server

#: How often memory that is free goes back to the system.
TIDY_SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help=f"one of {', '.join(kit.name for kit in table_kits())}",
    )
    parser.add_argument(
        "--seats",
        type=_seats,
        metavar="WHO,WHO",
        help="who plays each seat, in turn order: person, or the companion at a level from 1 to 10",
    )
    parser.add_argument(
        "--level",
        type=_level,
        metavar="1-10",
        help="play alone: the first seat is yours, all others the companion's at this level",
    )
    parser.add_argument("--players", type=int, metavar="N", help="how many play, where a game asks")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule of the game, such as level=2; repeatable",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings, a TOML file")
    parser.add_argument("--host", help="address to listen on")
    parser.add_argument(
        "--port", type=_port, metavar="PORT", help="port of the page, 0 for any free one"
    )
    parser.add_argument("--sim", action="store_true", help="simulate every device")
    parser.add_argument(
        "--stress",
        type=_stress,
        action="append",
        default=[],
        metavar="NAME:SEVERITY",
        help=f"trouble the simulated camera, severity 1 to 5; names: {', '.join(STRESSORS)}",
    )
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="NAME[:WHERE]",
        help=f"begin with something broken on the simulated table: {', '.join(FAULTS)}",
    )
    parser.add_argument(
        "--sim-firmware",
        choices=WANTED,
        default="auto",
        help="what plays the simulated hall grid's Pico: its real firmware under MicroPython, a"
        " stand-in, or (auto) the firmware where a micropython is on the PATH",
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the journal is kept")
    parser.add_argument("--new", action="store_true", help="put an unfinished game away")
    add_qr_argument(parser)
    parser.add_argument("--verbose", action="store_true", help="say more in the log")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def _seats(text: str) -> tuple[str, ...]:
    seats = tuple(part.strip() for part in text.split(","))
    try:
        levels_of(seats)
    except CompanionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return seats


def _level(text: str) -> str:
    _seats(text)
    return text


def _stress(text: str) -> Stress:
    try:
        return parse(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(options: argparse.Namespace) -> int:
    """Run until interrupted."""
    level = logging.DEBUG if options.verbose else logging.INFO
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    settings = config.load(options.config)
    simulate = options.sim or not settings.names_hardware
    if options.stress and not simulate:
        raise OptionError("--stress troubles a simulated table, not a real one; add --sim")
    if options.fault and not simulate:
        raise OptionError("--fault breaks a simulated table, not a real one; add --sim")
    settings = _with_options(settings, options, simulate)
    malloc.use_few_arenas()
    cv2.setNumThreads(1)  # pictures are small; the other cores are for the page
    app = _make(settings, options, simulate)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    notifier = Notifier(os.environ)
    failed = False
    try:
        server = app.start()
        _say(app, app.where(), told=options.sim, qr=options.qr)
        _say_what_goes_on(app, options.game)
        _say_who_sits(app)
        watchdog = _watch_over(app, server, notifier)
        tidied = time.monotonic()
        while not failed and not stopping.wait(0.5):
            failed = app.wait(0)
            watchdog.look()
            if time.monotonic() - tidied >= TIDY_SECONDS:
                malloc.give_back()
                tidied = time.monotonic()
    finally:
        notifier.stopping()
        app.close()
    _leave_if_something_hangs(int(failed))
    return int(failed)


def _make(settings: Settings, options: argparse.Namespace, simulate: bool) -> App:
    """Return the service. What stands against it is the settings' fault, and a restart would find
    them as wrong, unless it is a device's or a disk's."""
    try:
        return App(
            settings,
            simulate=simulate,
            new=options.new,
            stresses=options.stress,
            firmware=options.sim_firmware,
            faults=options.fault,
        )
    except CompanionError as error:
        if isinstance(error, OSError):
            raise
        raise ConfigError(str(error)) from error


def _leave_if_something_hangs(code: int) -> None:
    """End the process here if a thread hangs in a driver, which else would crash it at its end."""
    if any(thread.name in ("camera", "loop") for thread in threading.enumerate()):
        logging.getLogger(__name__).warning("something hangs in a driver and is left behind")
        logging.shutdown()
        sys.stdout.flush()
        os._exit(code)


def _watch_over(app: App, server: Server, notifier: Notifier) -> Watchdog:
    """Tell systemd that the service is ready, and return what feeds its watchdog."""
    if notifier.feed_seconds is not None:
        faulthandler.enable()  # when the watchdog fires, the log shows where each thread was
    notifier.ready(_status(app))
    return Watchdog(
        notifier, app.stalled, lambda: server.goes_on, lambda: _status(app), time.monotonic
    )


def _status(app: App) -> str:
    """Return in a line how the service is, for ``systemctl status``."""
    snapshot = app.loop.snapshot
    table = ", simulated" if app.simulated else ""
    trouble = [view.text for view in snapshot.devices if view.state == "trouble"]
    return " ".join([f"{snapshot.game}, {counted(len(snapshot.moves), 'move')}{table}.", *trouble])


def _with_options(settings: Settings, options: argparse.Namespace, simulate: bool) -> Settings:
    web = settings.web
    web = replace(web, host=options.host) if options.host else web
    web = replace(web, port=options.port) if options.port is not None else web
    game = settings.game
    if options.game and options.game != game.name:
        game = config.GameSettings(options.game)  # options and pieces were meant for another
    rules = find_game(game.name)
    if options.option or options.players is not None:
        chosen = read_options(rules, options.option, options.players)
        game = replace(game, options={**game.options, **chosen})
    if options.level:
        others = rules.start(game.options).seats - 1
        game = replace(game, seats=(PERSON, *[options.level] * others))
    if options.seats:
        game = replace(game, seats=options.seats)
    store = settings.store
    if options.data:
        store = replace(store, path=options.data / "journal.db")
    elif simulate and store.path == config.StoreSettings().path:
        store = replace(store, path=store.path.with_name("simulated.db"))
    return replace(settings, web=web, game=game, store=store)


def _say(app: App, where: Addresses, *, told: bool, qr: bool | None) -> None:
    if app.simulated and not told:
        print("No device is configured, so the table is simulated.")
    lines = in_words(where)
    if app.simulated and app.loop.snapshot.on_board:
        lines.insert(0, f"The table to play on:  {where.here}table")
    if app.pairing:
        lines.append(f"Code to pair a phone:  {app.pairing}")
    if not app.first_run.is_finished:
        lines.append(f"Set the table up:      {where.phone or where.here}start")
    print("\n" + "\n".join(f"  {line}" for line in lines))
    print(drawn(invitation(where, app.pairing), qr), end="")
    print("\n  Press Ctrl+C to end.", flush=True)


def invitation(where: Addresses, pairing: str | None) -> str | None:
    """Return the address for a phone that is held to this terminal, which also shows the code.

    The code is behind a ``#``, which browsers keep to themselves.
    """
    return f"{where.phone}#code={pairing}" if where.phone and pairing else where.phone


def _say_what_goes_on(app: App, asked: str | None) -> None:
    game = app.loop.snapshot.game
    if asked and asked != game:
        print(f"  An unfinished game of {game} goes on; --new begins {asked}.", flush=True)


def _say_who_sits(app: App) -> None:
    """Say where the seats of a game with hidden hands are handed out; a terminal, which others do
    not read later as they do a log, gets the key that makes its reader the one to do it."""
    if app.loop.snapshot.on_board:
        return
    key = f"#host={app.host_key()}" if sys.stdout.isatty() else ""
    where = app.where()
    print(f"  Hand out the seats:    {where.phone or where.here}seats{key}", flush=True)
