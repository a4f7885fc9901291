"""The lens of a camera with autofocus: it focuses once, and then stays as it is (one-shot).

A lens that hunts for focus while people play makes the board swim in the picture.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

AUTO, OFF = "auto", "off"

#: How the settings ask for it: "auto", "off", or how far the board is from the lens in mm.
Focus = str | float

#: Where the lens goes when it does not find its own way: the height of the reference build.
USUAL_MM = 500.0

SETTLE_PICTURES = 15  # light is found first: a dark picture has no edges to focus on
PATIENCE_PICTURES = 150
TRIES = 3

# What libcamera's controls of these names take and say.
BY_HAND, ONCE, START = 0, 1, 0
FOCUSED, FAILED = 2, 3

Controls = dict[str, float]


class _State(Enum):
    SETTLING = auto()
    LOOKING = auto()
    FIXED = auto()


class Lens:
    """Says what a camera's lens is to do, picture by picture.

    ``limits`` are the least and the greatest power of the lens in dioptres, None of one that is
    turned by hand. What :meth:`begin` and :meth:`note` return is to be set as controls.
    """

    def __init__(self, wanted: Focus, limits: tuple[float, float] | None) -> None:
        self._wanted, self._limits = wanted, limits
        self._state = _State.FIXED
        self._pictures = self._failed = 0
        self.text = ""  # the result, a sentence; empty while it is not known

    @property
    def is_settled(self) -> bool:
        """Tell whether the lens stays where it is."""
        return self._state is _State.FIXED

    def begin(self) -> Controls:
        """Return what to set when the camera starts."""
        if self._limits is None:
            self.text = "Its lens is focused by hand."
        elif self._wanted == OFF:
            self.text = "Its focus is left as it is (camera.focus)."
        elif isinstance(self._wanted, str):
            self._state = _State.SETTLING
        else:
            self.text = f"Its lens is set for {self._wanted:g} mm (camera.focus)."
            return self._fixed(1000 / self._wanted)
        return {}

    def note(self, said: Mapping[str, Any]) -> Controls:
        """Take what the camera says with a picture; return what to set now."""
        if self._state is _State.FIXED:
            return {}
        self._pictures += 1
        if self._state is _State.SETTLING:
            return self._look() if self._pictures >= SETTLE_PICTURES else {}
        if said.get("AfState") == FOCUSED:
            power = float(said["LensPosition"])
            self.text = f"Its lens has focused at {_distance(power)} and stays there."
            return self._fixed(power)
        if said.get("AfState") == FAILED or self._pictures >= PATIENCE_PICTURES:
            self._failed += 1
            return self._look() if self._failed < TRIES else self._give_up()
        return {}

    def _look(self) -> Controls:
        self._state, self._pictures = _State.LOOKING, 0
        return {"AfMode": ONCE, "AfTrigger": START}

    def _give_up(self) -> Controls:
        self.text = (
            f"Its lens found no focus and is set for {USUAL_MM:g} mm: name the distance to the"
            " board as camera.focus."
        )
        return self._fixed(1000 / USUAL_MM)

    def _fixed(self, power: float) -> Controls:
        assert self._limits is not None
        self._state = _State.FIXED
        low, high = self._limits
        return {"AfMode": BY_HAND, "LensPosition": min(max(power, low), high)}


def _distance(power: float) -> str:
    return f"{1000 / power:.0f} mm" if power > 0.05 else "far away"
