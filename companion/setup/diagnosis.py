"""How each device is, in words: the same from ``companion doctor`` and on the page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.board import Board, DeviceView, Spot
from companion.sensing.camera.frame import Frame
from companion.sensing.camera.lookout import CUT_OFF, field_in_view
from companion.sensing.camera.sharpness import ENOUGH, sharpness
from companion.sensing.hall import firmware
from companion.sensing.hall.trust import in_words
from companion.sensing.vision.eyes import Sight
from companion.sensing.vision.quality import SOFT, quality
from companion.text import sentence

#: States that have another name in the JSON that programs read.
_SAID: Mapping[str, str] = {"ok": "good", "trouble": "broken"}
_MEANT = {said: state for state, said in _SAID.items()}

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


def to_json(found: DeviceView) -> dict[str, str]:
    """Return a device's state as ``/api/setup`` and ``companion doctor --json`` give it."""
    state = _SAID.get(found.state, found.state)
    return {"what": found.name, "state": state, "text": found.text, "todo": found.todo}


def from_json(said: Mapping[str, Any]) -> DeviceView:
    """Return what :func:`to_json` was given."""
    state = _MEANT.get(said["state"], said["state"])
    return DeviceView(said["what"], state, said["text"], said["todo"])


def not_asked_for(what: str, said: str | None) -> DeviceView:
    """Say that a device is not in the settings, or is switched off there."""
    if said == "sim":
        return DeviceView(what, "off", "Simulated.")
    key, usual = KEYS[what]
    if said == "none":
        return DeviceView(what, "off", f"Switched off in the settings ({key}).")
    return DeviceView(what, "off", f"Not configured; {key} names it, such as {key} = {usual}.")


def camera(
    source: str,
    board: Board,
    frame: Frame | None,
    sight: Sight | None,
    trouble: str = "",
    told: str = "",
) -> DeviceView:
    """Return how a camera sees the board; ``trouble`` is why its pictures cannot be used, ``told``
    what it says of its focus and the like."""
    if frame is None or sight is None:
        return DeviceView(CAMERA, "trouble", sentence(trouble or "the camera gives no pictures"))
    height, width = frame.picture.shape[:2]
    name = {"sim": "The simulated camera", "pi": "The Pi's camera"}.get(source, source)
    gives = f"{name} gives pictures of {width} × {height}"
    if sight.pose is None:
        text = f"{gives}, but no board: {sight.text}."
        soft = sharpness(board, frame.picture, None) < ENOUGH
        return DeviceView(CAMERA, "trouble", _all(text, told), SOFT if soft else SEE_BOARD)
    if not field_in_view(board, sight.pose):
        return DeviceView(CAMERA, "trouble", sentence(CUT_OFF))
    by = "markers" if sight.by_markers else "corners"
    advice = quality(board, frame.picture, sight.pose).advice
    text = _all(f"{gives} and sees the board by its {by}.", told)
    return DeviceView(CAMERA, "advice" if advice else "ok", text, " ".join(advice))


def _all(*texts: str) -> str:
    return " ".join(filter(None, texts))


def grid(
    status: DeviceView,
    board: Board,
    ill: Mapping[Spot, str],
    *,
    version: tuple[int, int, int] | None,
    knows_rest: bool,
) -> DeviceView:
    """Return how a hall grid is: its line, its sensors, its firmware and its rest values.

    ``version`` is that of its firmware, None where it is not to be checked.
    """
    if status.state != "ok":
        return replace(status, state="trouble")
    if ill:
        return DeviceView(GRID, "trouble", in_words(ill, board), "Check their wires.")
    todo = [firmware.advice(version) or ""] if version else []
    if not knows_rest:
        todo.append(f"Its rest values were never measured. {MEASURE_REST}")
    advice = " ".join(filter(None, todo))
    return DeviceView(GRID, "advice" if advice else "ok", status.text, advice)


def lights(board: Board, driver: str, trouble: str = "", advice: str = "") -> DeviceView:
    """Return how a strip is, and what could be improved."""
    if trouble:
        return DeviceView(LIGHTS, "trouble", sentence(trouble))
    by = "simulated" if driver == "sim" else f"by the driver {driver}"
    text = f"{board.lights.count} LEDs, {by}."
    return DeviceView(LIGHTS, "advice" if advice else "ok", text, advice)
