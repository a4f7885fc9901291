"""Where phones find the page: never a name that means only this machine, and told without it."""

import socket

import pytest

from companion.web import address
from companion.web.address import addresses, lan_address

HOUSE = "192.168.1.20"


def in_the_house(family):
    return HOUSE if family == socket.AF_INET else "fd12::7"


def alone(family):
    return None


@pytest.fixture(autouse=True)
def no_mdns(monkeypatch, tmp_path):
    monkeypatch.setattr(address, "AVAHI", tmp_path / "nothing")
    monkeypatch.setattr(socket, "gethostname", lambda: "table")


def test_a_page_for_everybody_is_told_by_its_number_with_the_name_beside():
    found = addresses("0.0.0.0", 8080, in_the_house, "table.local")
    assert found.phone == "http://192.168.1.20:8080/"
    assert found.name == "http://table.local:8080/"
    assert found.here == "http://localhost:8080/"
    assert found.why == ""


def test_the_usual_port_is_left_out():
    assert addresses("0.0.0.0", 80, in_the_house).phone == "http://192.168.1.20/"


def test_an_address_of_six_groups_is_in_brackets():
    assert addresses("::", 8080, in_the_house).phone == "http://[fd12::7]:8080/"


def test_without_a_network_only_this_machine_can_open_it():
    found = addresses("0.0.0.0", 8080, alone)
    assert found.phone is found.name is None
    assert "in no network" in found.why
    assert found.here == "http://localhost:8080/"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.1.1"])
def test_a_page_for_this_machine_alone_says_so(host):
    found = addresses(host, 8080, in_the_house, "table.local")
    assert found.phone is found.name is None
    assert "Only this machine" in found.why
    assert "web.host" in found.why


def test_one_address_of_several_is_told_as_it_is():
    assert addresses("10.0.0.5", 8080, alone).phone == "http://10.0.0.5:8080/"


def test_the_name_is_told_only_where_somebody_answers_to_it(monkeypatch, tmp_path):
    assert address.mdns_name() is None
    monkeypatch.setattr(address, "AVAHI", tmp_path)
    assert address.mdns_name() == "table.local"
    monkeypatch.setattr(socket, "gethostname", lambda: "desk.local")
    assert address.mdns_name() == "desk.local"


class Unsent:
    """A socket that can be connected and sends nothing: anything else fails."""

    def __init__(self, own: str | None) -> None:
        self.own = own

    def __call__(self, family, kind):
        assert kind == socket.SOCK_DGRAM
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def connect(self, where):
        if self.own is None:
            raise OSError("network is unreachable")

    def getsockname(self):
        return self.own, 40000


@pytest.mark.parametrize("own", [None, "127.0.0.1", "169.254.7.7", "0.0.0.0"])
def test_without_a_way_out_the_interfaces_are_asked(monkeypatch, own):
    monkeypatch.setattr(socket, "socket", Unsent(own))
    monkeypatch.setattr(address, "_of_interfaces", lambda: ["127.0.0.1", "10.42.0.1"])
    assert lan_address() == "10.42.0.1"
    monkeypatch.setattr(address, "_of_interfaces", lambda: ["127.0.0.1"])
    assert lan_address() is None


def test_the_way_out_tells_the_address(monkeypatch):
    monkeypatch.setattr(socket, "socket", Unsent(HOUSE))
    assert lan_address() == HOUSE


def test_the_interfaces_of_this_machine_are_addresses():
    for found in address._of_interfaces():
        assert socket.inet_aton(found)
