"""What there is to say of each device: the same words from ``companion doctor`` and on the page."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board import Board, Spot
from companion.device import DeviceView, sentence
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.lookout import CUT_OFF, field_in_view
from companion.sensing.camera.sharpness import ENOUGH, sharpness
from companion.sensing.hall import firmware
from companion.sensing.hall.trust import in_words
from companion.sensing.vision.eyes import Sight
from companion.sensing.vision.quality import SOFT, quality

#: How a thing is: in order, not asked for, worth a thought, or broken.
GOOD, OFF, ADVICE, BROKEN = "good", "off", "advice", "broken"

CAMERA, GRID, LIGHTS = "camera", "hall grid", "lights"

#: The key of the settings that names each device, with a usual value.
KEYS = {
    CAMERA: ("camera.source", '"pi"'),
    GRID: ("hall.port", '"auto"'),
    LIGHTS: ("lights.driver", '"neopixel"'),
    "panel": ("panel.driver", '"gpio"'),
}

SEE_BOARD = "Have the whole board in the picture, or set its corners: “Corners” on the page /start."
MEASURE_REST = "Take everything off the board and measure them: “Sensors” on the page /start."


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: how it is, in a sentence, and what to do."""

    what: str
    state: str
    text: str
    todo: str = ""


def not_asked_for(what: str, said: str | None) -> Finding:
    """Return that a device is not in the settings, or is switched off there."""
    if said == "sim":
        return Finding(what, OFF, "Simulated.")
    key, usual = KEYS[what]
    if said == "none":
        return Finding(what, OFF, f"Switched off in the settings ({key}).")
    return Finding(what, OFF, f"Not configured; {key} names it, such as {key} = {usual}.")


def camera(
    source: str,
    board: Board,
    frame: Frame | None,
    sight: Sight | None,
    trouble: str = "",
    told: str = "",
) -> Finding:
    """Return how a camera sees the board; ``trouble`` is why its pictures cannot be used, ``told``
    what it says of its focus and the like."""
    if frame is None or sight is None:
        return Finding(CAMERA, BROKEN, sentence(trouble or "the camera gives no pictures"))
    height, width = frame.picture.shape[:2]
    name = {"sim": "The simulated camera", "pi": "The Pi's camera"}.get(source, source)
    gives = f"{name} gives pictures of {width} × {height}"
    if sight.pose is None:
        text = f"{gives}, but no board: {sight.text}."
        soft = sharpness(board, frame.picture, None) < ENOUGH
        return Finding(CAMERA, BROKEN, _all(text, told), SOFT if soft else SEE_BOARD)
    if not field_in_view(board, sight.pose):
        return Finding(CAMERA, BROKEN, sentence(CUT_OFF))
    by = "markers" if sight.by_markers else "corners"
    advice = quality(board, frame.picture, sight.pose).advice
    text = _all(f"{gives} and sees the board by its {by}.", told)
    return Finding(CAMERA, ADVICE if advice else GOOD, text, " ".join(advice))


def _all(*texts: str) -> str:
    return " ".join(filter(None, texts))


def grid(
    status: DeviceView,
    board: Board,
    ill: Mapping[Spot, str],
    *,
    version: tuple[int, int, int] | None,
    knows_rest: bool,
) -> Finding:
    """Return how a hall grid is: its line, its sensors, its firmware and its rest values.

    ``version`` is that of its firmware, None where that is not to be looked at.
    """
    if status.state != "ok":
        return Finding(GRID, BROKEN, status.text)
    if ill:
        return Finding(GRID, BROKEN, in_words(ill, board), "Check their wires.")
    todo = [firmware.advice(version) or ""] if version else []
    if not knows_rest:
        todo.append(f"Its rest values were never measured. {MEASURE_REST}")
    advice = " ".join(filter(None, todo))
    return Finding(GRID, ADVICE if advice else GOOD, status.text, advice)


def lights(board: Board, driver: str, trouble: str = "", advice: str = "") -> Finding:
    """Return how a strip is, and what could be better for it."""
    if trouble:
        return Finding(LIGHTS, BROKEN, sentence(trouble))
    by = "simulated" if driver == "sim" else f"by the driver {driver}"
    text = f"{board.lights.count} LEDs, {by}."
    return Finding(LIGHTS, ADVICE if advice else GOOD, text, advice)
