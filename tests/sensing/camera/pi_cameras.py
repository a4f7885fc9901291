"""A stand-in for picamera2, which only a Pi has: what it says of each camera, and how it behaves.

The modes are those that ``rpicam-hello --list-cameras`` prints for the cameras of Raspberry Pi.
"""

from typing import Any

import numpy as np


def mode(
    size: tuple[int, int], fps: float, crop: tuple[int, int, int, int], bits: int
) -> dict[str, Any]:
    return {"size": size, "fps": fps, "crop_limits": crop, "bit_depth": bits, "format": f"B{bits}"}


SENSORS = {
    "imx708": [  # Camera Module 3
        mode((1536, 864), 120.13, (768, 432, 3072, 1728), 10),
        mode((2304, 1296), 56.03, (0, 0, 4608, 2592), 10),
        mode((4608, 2592), 14.35, (0, 0, 4608, 2592), 10),
    ],
    "imx219": [  # Camera Module 2
        mode((640, 480), 206.65, (1000, 752, 1280, 960), 10),
        mode((1640, 1232), 41.85, (0, 0, 3280, 2464), 10),
        mode((1920, 1080), 47.57, (680, 692, 1920, 1080), 10),
        mode((3280, 2464), 21.19, (0, 0, 3280, 2464), 10),
        mode((640, 480), 206.65, (1000, 752, 1280, 960), 8),
        mode((1640, 1232), 83.7, (0, 0, 3280, 2464), 8),
        mode((1920, 1080), 47.57, (680, 692, 1920, 1080), 8),
        mode((3280, 2464), 21.19, (0, 0, 3280, 2464), 8),
    ],
    "ov5647": [  # the first one
        mode((640, 480), 58.92, (16, 0, 2560, 1920), 10),
        mode((1296, 972), 43.25, (0, 0, 2592, 1944), 10),
        mode((1920, 1080), 30.62, (348, 434, 1928, 1080), 10),
        mode((2592, 1944), 15.63, (0, 0, 2592, 1944), 10),
    ],
    "imx477": [  # High Quality Camera
        mode((1332, 990), 120.05, (696, 528, 2664, 1980), 10),
        mode((2028, 1080), 50.03, (0, 440, 4056, 2160), 12),
        mode((2028, 1520), 40.01, (0, 0, 4056, 3040), 12),
        mode((4056, 3040), 10.0, (0, 0, 4056, 3040), 12),
    ],
    "imx296": [mode((1456, 1088), 60.38, (0, 0, 1456, 1088), 10)],  # Global Shutter Camera
}

#: Height of what Camera Module 3 sees, by its maker: so many degrees of its whole sensor.
IMX708_VIEW_DEG = 41.0


class Picamera2:
    """Behaves as picamera2's class of this name, as far as it is used."""

    sensor = "imx708"
    attached = True
    fails_at = ""
    finds_focus = True
    best_power = 2.04  # dioptres at which the board is sharp
    made: list["Picamera2"]

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Model": cls.sensor, "Num": 0}] if cls.attached else []

    def __init__(self) -> None:
        self.did: list[str] = []
        self.set: list[dict[str, Any]] = []
        self.power, self.state, self.busy = 1.0, 0, 0
        self.made.append(self)
        self.step("open")

    def step(self, name: str) -> None:
        self.did.append(name)
        if self.fails_at == name:
            raise RuntimeError("Failed to acquire camera")

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        assert "start" not in self.did, "the modes are read by configuring the camera"
        return SENSORS[self.sensor]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        lens = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}
        return {"AeEnable": (False, True, True)} | (lens if self.sensor == "imx708" else {})

    def create_video_configuration(
        self,
        main: dict[str, Any],
        controls: dict[str, Any],
        sensor: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {"main": main, "controls": controls, "sensor": sensor or {}}

    def configure(self, wanted: dict[str, Any]) -> None:
        assert not wanted["sensor"].keys() - {"output_size", "bit_depth"}
        self.wanted = wanted
        deepest = max(SENSORS[self.sensor], key=lambda m: (m["size"], m["bit_depth"]))
        size = wanted["sensor"].get("output_size", wanted["main"]["size"])
        bits = wanted["sensor"].get("bit_depth", deepest["bit_depth"])
        self.mode = min(SENSORS[self.sensor], key=lambda m: unlikeness(m, size, bits))
        self.step("configure")

    @property
    def seen(self) -> tuple[float, float]:
        """The width and height of the sensor that the picture shows, as shares of the whole."""
        width, height = self.wanted["main"]["size"]
        across, down = self.mode["crop_limits"][2:]
        whole = max(SENSORS[self.sensor], key=lambda m: m["crop_limits"][2])["crop_limits"][2:]
        shape = width / height
        return (min(across, down * shape) / whole[0], min(down, across / shape) / whole[1])

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert controls.keys() <= {"AfMode", "AfTrigger", "LensPosition"}
        assert self.sensor == "imx708", "a control that this camera has not"
        self.set.append(controls)
        if controls.get("AfMode") == 1 and controls.get("AfTrigger") == 0:
            self.state, self.busy = 1, 5
        self.power = controls.get("LensPosition", self.power)

    def start(self) -> None:
        self.step("start")

    def capture_arrays(self, names: list[str], wait: float) -> tuple[list[object], dict[str, Any]]:
        assert names == ["main"]
        self.step("capture")
        self._focus()
        width, height = self.wanted["main"]["size"]
        said = {"LensPosition": self.power, "AfState": self.state} if self._has_lens else {}
        return [np.full((height, width, 3), (200, 100, 50), np.uint8)], said

    @property
    def _has_lens(self) -> bool:
        return "LensPosition" in self.camera_controls

    def _focus(self) -> None:
        if self.state == 1:
            self.busy -= 1
            self.power += 0.3
            if self.busy == 0:
                self.state = 2 if self.finds_focus else 3
                self.power = self.best_power if self.finds_focus else 0.0

    def close(self) -> None:
        self.did.append("close")


def unlikeness(mode: dict[str, Any], size: tuple[int, int], bits: int) -> float:
    """How badly a mode fits what was asked, by the weights that picamera2 has."""

    def short(wanted: float, given: float) -> float:
        return 2 * (wanted - given) if given <= wanted else (given - wanted) / 4

    width, height = mode["size"]
    shape = short(size[0] / size[1], width / height)
    depth = abs(bits - mode["bit_depth"])
    return short(size[0], width) + short(size[1], height) + 1500 * shape + 500 * depth
