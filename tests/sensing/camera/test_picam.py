"""The Pi's camera, with a stand-in for its library, which only a Pi has."""

import math
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import DeviceError
from companion.sensing.camera import focus
from companion.sensing.camera.focus import PATIENCE_PICTURES, SETTLE_PICTURES, TRIES, Lens
from companion.sensing.camera.frame import is_settled, told_by
from companion.sensing.camera.modes import widest
from companion.sensing.camera.picam import PiCamera
from companion.sensing.camera.sources import first_picture, open_source
from tests.sensing.camera.pi_cameras import IMX708_VIEW_DEG, SENSORS, Picamera2, mode

SIZE = (1296, 972)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    class Fresh(Picamera2):
        made: list[Picamera2] = []  # noqa: RUF012 (a new one for each test)

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Fresh))
    return Fresh


def test_it_is_asked_for_size_pace_and_the_order_of_colours_that_opencv_has(library):
    camera = open_source("pi", 12, SIZE, lambda: 7.0)
    (device,) = library.made
    assert device.wanted["main"] == {"size": SIZE, "format": "RGB888"}
    assert device.wanted["controls"] == {"FrameRate": 12}
    frame = camera.grab()
    assert (frame.time, frame.recorded) == (7.0, False)
    assert frame.picture.shape == (972, 1296, 3)
    assert tuple(frame.picture[0, 0]) == (200, 100, 50)
    camera.close()
    assert device.did == ["open", "configure", "start", "capture", "close"]


def test_without_the_library_its_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match="sudo apt install python3-picamera2"):
        PiCamera(15, SIZE, lambda: 0.0)


def test_a_camera_that_is_not_attached_is_said_so(library):
    library.attached = False
    with pytest.raises(DeviceError, match="no Pi camera is attached: check its ribbon cable"):
        PiCamera(15, SIZE, lambda: 0.0)
    assert not library.made


@pytest.mark.parametrize("step", ["open", "configure", "start"])
def test_a_camera_that_does_not_start_is_let_go_and_told(library, step):
    library.fails_at = step
    with pytest.raises(DeviceError, match=r"did not start .Failed to acquire camera.: is another"):
        PiCamera(15, SIZE, lambda: 0.0)
    assert (library.made[0].did[-1] == "close") == (step != "open")


def test_a_camera_that_stops_is_told(library):
    camera = PiCamera(15, SIZE, lambda: 0.0)
    library.fails_at = "capture"
    with pytest.raises(DeviceError, match="the Pi camera has stopped sending pictures: check its"):
        camera.grab()


@pytest.mark.parametrize(
    ("sensor", "size"),
    [
        ("imx708", (2304, 1296)),
        ("imx219", (1640, 1232)),
        ("ov5647", (1296, 972)),
        ("imx477", (2028, 1520)),
        ("imx296", (1456, 1088)),
    ],
)
def test_every_camera_of_the_pi_is_read_in_the_mode_that_sees_most(library, sensor, size):
    library.sensor = sensor
    PiCamera(15, SIZE, lambda: 0.0)
    (device,) = library.made
    assert device.mode["size"] == size
    assert max(device.seen) > 0.99
    bits = max(mode["bit_depth"] for mode in SENSORS[sensor])
    assert device.mode["bit_depth"] == bits


def test_camera_module_3_sees_the_frame_at_the_height_of_the_reference_build(library):
    """Left to itself it would be read in its middle: 28 degrees up and down, and 37 are needed."""
    PiCamera(15, SIZE, lambda: 0.0)
    (device,) = library.made

    def view_deg(share: float) -> float:
        whole = math.tan(math.radians(IMX708_VIEW_DEG / 2))
        return math.degrees(2 * math.atan(share * whole))

    assert view_deg(device.seen[1]) == pytest.approx(41)
    device.configure(device.create_video_configuration({"size": SIZE}, {}))
    assert device.mode["size"] == (1536, 864)
    assert view_deg(device.seen[1]) == pytest.approx(28, abs=0.5)


@pytest.mark.parametrize(
    ("sensor", "size", "fps", "expected"),
    [
        ("imx219", SIZE, 60, ((1640, 1232), 8)),  # ten bits are too slow
        ("imx708", SIZE, 100, ((2304, 1296), 10)),  # none that sees all is so fast: the fastest
        ("imx708", (4056, 3040), 10, ((4608, 2592), 10)),
        ("imx708", (1920, 1440), 15, ((2304, 1296), 10)),  # rather coarse than too slow
        ("imx477", (1920, 1080), 15, ((2028, 1520), 12)),  # 2028 × 1080 sees 5 % less across
    ],
)
def test_of_modes_that_see_as_much_the_cheapest_that_is_fast_and_fine_enough(
    sensor, size, fps, expected
):
    chosen = widest(SENSORS[sensor], size, fps)
    assert (chosen["size"], chosen["bit_depth"]) == expected


