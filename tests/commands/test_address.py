"""``companion address``: words, QR code and picture; what play prints is the same."""

import json
import sys

import cv2
import pytest

from companion.__main__ import main
from companion.commands.address import drawn, in_words
from companion.commands.play import invitation
from companion.web import address
from companion.web.address import Addresses
from tests.web.test_sharing import from_terminal, read

HOUSE = "http://192.168.1.20:1/"
THERE = Addresses("http://localhost:8080/", "http://192.168.1.20:8080/", "http://table.local:8080/")


@pytest.fixture
def in_the_house(monkeypatch):
    monkeypatch.setattr(address, "lan_address", lambda family: "192.168.1.20")


@pytest.fixture
def alone(monkeypatch):
    monkeypatch.setattr(address, "lan_address", lambda family: None)


def test_addresses_are_told_and_no_code_is_drawn_into_a_file(in_the_house, capsys):
    assert main(["address", "--port", "1"]) == 0
    told = capsys.readouterr().out
    assert f"The page for phones:   {HOUSE}" in told
    assert "On this machine:       http://localhost:1/" in told
    assert "`companion play` starts the page" in told
    assert "█" not in told


def test_a_code_is_drawn_where_it_is_asked_for(in_the_house, capsys):
    assert main(["address", "--port", "1", "--qr"]) == 0
    lines = capsys.readouterr().out.splitlines()
    code = "\n".join(line for line in lines if line.startswith("\x1b"))
    assert read(from_terminal(code)) == HOUSE


def test_a_terminal_shows_the_code_unless_told_not_to(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "█" in drawn(HOUSE, None)
    assert drawn(HOUSE, False) == ""
    assert drawn(None, True) == ""


def test_the_code_is_written_as_a_picture(in_the_house, tmp_path):
    target = tmp_path / "page.png"
    assert main(["address", "--port", "1", "--png", str(target)]) == 0
    assert read(cv2.imread(str(target), cv2.IMREAD_GRAYSCALE)) == HOUSE


def test_addresses_as_json(in_the_house, capsys):
    assert main(["address", "--port", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["phone"] == HOUSE
    assert told["running"] is False


def test_without_a_network_the_answer_is_no(alone, capsys, tmp_path):
    assert main(["address", "--port", "1", "--qr"]) == 1
    told = capsys.readouterr().out
    assert "Only this machine can open it" in told
    assert "█" not in told
    assert main(["address", "--port", "1", "--png", str(tmp_path / "x.png")]) == 1
    assert "no address to draw" in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_told(in_the_house, capsys, tmp_path):
    assert main(["address", "--port", "1", "--png", str(tmp_path / "no" / "x.png")]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_any_free_port_is_no_address(capsys):
    assert main(["address", "--port", "0"]) == 2
    assert "give --port" in capsys.readouterr().err


def test_lines_for_people():
    assert in_words(THERE) == [
        "The page for phones:   http://192.168.1.20:8080/ or http://table.local:8080/",
        "On this machine:       http://localhost:8080/",
    ]
    shut = Addresses("http://127.0.0.1:8080/", why="Only this machine can open it.")
    assert in_words(shut)[1] == "Only this machine can open it."


def test_the_terminal_at_the_table_invites_with_the_code_behind_a_hash():
    assert invitation(THERE, "123456") == "http://192.168.1.20:8080/#code=123456"
    assert invitation(THERE, None) == "http://192.168.1.20:8080/"
    assert invitation(Addresses("http://localhost:8080/"), "123456") is None
