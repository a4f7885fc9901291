"""The hall grid's part of sensing: values in, evidence out, and which sensors to trust.

Beside the evidence it keeps the *trail* of a piece that is slid over the board: the squares on
which its magnet was felt one after the other.
"""

from collections.abc import Collection, Mapping
from typing import Literal, Protocol

from companion.board import Board, DeviceView, Evidence, Position, Spot, Thing
from companion.errors import DeviceError
from companion.sensing.hall.evidence import feel
from companion.sensing.hall.measure import Shown, check_empty, measure, offsets
from companion.sensing.hall.session import HallState
from companion.sensing.hall.trust import Trust, in_words
from companion.sensing.hall.wire import Lifted, Put

LONGEST_TRAIL = 64
LATE_SECONDS = 0.75  # a scan older than this, even at the slowest rate, says nothing of now
BASELINE_SECONDS = 5.0  # after which a grid that has not measured its rest values will not


class HallGrid(Protocol):
    """Where hall values come from."""

    def poll(self) -> HallState | None:
        """Return the newest values, None before the first or while the link is down."""

    @property
    def status(self) -> DeviceView:
        """Return how the link is doing."""

    def take_baseline(self) -> None:
        """Have the grid measure its rest values."""

    def close(self) -> None:
        """Release the port."""


class Touch:
    """Feels one board through one grid.

    ``magnets`` are the strengths of the pieces where they were measured. ``trails`` has for each
    piece that has moved since the last lesson the squares it was felt on, from where it stood, and
    ``noted`` counts the scans that were taken in.
    """

    def __init__(
        self, board: Board, grid: HallGrid, magnets: Mapping[Thing, int] | None = None
    ) -> None:
        self._board = board
        self._grid = grid
        self._magnets = dict(magnets or {})
        self._trust = Trust(board)
        self._noted_at = float("-inf")
        self.noted = 0
        self._felt: Evidence = {}
        self._squares = {channel: spot for spot, channel in board.hall.channels.items()}
        self._stood: dict[Spot, Thing] = {}
        self.trails: dict[Thing, tuple[Spot, ...]] = {}
        self._sliding: Thing | None = None
        self._state: HallState | None = None
        self._asked: HallState | None = None  # what was felt when a baseline was asked for

    @property
    def view(self) -> DeviceView:
        """Return how the grid is doing, in words for the player."""
        status = self._grid.status
        if status.state == "ok" and (ill := self._trust.ill):
            text = f"{in_words(ill, self._board)} Check their wires and the magnets."
            return DeviceView(status.name, "trouble", text, partly=True)
        return status

    def feel(self, now: float | None = None) -> Evidence:
        """Return what the sensors that are believed say; nothing while the grid is silent.

        Given the time, a scan that is too old is left out.
        """
        state = self._state = self._grid.poll()
        if state is None or (now is not None and now - state.time > LATE_SECONDS):
            self._felt = {}
            return {}
        if state.time > self._noted_at:
            self._noted_at = state.time
            self.noted += 1
            self._trust.note(state.time, state.values)
        for event in state.events:
            self._follow(event)
        broken = frozenset(self._trust.broken)
        self._felt = feel(state.values, self._board, state.rest, broken, self._magnets)
        ill = self._trust.ill
        return {spot: things for spot, things in self._felt.items() if spot not in ill}

    def compare(self, seen: Evidence, unclear: Collection[Spot] = ()) -> None:
        """Check the last scan against what a camera sees clearly, at rest and uncovered, except on
        squares where a piece beside them makes it ``unclear`` what is to be felt."""
        self._trust.compare(self._noted_at, self._clear(unclear), seen)

    def learn(
        self, position: Position, unclear: Collection[Spot] = (), *, told: bool = False
    ) -> None:
        """Take the last scan as one of this position, to know which sensors are right."""
        if self._felt:
            self._trust.check(position, self._clear(unclear), told=told)
        self._stood = {spot: thing for spot, thing in position.items() if spot in self._felt}
        self.trails, self._sliding = {}, None

    # --- setting the grid up --------------------------------------------------------------------

    @property
    def status(self) -> DeviceView:
        """Return the state of the line to the grid, whatever its sensors say."""
        return self._grid.status

    @property
    def ill(self) -> Mapping[Spot, str]:
        """Return the squares whose sensors are not believed, with what is wrong."""
        return self._trust.ill

    @property
    def offsets(self) -> Mapping[Spot, int]:
        """Return by how many counts each sensor is away from rest; nothing from a silent grid."""
        state = self._state
        return offsets(state.values, self._board, state.rest) if state else {}

    @property
    def knows_rest(self) -> bool:
        """Tell whether the grid has measured its rest values at any time."""
        return self._state is not None and self._state.rest is not None

    @property
    def baseline(self) -> Literal["", "measuring", "done", "failed"]:
        """Say how the baseline asked for is going: measuring, done, failed; nothing if none was."""
        asked, state = self._asked, self._state
        if asked is None:
            return ""
        if state is not None and state.rest not in (None, asked.rest):
            return "done"
        late = self._noted_at - asked.time > BASELINE_SECONDS
        return "failed" if late else "measuring"

    def take_baseline(self, *, sure: bool = False) -> None:
        """Have the grid measure its rest values; DeviceError when something is felt on the board
        and nobody is sure that it is empty."""
        state = self._present()
        if not sure:
            check_empty(state.values, self._board, state.rest)
        self._grid.take_baseline()
        self._asked = state

    def measure(self) -> Shown:
        """Return where the one piece on the board stands and how strong its magnet is;
        DeviceError says what to do when that cannot be told."""
        return measure(self._trust.scans, self._board, self._present().rest)

    def use_magnets(self, magnets: Mapping[Thing, int]) -> None:
        """Go by these strengths from now on."""
        self._magnets |= magnets

    def _present(self) -> HallState:
        if self._state is None:
            raise DeviceError(f"the hall grid does not answer: {self._grid.status.text}")
        return self._state

    def close(self) -> None:
        """Release the grid."""
        self._grid.close()

    def _clear(self, unclear: Collection[Spot]) -> Evidence:
        return {spot: things for spot, things in self._felt.items() if spot not in unclear}

    def _follow(self, event: Lifted | Put) -> None:
        """Add an event to the trail of the piece that is on its way."""
        spot = self._squares.get(event.channel)
        if spot is None or spot in self._trust.ill:
            return
        if isinstance(event, Lifted):
            thing = self._stood.pop(spot, None)
            if thing is not None:
                self._sliding = thing
                self.trails.setdefault(thing, (spot,))
        elif self._sliding is not None:
            trail = self.trails[self._sliding]
            if trail[-1] != spot and len(trail) < LONGEST_TRAIL:
                self.trails[self._sliding] = (*trail, spot)
