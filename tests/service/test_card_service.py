"""The card game in a process of its own: killed without warning, it goes on and tells nothing."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_for

#: Moves that name a card which went into a hand unseen.
SECRET = re.compile(r"(?:deal|pass):(?:dot|cherry|strawberry|orange|apple|melon)\b|pass:ghost")


class Service:
    """``companion play cards``; without hardware, so the table is simulated."""

    def __init__(self, data: Path, *more: str) -> None:
        command = [sys.executable, "-m", "companion", "play", "cards", "--port", "0"]
        with (data.parent / "log").open("a") as log:
            self.process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--data", str(data), *more],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.said: list[str] = []
        for line in self.process.stdout:
            self.said.append(line)
            if "Hand out the seats" in line:
                break
        self.url = next(s.split()[-1] for s in self.said if "The page:" in s).rstrip("/")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Phone:
    """A phone with its cookie, which it keeps over a restart of the service."""

    def __init__(self) -> None:
        self._jar = CookieJar()
        self._web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def get(self, url: str) -> Any:
        return json.load(self._web.open(url))

    def post(self, url: str, path: str, **body: object) -> Any:
        token = self.get(f"{url}/api/session")["token"]
        headers = {"Content-Type": "application/json", "X-CSRF-Token": token}
        request = urllib.request.Request(f"{url}{path}", json.dumps(body).encode(), headers)
        return json.load(self._web.open(request))


@pytest.fixture
def services(tmp_path: Path) -> Iterator[list[Service]]:
    running: list[Service] = []
    yield running
    for service in running:
        if service.process.poll() is None:
            service.kill()


def test_a_game_of_cards_survives_kill_and_tells_no_file_what_was_dealt(
    services: list[Service], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    service = Service(data, "--players", "3", "--seats", "person,person,2")
    services.append(service)
    host, phone = Phone(), Phone()
    host.post(service.url, "/api/seats/host")
    link = host.get(f"{service.url}/api/seats")["seats"][0]["link"]
    phone.post(service.url, "/api/hand/sit", key=link.partition("#")[2])
    for _ in range(3):
        hand = phone.get(f"{service.url}/api/hand")
        if hand["yours"] and "draw" in hand["said"]:
            phone.post(service.url, "/api/hand/play", move="draw", seen=hand["seen"])
    before = phone.get(f"{service.url}/api/hand")
    assert before["seen"] >= 2
    service.kill()
    again = Service(data)
    services.append(again)
    after = wait_for(lambda: phone.get(f"{again.url}/api/hand"))
    assert after["cards"] == before["cards"]
    assert after["seen"] == before["seen"]
    assert host.get(f"{again.url}/api/seats")["seats"][0]["state"] == "taken"
    with pytest.raises(urllib.error.HTTPError, match="403"):
        host.get(f"{again.url}/api/hand")
    with pytest.raises(urllib.error.HTTPError, match="409"):
        host.get(f"{again.url}/api/record")
    again.kill()
    kept = b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file()).decode("latin-1")
    said = "".join([*service.said, *again.said])
    assert not SECRET.search(kept + said)
    assert "#host=" not in said  # no key where others may read it later: this is no terminal
