"""Which sensors of the hall grid are believed, and what is wrong with the others.

A sensor is found out in three ways: by its own values (at the end of the range, never changing,
jumping about, drifting), by the camera (which clearly sees a piece that no sensor feels, or no
piece where one is felt), and by the game (the board lies as agreed, and it says otherwise every
time). A contradiction must last to count (debounced); what is not believed is left out of the
evidence until it is right again.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from companion.board import COLUMNS, ROWS, Board, Evidence, Hall, Place, Position, Spot, Thing
from companion.sensing.hall.drift import Drift

STUCK_AFTER = 50  # equal values in a row that a working channel, with its noise, never shows
NOISY_AFTER = 20  # values from which noise is judged
NOISY_TIMES = 8.0  # the noise of the profile times this is too much
RAIL = 4  # counts from either end of the converter that no working sensor reaches
CLEAR = 4.0  # threshold of what one sense must say to be held against the other
CONTRADICTED_SECONDS = 1.2
AGREED_SECONDS = 1.0
UNFELT, PHANTOM = "does not feel {}", "feels {} who is not there"
ODD = "feels what is no piece"
DENIED_LESSONS = 3
RIGHT_LESSONS = 2
NAMED = 4  # so many sensors are named one by one


class Trust:
    """Keeps for one grid which of its squares are not to be believed, and why.

    ``broken`` are those whose values alone show that something is wrong.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._history: deque[Sequence[int]] = deque(maxlen=STUCK_AFTER)
        self._drift = Drift(board)
        self.broken: dict[Spot, str] = {}
        self._doubted: dict[Spot, str] = {}
        self._phantoms: dict[Spot, float] = {}  # doubted so, and since when nothing is there
        self._since: dict[tuple[Spot, str], float] = {}
        self._wrong: dict[Spot, int] = {}
        self._right: dict[Spot, int] = {}

    @property
    def scans(self) -> Sequence[Sequence[int]]:
        """Return the latest scans, the newest last."""
        return tuple(self._history)

    @property
    def ill(self) -> Mapping[Spot, str]:
        """Return all squares that are not believed, with what is wrong."""
        return self._doubted | self.broken

    def note(self, time: float, values: Sequence[int]) -> None:
        """Take in one scan."""
        if self._history and len(self._history[-1]) != len(values):
            self._history.clear()
        self._history.append(values)
        broken = health(self._history, self._board)
        self._drift.note(time, values, broken.keys())
        self.broken = {**self._drift.named, **broken}

    def compare(self, time: float, felt: Evidence, seen: Evidence) -> None:
        """Check what was felt at a time against what the camera sees at rest, nothing covered."""
        contradictions = dict(_contradictions(felt, seen))
        told = {}
        for spot, (thing, what) in contradictions.items():
            key = spot, what
            told[key] = self._since.get(key, time)
            if time - told[key] >= CONTRADICTED_SECONDS:
                self._doubted[spot] = what.format(self._board.pieces[thing].title if thing else "")
                if what != UNFELT:
                    self._phantoms[spot] = float("inf")
        self._since = told
        for spot in [spot for spot in self._doubted if spot not in contradictions]:
            best = _best(felt, spot)
            if best and _best(seen, spot) == best:
                self._believe(spot)  # it feels the very piece that is seen
            elif spot in self._phantoms:
                self._watch_phantom(time, spot, _is_empty(felt, spot) and _is_empty(seen, spot))

    def _watch_phantom(self, time: float, spot: Spot, gone: bool) -> None:
        """Believe a sensor again that felt what was not there, and has felt nothing for a while."""
        self._phantoms[spot] = min(self._phantoms[spot], time) if gone else float("inf")
        if time - self._phantoms[spot] >= AGREED_SECONDS:
            self._believe(spot)

    def _believe(self, spot: Spot) -> None:
        self._doubted.pop(spot, None)
        self._phantoms.pop(spot, None)

    def check(self, position: Position, felt: Evidence, *, told: bool = False) -> None:
        """Check what is felt against the position that the board is known to be in."""
        for spot, things in felt.items():
            expected = position.get(spot, "")
            if expected and expected not in things:
                continue  # it has no magnet
            value = things.get(expected, 0.0)
            denied = max((0.0, *things.values())) - value > CLEAR
            self._wrong[spot] = self._wrong.get(spot, 0) + 1 if denied else 0
            self._right[spot] = 0 if denied else self._right.get(spot, 0) + 1
            if self._wrong[spot] >= (1 if told else DENIED_LESSONS):
                self._doubted.setdefault(spot, "does not feel what stands there")
            elif self._right[spot] >= RIGHT_LESSONS and expected:
                self._believe(spot)


