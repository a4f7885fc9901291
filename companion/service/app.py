"""Chooses the devices, wires the parts, and runs them: the only module that knows all of them."""

import logging
import secrets
import shlex
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2

from companion.board import DeviceView
from companion.boards import profile
from companion.boards.files import own_file
from companion.config import Settings
from companion.engine.thinker import OURS, EngineThinker
from companion.errors import DeviceError
from companion.games.catalogue import find_kit
from companion.lights.sender import Sender
from companion.lights.show import Show
from companion.panel.panel import Panel
from companion.panel.voice import Voice, espeak
from companion.referee.table import Patience
from companion.sensing.camera.grabber import Grabber, Paced, Source
from companion.sensing.camera.sources import open_source
from companion.sensing.corners import Corners
from companion.sensing.fusion import Senses
from companion.sensing.hall.link import HallLink
from companion.service.devices import check_sight, named, open_pins, open_strip, taste_of
from companion.service.loop import Loop
from companion.service.recorder import Recorder
from companion.service.requests import NewGame
from companion.service.seating import levels_of, seat
from companion.service.simulated.devices import all_real, all_simulated, simulate
from companion.service.simulated.scenes import Demo
from companion.service.snapshot import Snapshot
from companion.service.watchdog import Growth, Pulse
from companion.setup.calibration import Calibration
from companion.setup.steps import FirstRun
from companion.sim import stress
from companion.sim.faults import Faults
from companion.sim.faults import parse as parse_fault
from companion.store.journal import Journal
from companion.store.recordings import Recordings
from companion.store.seal import Seal
from companion.store.secret import kept_secret
from companion.web import Page, create_app
from companion.web.address import EVERYWHERE, Addresses, addresses
from companion.web.api import Post
from companion.web.hub import Hub
from companion.web.passes import Passes
from companion.web.serve import Server, listen
from companion.web.state import state_json

log = logging.getLogger(__name__)

TABLE_SECONDS = 1 / 15
STALLED_SECONDS = 5.0
CAMERA_SECONDS = 60.0  # a driver's own time-out of a camera or a stream is up to half of this
HALL_SECONDS = 10.0  # a grid that is well sends twice a second
JOURNAL_SECONDS = 60.0  # as long as moves wait for the disk before a fresh start is tried
PACE_SECONDS = 1.5  # between two moves of the companion that nobody carries out
PICTURE_WIDTH = 864
JPEG_QUALITY = 80


class Closable(Protocol):
    """Something that is closed at the end."""

    def close(self) -> None:
        """Close it."""


Kept = TypeVar("Kept", bound=Closable)