@given(
    st.lists(
        st.builds(
            mode,
            st.tuples(st.integers(64, 5000), st.integers(64, 4000)),
            st.floats(1, 240),
            st.tuples(st.just(0), st.just(0), st.integers(64, 5000), st.integers(64, 4000)),
            st.sampled_from([8, 10, 12]),
        ),
        min_size=1,
        max_size=8,
    ),
    st.tuples(st.integers(64, 4000), st.integers(64, 4000)),
    st.floats(1, 120),
)
def test_no_mode_sees_more_than_the_chosen_one_whatever_modes_there_are(modes, size, fps):
    def seen(mode: dict[str, Any]) -> float:
        _, _, width, height = mode["crop_limits"]
        scale = min(width / size[0], height / size[1])
        return scale * size[0] * scale * size[1]

    chosen = widest(modes, size, fps)
    assert seen(chosen) >= 0.98 * max(map(seen, modes))
    as_wide = [mode for mode in modes if seen(mode) >= seen(chosen)]
    assert chosen["fps"] >= fps or all(mode["fps"] < fps for mode in as_wide)


def test_a_camera_of_which_no_mode_is_known_is_left_to_the_library(library, monkeypatch):
    monkeypatch.setattr(library, "sensor_modes", [{"format": "MJPEG"}])
    PiCamera(15, SIZE, lambda: 0.0)
    assert library.made[0].wanted["sensor"] == {}


def test_the_lens_focuses_once_when_the_light_is_found_and_then_stays(library):
    camera = PiCamera(15, SIZE, lambda: 0.0)
    (device,) = library.made
    for _ in range(SETTLE_PICTURES - 1):
        camera.grab()
    assert device.set == []
    first_picture(camera)
    assert device.set == [{"AfMode": 1, "AfTrigger": 0}, {"AfMode": 0, "LensPosition": 2.04}]
    assert is_settled(camera)
    assert told_by(camera) == "Its lens has focused at 490 mm and stays there."
    for _ in range(300):
        camera.grab()
    assert len(device.set) == 2
    assert device.power == pytest.approx(2.04)


def test_a_lens_that_finds_no_focus_is_set_for_the_usual_height_and_says_so(library):
    library.finds_focus = False
    camera = PiCamera(15, SIZE, lambda: 0.0)
    first_picture(camera)
    tries, end = library.made[0].set[:-1], library.made[0].set[-1]
    assert tries == [{"AfMode": 1, "AfTrigger": 0}] * TRIES
    assert end == {"AfMode": 0, "LensPosition": 1000 / focus.USUAL_MM}
    assert "found no focus" in told_by(camera)
    assert "camera.focus" in told_by(camera)


def test_a_lens_that_never_answers_is_given_up():
    lens = Lens("auto", (0.0, 32.0))
    lens.begin()
    told = [lens.note({"AfState": 1}) for _ in range(SETTLE_PICTURES + TRIES * PATIENCE_PICTURES)]
    assert told[-1] == {"AfMode": 0, "LensPosition": 2.0}
    assert lens.is_settled


@pytest.mark.parametrize(("mm", "power"), [(500, 2.0), (560, 1000 / 560), (20, 32.0)])
def test_a_distance_sets_the_lens_from_the_first_picture_on(library, mm, power):
    camera = PiCamera(15, SIZE, lambda: 0.0, mm)
    assert library.made[0].set == [{"AfMode": 0, "LensPosition": power}]
    assert is_settled(camera)
    assert told_by(camera) == f"Its lens is set for {mm} mm (camera.focus)."


def test_a_lens_to_be_left_alone_is(library):
    camera = PiCamera(15, SIZE, lambda: 0.0, "off")
    first_picture(camera)
    assert library.made[0].set == []
    assert "left as it is" in told_by(camera)


def test_a_camera_without_a_motor_is_focused_by_hand_and_says_so(library):
    library.sensor = "imx219"
    camera = PiCamera(15, SIZE, lambda: 0.0, 500)
    first_picture(camera)
    assert told_by(camera) == "Its lens is focused by hand."
