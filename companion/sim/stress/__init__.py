"""Twelve things that trouble a camera over a table, each by name and from 1, slight, to 5, hard.

Pictures are spoilt by a camera around a camera, hands reach in between table and camera, and
habits say how carelessly people put things down. Everything follows from a seed and the time.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import OptionError
from companion.sensing.camera.frame import Camera, Frame
from companion.sim.body import Habits, Stage
from companion.sim.picture.render import Colour, Leds
from companion.sim.stress import people, pictures

#: Every stressor and what it does.
STRESSORS = {
    "hand": "somebody else's hand comes over the board, more often and for longer",
    "sleeve": "an arm in its sleeve reaches across the board, farther and farther",
    "shadow": "the shadow of somebody who moves about, darker and faster",
    "lamp": "the hard edge of a lamp's light lies across the board, now here, now there",
    "glare": "a lamp is mirrored in the board, larger and brighter",
    "leds": "every light of the strip is on, in all colours, brighter and brighter",
    "exposure": "the camera changes its exposure from one frame to the next, by more and more",
    "bump": "somebody bumps against the camera, harder and harder",
    "blur": "the lens is out of focus",
    "jpeg": "the picture is squeezed as JPEG, down to quality 30",
    "half-seated": "fences are put in by halves, and harder and harder to see that they are",
    "off-centre": "pieces stand off the middle of their square, farther and farther",
}
SEVERITIES = range(1, 6)


@dataclass(frozen=True)
class Stress:
    """One stressor at one severity."""

    name: str
    severity: int

    def __post_init__(self) -> None:
        if self.name not in STRESSORS or self.severity not in SEVERITIES:
            raise OptionError(_expected(str(self)))

    def __str__(self) -> str:
        """Return it as it is written on the command line."""
        return f"{self.name}:{self.severity}"


def parse(text: str) -> Stress:
    """Return what a text such as ``glare:3`` names; OptionError if there is no such thing."""
    name, _, severity = text.partition(":")
    if not severity.isdecimal():
        raise OptionError(_expected(text))
    return Stress(name, int(severity))


def _expected(got: str) -> str:
    return (
        f"expected NAME:SEVERITY with a name of {', '.join(STRESSORS)}"
        f" and a severity from {SEVERITIES[0]} to {SEVERITIES[-1]}, got {got!r}"
    )


class StressedCamera:
    """A camera around another one, whose pictures it spoils; implements :class:`Camera`."""

    def __init__(self, camera: Camera, stresses: Iterable[Stress], seed: int = 0) -> None:
        self._camera, self._seed = camera, seed
        self._stresses = [s for s in stresses if s.name in pictures.SPOILERS]

    def read(self) -> Frame | None:
        """Return the other camera's newest frame, spoilt."""
        frame = self._camera.read()
        if frame is None:
            return None
        picture = frame.picture
        for stress in self._stresses:
            spoil = pictures.SPOILERS[stress.name]
            picture = spoil(picture, stress.severity, frame.time, self._seed)
        return replace(frame, picture=picture)

    def close(self) -> None:
        """Release the other camera."""
        self._camera.close()


def habits(stresses: Iterable[Stress]) -> Habits:
    """Return how people put things down under these stressors."""
    found = Habits()
    for stress in stresses:
        if stress.name in people.HABITS:
            found = people.HABITS[stress.name](found, stress.severity)
    return found


def busy(
    table: Stage, stresses: Iterable[Stress], clock: Callable[[], float], seed: int = 0
) -> Stage:
    """Return the table as the camera sees it, with the hands that these stressors bring."""
    reaching = [(people.REACHES[s.name], s.severity) for s in stresses if s.name in people.REACHES]
    if not reaching:
        return table
    return people.BusyTable(
        table, lambda now: [reach(severity, now, seed) for reach, severity in reaching], clock
    )


def lit(leds: Leds, stresses: Iterable[Stress], clock: Callable[[], float]) -> Leds:
    """Return the colours of the strip as they are under these stressors."""
    severity = max((s.severity for s in stresses if s.name == "leds"), default=0)
    if not severity:
        return leds

    def colours() -> Sequence[Colour]:
        return people.every_colour(len(leds()), severity, clock())

    return colours