def _contradictions(felt: Evidence, seen: Evidence) -> Iterable[tuple[Spot, tuple[Thing, str]]]:
    """Yield where the two senses cannot both be right, and the camera is: it sees a piece clearly
    that is felt nowhere, sees one elsewhere that is felt here, or nothing where something is."""
    at = {thing: spot for spot in felt if (thing := _best(seen, spot)) is not None}
    nowhere = {thing for thing in at if all(t.get(thing, 0.0) < CLEAR for t in felt.values())}
    for thing, spot in at.items():
        values = felt[spot].values()
        if thing in nowhere and thing in felt[spot] and max(values) < -CLEAR:
            yield spot, (thing, UNFELT)
    for spot in felt:
        thing = _best(felt, spot)
        if thing is None and _is_empty(seen, spot) and not _is_empty(felt, spot):
            yield spot, ("", ODD)
        if thing is None or at.get(thing, spot) == spot:
            continue
        if seen.get(spot, {}).get(thing, 0.0) < -CLEAR:
            yield spot, (thing, PHANTOM)


def _best(evidence: Evidence, place: Place) -> Thing | None:
    """Return what is clearly there, None when nothing is."""
    things = evidence.get(place)
    if not things:
        return None
    thing = max(things, key=lambda thing: things[thing])
    return thing if things[thing] > CLEAR else None


def _is_empty(evidence: Evidence, place: Place) -> bool:
    """Tell whether there is clearly no piece."""
    return max(evidence.get(place, {}).values(), default=0.0) < -CLEAR


def health(history: Sequence[Sequence[int]], board: Board) -> dict[Spot, str]:
    """Return the squares whose channels are broken and what is wrong, from the latest scans."""
    faults: dict[Spot, str] = {}
    if not history:
        return faults
    recent = np.asarray(history)[-STUCK_AFTER:]
    stuck = (recent == recent[0]).all(axis=0) & (len(recent) == STUCK_AFTER)
    last = recent[-NOISY_AFTER:]
    jumps = np.median(np.abs(np.diff(last, axis=0)), axis=0) if len(last) == NOISY_AFTER else None
    for spot, channel in board.hall.channels.items():
        if channel >= recent.shape[1]:
            faults[spot] = f"channel {channel} is not among the {recent.shape[1]} that came"
        elif at_rail(value := int(recent[-1, channel]), board.hall):
            faults[spot] = f"channel {channel} reads {value}, the end of its range: check its wires"
        elif stuck[channel] and board.hall.noise >= 1:
            faults[spot] = f"channel {channel} is stuck at {value}"
        elif jumps is not None and jumps[channel] > NOISY_TIMES * max(board.hall.noise, 1.0):
            faults[spot] = f"channel {channel} jumps by {jumps[channel]:.0f}: check its wires"
    return faults


def at_rail(value: int, hall: Hall) -> bool:
    """Tell whether a value is at the end of the converter's range (saturated)."""
    return not RAIL < value < hall.full_scale - RAIL


def in_words(ill: Mapping[Spot, str], board: Board) -> str:
    """Return in a sentence which sensors are not believed; whole rows and columns by their name."""
    left = dict(ill)
    groups = []
    for kind, lines in (("row", ROWS[: board.rows]), ("column", COLUMNS[: board.columns])):
        for line in lines:
            members = [spot for spot in board.hall.channels if line in spot]
            if members and all(spot in ill for spot in members):
                groups.append(f"all of {kind} {line}")
                for spot in members:
                    left.pop(spot, None)
    named = [f"{spot} ({what})" for spot, what in sorted(left.items())]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    return f"Sensors that are not believed: {', '.join(groups + named[:NAMED] + more)}."
