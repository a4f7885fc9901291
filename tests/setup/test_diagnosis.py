"""What is found of a device is one record for people, and keeps its names for programs."""

import pytest

from companion.board import DeviceView
from companion.setup.diagnosis import from_json, to_json


@pytest.mark.parametrize(
    ("state", "said"),
    [("ok", "good"), ("trouble", "broken"), ("advice", "advice"), ("off", "off")],
)
def test_programs_read_the_same_states_as_ever(state, said):
    found = DeviceView("camera", state, "It sees the board.", "Wipe the lens.")
    told = to_json(found)
    assert told == {
        "what": "camera",
        "state": said,
        "text": "It sees the board.",
        "todo": "Wipe the lens.",
    }
    assert from_json(told) == found