class App:
    """The service: made of settings, started with :meth:`start`, ended with :meth:`close`.

    With ``simulate`` every device is virtual. Without it, only what the settings name is used;
    a device that is named and missing is reported on the page, and never replaced. ``stresses``
    trouble the simulated table and its camera; ``firmware`` says what plays its Pico.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        simulate: bool,
        new: bool = False,
        seed: int = 1,
        stresses: Sequence[stress.Stress] = (),
        firmware: str = "auto",
        faults: Sequence[str] = (),
    ) -> None:
        self.settings = all_simulated(settings) if simulate else all_real(settings)
        self.simulated = simulate
        self.board = profile.load(settings.board.profile)
        self.hub = Hub(streams=settings.web.streams)
        paired = settings.web.pairing and not simulate
        self.pairing = f"{secrets.randbelow(10**6):06d}" if paired else None
        self._clock = time.monotonic
        self._camera_pulse = Pulse(self._clock, CAMERA_SECONDS)
        self._hall_growth = Growth(Pulse(self._clock, HALL_SECONDS))
        self._journal_growth = Growth(Pulse(self._clock, JOURNAL_SECONDS))
        self._voice: Voice | None = None
        self._missing: dict[str, str] = {}  # devices that did not start, and why
        self.faults = Faults(self.board, [parse_fault(text, self.board) for text in faults])
        with ExitStack() as self._stack:
            self._build(seed, new, stresses, firmware)
            self._stack = self._stack.pop_all()  # now they live until close()

    def _build(
        self, seed: int, new: bool, stresses: Sequence[stress.Stress], firmware: str
    ) -> None:
        settings = self.settings
        game = settings.game
        kit = find_kit(game.name)
        kit.game.start(game.options)  # what is wrong here is said at once, not with the next game
        seat(self.board, game.pieces, kit)
        self._listener = self._keep(listen(settings.web.host, settings.web.port))
        self._port: int = self._listener.getsockname()[1]
        self.journal = self._keep(Journal(settings.store.path))
        self.sim = (
            simulate(self.board, settings, self._clock, seed, self.faults, stresses, firmware)
            if self.simulated
            else None
        )
        if self.sim and self.sim.grid:
            self._keep(self.sim.grid)
        self.recorder = self._keep(self._make_recorder())
        self.sender = self._open_lights()
        post = self.sender.post if self.sender else lambda colours: None
        taste = taste_of(settings.lights)
        self.show = Show(self.board, post, taste, lambda: datetime.now().hour)
        self.panel = self._open_panel()
        self.grabber = self._open_camera()
        self.calibration = Calibration.beside(settings.store.path, simulated=self.simulated)
        self._camera_name = settings.camera.source or "none"
        corners = self.calibration.corners(self._camera_name) if self.grabber else None
        magnets = self.calibration.magnets()
        self.hall = self._open_hall()
        self.senses = Senses(self.board, self._clock, self.grabber, self.hall, corners, magnets)
        self.first_run = self._first_run()
        patience = Patience(settle_seconds=settings.referee.settle_seconds)
        self.loop = Loop(
            self.board,
            self.senses,
            self.journal,
            self._clock,
            outputs=[
                self._show_page(),
                *([self.show] if self.sender else []),
                self.panel,
                self.recorder.show,
                *self._show_table(),
                *self._say(),
            ],
            devices=self._other_devices,
            patience=patience,
            simulated=self.simulated,
            keep_corners=self._keep_corners,
            thinker=self._keep(EngineThinker(shlex.split(game.engine) if game.engine else OURS)),
            first_run=self.first_run,
            watched=self.recorder.watched,
            rng=secrets.SystemRandom(),
            seal=Seal(kept_secret(Path(settings.store.path))),
            pace_seconds=PACE_SECONDS,
        )
        wanted = NewGame(game.name, game.options, game.pieces, levels_of(game.seats))
        self.loop.begin(wanted, afresh=new)
        if self.sim:
            self.sim.table.set_up(self.loop.snapshot.position)
        self._thread = threading.Thread(target=self._run, name="loop", daemon=True)

    # --- running --------------------------------------------------------------------------------

    def start(self) -> Server:
        """Start the loop and the page; return the server, whose port is the real one."""
        web = self.web(self.loop.post)
        self._thread.start()
        self._stack.callback(self._stop_loop)
        return self._keep(Server(web, self._listener, self.settings.web.front))

    def web(self, post: Post) -> Page:
        """Return the page, which hands commands to ``post``."""
        return create_app(
            self.hub,
            post,
            board=self.board,
            secret=kept_secret(Path(self.settings.store.path)),
            sim=self._demo() if self.sim else None,
            picture=self.picture,
            outline=lambda: self.senses.outline,
            proposal=self.senses.proposal,
            pairing=self.pairing,
            is_pairing=lambda: self.show.is_pairing(self._clock()),
            health=self.health,
            hosts={self.settings.web.host, *self.settings.web.names} - EVERYWHERE.keys(),
            where=self.where,
            first_run=self.first_run,
            camera_for_all=self.settings.web.camera == "everyone",
            private=lambda: self.loop.private,
        )

    def where(self) -> Addresses:
        """Return the addresses of the page as they are now: a network may come and go."""
        return addresses(self.settings.web.host, self._port)

    def host_key(self) -> str:
        """Return the key that lets a phone hand out the seats of the game, empty without one."""
        private = self.loop.private
        secret = kept_secret(Path(self.settings.store.path))
        return Passes(secret).host_key(private.places) if private else ""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the loop has ended; tell whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """End everything in the reverse order of its start, lights off; twice is fine."""
        self._stack.close()

    def health(self) -> Mapping[str, Any]:
        """Return whether the service does its work, for ``/healthz``."""
        views = self.loop.snapshot.devices
        return {
            "ok": self._loop_goes_on(),
            "simulated": self.simulated,
            "devices": {view.name: view.state for view in views},
            "trouble": {view.name: view.text for view in views if view.state == "trouble"},
            "stalled": list(self.stalled()),
        }

    def stalled(self) -> tuple[str, ...]:
        """Return the parts that hang, which only a restart can help; a lost device is not one."""
        hall, states = self.hall, {view.name: view.state for view in self.loop.snapshot.devices}
        stalled = {
            "loop": not self._loop_goes_on(),
            "camera": self.grabber is not None and self._camera_pulse.stalled,
            "hall grid": hall is not None
            and self._hall_growth.stalled(hall.good_frames, due=hall.status.state == "ok"),
            "journal": self._journal_growth.stalled(None, due=states.get("journal") == "trouble"),
        }
        return tuple(part for part, stalls in stalled.items() if stalls)

    def _loop_goes_on(self) -> bool:
        return self._thread.is_alive() and self._clock() - self.loop.beat < STALLED_SECONDS

    def picture(self) -> bytes | None:
        """Return what the camera sees now as JPEG, small enough for a phone."""
        frame = self.senses.frame
        if frame is None:
            return None
        height, width = frame.picture.shape[:2]
        size = (PICTURE_WIDTH, round(height * PICTURE_WIDTH / width))
        small = cv2.resize(frame.picture, size, interpolation=cv2.INTER_AREA)
        good, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return jpeg.tobytes() if good else None

    def _keep_corners(self, corners: Corners | None) -> None:
        self.calibration.keep(self._camera_name, corners, datetime.now(UTC))

    def _run(self) -> None:
        try:
            self.loop.run()
        except Exception:
            log.exception("the loop has ended by a fault of its own")
            if self.sender:
                self.sender.close()  # lights that no longer follow the table would mislead
            raise

    def _stop_loop(self) -> None:
        self.loop.stop()
        self._thread.join(timeout=5)

    def _keep(self, thing: Kept) -> Kept:
        return self._stack.enter_context(closing(thing))

    # --- devices --------------------------------------------------------------------------------

    def _open_camera(self) -> Grabber | None:
        wanted, simulated = self.settings.camera, self.sim.camera if self.sim else None
        source = named(wanted.source)
        if source is None:
            return None

        def opened() -> Source:
            if simulated:
                return Paced(simulated.read)
            return open_source(source, wanted.fps, wanted.size, self._clock, wanted.focus)

        return self._keep(Grabber(opened, self._camera_pulse.beat))

    def _make_recorder(self) -> Recorder:
        recordings = Recordings.beside(self.settings.store.path)
        own = own_file(self.settings.board.profile)
        return Recorder(self.board, recordings, self.settings.record, lambda: self.senses, own)

    def _open_hall(self) -> HallLink | None:
        port, note = named(self.settings.hall.port), ""
        if self.sim and self.sim.grid:
            port, note = self.sim.grid.port, f"It is simulated, with {self.sim.grid.kind}."
        if port is None:
            return None
        port = None if port == "auto" else port
        return self._keep(HallLink(port, self._clock, note=note, tap=self.recorder.heard))

    def _open_lights(self) -> Sender | None:
        pixels = self.sim.pixels if self.sim else None
        try:
            if named(self.settings.lights.driver):
                check_sight(self.board.lights, self.settings.camera.source)
            strip = open_strip(self.settings.lights, self.board.lights, pixels)
        except DeviceError as error:
            self._miss("lights", error)
            return None
        return self._keep(Sender(strip, self._clock, self._publish_lights)) if strip else None

    def _open_panel(self) -> Panel:
        """Return the panel, on its pins if it has any; without, it is worked by the page's keys."""
        panel = Panel(
            lambda command: self.loop.post(command),
            sounds=self.settings.panel.sounds,
            wake=lambda: self.show.wake(self._clock()),
            pair=lambda: self.show.pair(self._clock()),
        )
        try:
            pins = open_pins(self.settings.panel)
        except DeviceError as error:
            self._miss("panel", error)
            return panel
        if pins:
            panel.speaker = self._keep(pins)
            pins.listen(panel.press, panel.hold)
        return panel

    def _first_run(self) -> FirstRun:
        def trouble() -> str:
            return self.sender.trouble if self.sender else self._missing.get("lights", "")

        def version() -> tuple[int, int, int] | None:
            welcome = self.hall.welcome if self.hall and not self.simulated else None
            return welcome.firmware if welcome else None

        return FirstRun(
            self.board,
            self.settings,
            self.senses,
            self.show,
            self.calibration,
            self._clock,
            trouble,
            version,
        )

    def _miss(self, device: str, error: DeviceError) -> None:
        self._missing[device] = str(error)
        log.warning("%s", error)

    def _other_devices(self) -> tuple[DeviceView, ...]:
        views = [DeviceView(name, "trouble", text) for name, text in self._missing.items()]
        if self.sender:
            trouble = self.sender.trouble
            told = trouble or "The lights are on."
            views.append(DeviceView("lights", "trouble" if trouble else "ok", told))
        if self.panel.speaker:
            views.append(DeviceView("panel", "ok", "The buttons and the buzzer are ready."))
        if self._voice:
            views.append(self._voice.view)
        return (*views, *self.recorder.views)

    # --- outputs --------------------------------------------------------------------------------

    def _show_page(self) -> Callable[[Snapshot, float], None]:
        shown = 0

        def show(snapshot: Snapshot, now: float) -> None:
            nonlocal shown
            if snapshot.number != shown:
                shown = snapshot.number
                self.hub.publish("state", state_json(snapshot, self.board))

        return show

    def _publish_lights(self) -> None:
        """Let the page draw what the simulated strip has just received."""
        if self.sim:
            leds = [list(colour) for colour in self.sim.pixels.colours]
            self.hub.publish("lights", {"leds": leds})

    def _say(self) -> list[Callable[[Snapshot, float], None]]:
        language = self.settings.voice.language
        if language is None:
            return []
        try:
            self._voice = self._keep(Voice(espeak(language)))
        except DeviceError as error:
            self._miss("voice", error)
            return []
        return [self._voice.show]

    def _show_table(self) -> list[Callable[[Snapshot, float], None]]:
        if self.sim is None:
            return []
        table, shown, due = self.sim.table, -1, 0.0

        def show(snapshot: Snapshot, now: float) -> None:
            nonlocal shown, due
            if table.revision != shown and now >= due:
                shown, due = table.revision, now + TABLE_SECONDS
                self.hub.publish("table", table.view())

        return [show]

    def _demo(self) -> Demo:
        assert self.sim is not None
        table, look, press = self.sim.table, lambda: self.loop.snapshot, self.panel.press
        demo = Demo(table, self.board, look, faults=self.faults, press=press, post=self.loop.post)
        return self._keep(demo)
