"""The whole service with something broken: told, nothing wrong accepted, and well again after."""

import pytest

from bench.faults import Service, trial


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
