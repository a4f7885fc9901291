"""The whole service with something broken: told, nothing wrong accepted, and well again after."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bench.faults import Service, trial
from companion.sim.faults import FAULTS


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("data"))
    yield service
    service.close()


@pytest.mark.parametrize(
    "names",
    [
        ("open-row",),
        ("bleeding-sensor",),
        ("closed-port",),
        ("camera-gone",),
        ("lights-gone",),
        ("flipped-bits", "black-picture"),
        ("noisy-sensor", "camera-stalled"),
        ("drifting-sensor", "torn-picture"),
    ],
    ids=" and ".join,
)
def test_a_fault_is_named_costs_no_wrong_move_and_heals(service, names):
    found = trial(service, names)
    assert found.told
    assert not found.wrong
    assert service.well()


def asked(service, path):
    """Return the status and the body of what the page's server answers."""
    try:
        with urlopen(f"http://127.0.0.1:{service.app._port}{path}", timeout=10) as answer:
            return answer.status, answer.read()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read()


def alerts(service):
    return json.loads(asked(service, "/api/state")[1])["alerts"]


@pytest.mark.parametrize("fault", ["camera-stalled", "camera-gone", "repeated-picture"])
def test_a_camera_that_is_dead_is_told_and_shows_nothing_old(service, fault):
    assert asked(service, "/camera.jpg")[0] == 200
    service.app.faults.start(fault)
    try:
        assert service.until(lambda: asked(service, "/camera.jpg")[0] == 503, 20)
        assert asked(service, "/api/camera")[0] == 503
        assert service.until(lambda: alerts(service) != [], 5)
        (alert,) = alerts(service)
        assert alert["device"] == "camera"
        assert FAULTS[fault].says in alert["text"]
        assert alert["meanwhile"]
        assert json.loads(asked(service, "/camera.jpg")[1])["error"] == alert["text"]
    finally:
        service.app.faults.end(fault)
    assert service.until(lambda: asked(service, "/camera.jpg")[0] == 200, 20)
    assert service.until(service.well, 20)
