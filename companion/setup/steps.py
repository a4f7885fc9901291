"""Setting a table up for the first time, step by step: what is done, to be done, or skipped.

It works with the devices that the service has open, in the loop's thread; the page reads the state
from a thread of its own. What people have done or skipped is kept with the calibration.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.board import Board, DeviceView
from companion.config import Settings
from companion.errors import CompanionError, DeviceError
from companion.lights.coreclock import advice_here
from companion.lights.show import Show
from companion.lights.trial import trials
from companion.sensing.camera.sharpness import ENOUGH, sharpness
from companion.sensing.fusion import Senses
from companion.sensing.hall.measure import doubt
from companion.sensing.hall.touch import Touch
from companion.service.devices import named
from companion.service.requests import (
    MarkStep,
    MeasurePiece,
    OpenStep,
    Refocus,
    SetUp,
    TakeBaseline,
    TryLights,
)
from companion.setup import diagnosis
from companion.setup.calibration import MARKS, Calibration
from companion.text import capital, counted, listed

CAMERA, CORNERS, SENSORS, PIECES, LIGHTS = "camera", "corners", "sensors", "pieces", "lights"
STEPS = (CAMERA, CORNERS, SENSORS, PIECES, LIGHTS)
ALL = "all"

#: During these, pieces are taken off the board and put on it outside any game.
HANDS_ON = (SENSORS, PIECES)

#: A page at such a step says so again and again (a heartbeat); silent for so long, it is gone.
HOLD_SECONDS = 30.0

DONE, SKIPPED = MARKS
NEEDS_YOU, NOT_ATTACHED, OPEN = "needs you", "not attached", "open"

Version = tuple[int, int, int]


class FirstRun:
    """The set-up of one table.

    ``trouble`` says what is wrong with the lights, ``version`` which firmware the hall grid has
    where that is of interest.
    """

    def __init__(
        self,
        board: Board,
        settings: Settings,
        senses: Senses,
        show: Show,
        calibration: Calibration,
        clock: Callable[[], float],
        trouble: Callable[[], str] = str,
        version: Callable[[], Version | None] = lambda: None,
    ) -> None:
        self._board = board
        self._settings = settings
        self._senses = senses
        self._show = show
        self._calibration = calibration
        self._clock = clock
        self._trouble = trouble
        self._version = version
        self._trials = {trial.name: trial for trial in trials(board)}
        self._trial = ""
        self._right: set[str] = set()  # trials that somebody has seen to be right
        self._marks = {step: mark for step, mark in calibration.steps().items() if step in STEPS}
        self._magnets = dict(calibration.magnets())
        self._held_until = float("-inf")

    # --- for the loop ---------------------------------------------------------------------------

    @property
    def holds(self) -> bool:
        """Tell whether the board is being set up, so that what lies on it is no move."""
        return self._clock() < self._held_until

    def do(self, command: SetUp) -> str:
        """Carry out what was asked; return a sentence, or raise the CompanionError that says why
        not."""
        match command:
            case OpenStep(step=step):
                return self._open(step)
            case MarkStep(step=step, mark=mark):
                return self._mark(step, mark)
            case TakeBaseline(sure=sure):
                self._touch().take_baseline(sure=sure)
                return "The rest values are being measured: leave the board alone for a moment."
            case MeasurePiece(piece=name):
                return self._measure(name)
            case TryLights(trial=name, right=right):
                return self._try_lights(name, right)
            case Refocus():
                return self._refocus()

    def _open(self, step: str) -> str:
        if step and step not in STEPS:
            raise CompanionError(f"expected one of {', '.join(STEPS)}, got {step!r}")
        now = self._clock()
        self._held_until = now + HOLD_SECONDS if step in HANDS_ON else now
        if step != LIGHTS and self._trial:
            self._try_lights("")
        return "The referee waits." if step in HANDS_ON else ""

    def _mark(self, step: str, mark: str) -> str:
        if mark not in (*MARKS, OPEN):
            raise CompanionError(f"expected done, skipped or open, got {mark!r}")
        if step not in (*STEPS, ALL):
            raise CompanionError(f"expected one of {', '.join(STEPS)} or all, got {step!r}")
        marks = dict(self._marks)
        for name in self._open_steps() if step == ALL else (step,):
            if mark == DONE and (lacks := self._lacks(name)):
                raise CompanionError(f"{lacks} Or skip this step.")
            marks.pop(name, None)
            if mark != OPEN:
                marks[name] = mark
        self._calibration.keep_steps(marks)
        self._marks = marks
        return {DONE: "Done.", SKIPPED: "Skipped; you can come back to it.", OPEN: ""}[mark]

    def _measure(self, name: str) -> str:
        piece = self._board.pieces.get(name)
        if piece is None or not piece.magnet:
            raise CompanionError(f"expected one of {', '.join(self._magnetic())}, got {name!r}")
        touch = self._touch()
        shown = touch.measure()
        magnets = {**self._magnets, name: shown.counts}
        self._calibration.keep_magnets(magnets)
        self._magnets = magnets
        touch.use_magnets(magnets)
        said = f"{piece.title} reads {shown.counts:+d} on {shown.spot}."
        return f"{said} {doubt(shown, piece, self._board)}".rstrip()

    def _try_lights(self, name: str, right: str = "") -> str:
        """Show a trial, or the game again; ``right`` is the one before it, if it looked right."""
        if self._lights().state == "off":
            raise DeviceError("there are no lights: name their driver as lights.driver")
        if right and right == self._trial:
            self._right.add(right)
        elif not right:
            self._right.clear()
        if name and name not in self._trials:
            raise CompanionError(f"expected one of {', '.join(self._trials)}, got {name!r}")
        trial = self._trials.get(name)
        self._trial = name
        self._show.try_out(trial.paint if trial else None, self._clock())
        return trial.question if trial else "The lights show the game again."

    def _refocus(self) -> str:
        lookout = self._senses.lookout
        if lookout is None or not lookout.renew():
            raise DeviceError("there is no camera that focuses by itself: turn its lens by hand")
        return "The camera is opened anew, and focuses if its lens can."

    def _touch(self) -> Touch:
        touch = self._senses.touch
        if touch is None:
            raise DeviceError("there is no hall grid: name its port as hall.port in the settings")
        return touch

    # --- for the page ---------------------------------------------------------------------------

    @property
    def is_finished(self) -> bool:
        """Tell whether every step that this table has was done or skipped."""
        return not self._open_steps()

    def view(self) -> dict[str, Any]:
        """Return all that the start page shows, as docs/http.md has it."""
        found = self._found()
        steps = [self._step(name, finding) for name, finding in found.items()]
        return {
            "finished": self.is_finished,
            "open": _open([step for step in steps if step["state"] == NEEDS_YOU]),
            "steps": steps,
            "sharpness": self._sharpness(),
            "corners": {"by": self._found_by()},
            "sensors": self._sensors(),
            "pieces": self._measured(),
            "lights": {
                "showing": self._trial,
                "trials": [
                    {"name": trial.name, "question": trial.question, "remedy": trial.remedy}
                    for trial in self._trials.values()
                ],
            },
            "findings": [diagnosis.to_json(found[name]) for name in (CAMERA, SENSORS, LIGHTS)],
        }

    def _found(self) -> dict[str, DeviceView]:
        camera, grid = self._camera(), self._grid()
        return {
            CAMERA: camera,
            CORNERS: self._corners(camera),
            SENSORS: grid,
            PIECES: self._pieces(grid),
            LIGHTS: self._lights(),
        }

    def _lacks(self, step: str) -> str:
        """Return what keeps a step from being done, in a sentence; nothing if nothing does."""
        finding = self._found()[step]
        if finding.state in ("trouble", "off"):
            return finding.text
        return self._left(step)

    def _left(self, step: str) -> str:
        """Return what is left to do at a step whose device works, nothing when all was done."""
        touch = self._senses.touch
        if step == SENSORS and touch and touch.status.state == "ok" and not touch.knows_rest:
            return "The rest values were never measured: take everything off the board and do so."
        if step == PIECES:
            pieces = [n for n in self._magnetic() if n not in self._magnets]
            titles = listed([self._board.pieces[name].title for name in pieces])
            return f"Not measured yet: {titles}." if titles else ""
        if step == LIGHTS and self._marks.get(LIGHTS) != DONE and self._right != set(self._trials):
            return "Try the lights, and say of each trial whether it looks right."
        return ""

    def _step(self, name: str, finding: DeviceView) -> dict[str, Any]:
        by_itself = name == CORNERS and finding.state == "ok" and self._board.markers
        state = self._marks.get(name, DONE if by_itself else NEEDS_YOU)
        left = self._left(name) if finding.state not in ("trouble", "off") else ""
        if state == DONE and (left or finding.state == "trouble"):
            state = NEEDS_YOU
        if finding.state == "off":
            state = NOT_ATTACHED
        return {
            "name": name,
            "state": state,
            "ready": finding.state != "trouble",
            "left": left,
            "text": finding.text,
            "todo": finding.todo,
        }

    def _open_steps(self) -> tuple[str, ...]:
        return tuple(step for step in self._attached() if step not in self._marks)

    def _attached(self) -> tuple[str, ...]:
        """Return the steps whose device this table has; a board with markers needs no corners."""
        corners = () if self._board.markers else (CORNERS,)
        camera = (CAMERA, *corners) if self._senses.lookout else ()
        grid = (SENSORS, *((PIECES,) if self._magnetic() else ())) if self._senses.touch else ()
        lights = (LIGHTS,) if self._lights().state != "off" else ()
        return (*camera, *grid, *lights)

    def _magnetic(self) -> list[str]:
        return [name for name, piece in self._board.pieces.items() if piece.magnet]

    def _camera(self) -> DeviceView:
        source, lookout = self._settings.camera.source, self._senses.lookout
        if lookout is None or source is None:
            return diagnosis.not_asked_for(diagnosis.CAMERA, source)
        view = lookout.view
        trouble = view.text if view.state == "trouble" else ""
        return diagnosis.camera(
            source, self._board, lookout.frame, lookout.sight, trouble, lookout.told
        )

    def _sharpness(self) -> Mapping[str, int] | None:
        """Return how sharp the newest picture is, and how sharp one should be, in per cent; None
        when no good one has come lately."""
        lookout = self._senses.lookout
        sight = lookout.sight if lookout else None
        if lookout is None or lookout.frame is None or sight is None:
            return None
        now = sharpness(self._board, lookout.frame.picture, sight.pose)
        return {"percent": now, "enough": ENOUGH}

    def _corners(self, camera: DeviceView) -> DeviceView:
        lookout = self._senses.lookout
        if camera.state == "off" or lookout is None:
            return DeviceView(CORNERS, "off", "Without a camera there are none to set.")
        by = self._found_by()
        if by is None:
            todo = "Drag the four handles to the corners of the field, then use them."
            return DeviceView(CORNERS, "trouble", camera.text, todo if lookout.frame else "")
        if by == "markers":
            text = "The board is found by the markers on its frame: there is nothing to do here."
        else:
            text = "The board is found by its corners and its grooves."
        return DeviceView(CORNERS, "ok", text)

    def _found_by(self) -> str | None:
        sight = self._senses.lookout.sight if self._senses.lookout else None
        if sight is None or not sight.found:
            return None
        return "markers" if sight.by_markers else "corners"

    def _grid(self) -> DeviceView:
        touch = self._senses.touch
        if touch is None:
            return diagnosis.not_asked_for(diagnosis.GRID, self._settings.hall.port)
        return diagnosis.grid(
            touch.status,
            self._board,
            touch.ill,
            version=self._version(),
            knows_rest=touch.knows_rest,
        )

    def _pieces(self, grid: DeviceView) -> DeviceView:
        magnetic = self._magnetic()
        if grid.state == "off":
            camera = " The camera tells the pieces by their colours." * bool(self._senses.lookout)
            return DeviceView(PIECES, "off", f"Magnets are measured by a hall grid.{camera}")
        if not magnetic:
            return DeviceView(PIECES, "off", "No piece of this board has a magnet.")
        measured = [name for name in magnetic if name in self._magnets]
        be = "is" if len(measured) == 1 else "are"
        if len(measured) == len(magnetic):
            return DeviceView(PIECES, "ok", f"All {counted(len(magnetic), 'piece')} {be} measured.")
        text = f"{len(measured)} of {counted(len(magnetic), 'piece')} {be} measured."
        return DeviceView(PIECES, "advice", f"{text} The others count as the profile has them.")

    def _lights(self) -> DeviceView:
        said = self._settings.lights.driver
        driver = named(said)
        if driver is None or not self._board.lights.count:
            return diagnosis.not_asked_for(diagnosis.LIGHTS, said)
        return diagnosis.lights(self._board, driver, self._trouble(), advice_here(driver))

    def _sensors(self) -> Mapping[str, Any] | None:
        touch = self._senses.touch
        if touch is None:
            return None
        return {
            "baseline": touch.baseline,
            "rest": touch.knows_rest,
            "offsets": dict(touch.offsets),
            "ill": dict(touch.ill),
        }

    def _measured(self) -> Mapping[str, Any]:
        return {
            name: {"measured": self._magnets.get(name), "usual": self._board.pieces[name].magnet}
            for name in self._magnetic()
        }


def _open(steps: list[dict[str, Any]]) -> str:
    """Return how many steps are open, in words; nothing when none is."""
    verb = "is" if len(steps) == 1 else "are"
    return f"{capital(counted(len(steps), 'step'))} {verb} open" if steps else ""
