"""Recorded games: each folder of ``tests/recordings`` is refereed as it was at its table.

A bug seen at a real table arrives here first: as a folder that ``companion record`` has kept, with
the moves it should tell in its ``game.json``.
"""

import json
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.boards import profile
from companion.sensing.hall import wire
from companion.sensing.hall.evidence import feel
from companion.sensing.hall.session import Session
from companion.store.recordings import read_game, read_lines, serial_bytes

FOLDERS = sorted((Path(__file__).parent.parent / "recordings").iterdir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_recorded_game_is_refereed_as_it_was(folder, capsys):
    assert main(["watch", str(folder), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    played = read_game(folder)
    assert tuple(line["move"] for line in told if line["verdict"] == "accepted") == played.moves
    refused = [line for line in read_lines(folder / "decisions.jsonl") if "picture" in line]
    for line in refused:
        frame = int(line["picture"].removeprefix("frame_").removesuffix(".jpg"))
        said = [each["text"] for each in told if each["frame"] == frame]
        assert line["text"] in said


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_grid_of_a_recorded_game_feels_its_pieces(folder):
    if not (folder / "serial.jsonl").exists():
        pytest.skip("that table has no hall grid")
    lines = read_lines(folder / "serial.jsonl")
    sent = b"".join(bytes.fromhex(line["sent"]) for line in lines if "sent" in line)
    hello = next(m for m in wire.Decoder().feed(sent) if isinstance(m, wire.Hello))
    session, board = Session(0.0, first=hello.number), profile.load("reference")
    for now, data in serial_bytes(folder):
        session.receive(data, now)
        if now > 1.0:
            break
    state = session.take(now)
    felt = feel(state.values, board, state.rest)
    first = json.loads((folder / "frame_0000.json").read_text())
    for piece, square in first["pieces"].items():
        assert max(felt[square], key=felt[square].__getitem__) == piece
