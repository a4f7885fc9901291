"""The pages' scripts know no game: no names, no notation, no sentences about play."""

import re
from pathlib import Path

import pytest

from companion import web
from companion.games.catalogue import KITS
from tests.web.fake import BOARD

SCRIPTS = sorted((Path(web.__file__).parent / "static").glob("*.js"))

PIECES = {*BOARD.pieces, *(piece.title.lower() for piece in BOARD.pieces.values())}
GAMES = {*KITS, *(kit.title.lower() for kit in KITS.values())}  # some are everyday words

#: Regular expressions that read columns, rows or the letters of pieces.
NOTATION = re.compile(r"/[^/\n]*\[(?:a-[a-i]|[1-9]-[1-9]|[A-Z]{2,})[^/\n]*/")

#: Words of sentences about play, which the table writes.
PLAY = re.compile(r"’s turn|to move\b|caught|eaten|lives|\bwins\b|\bpasses\b|more things", re.I)


@pytest.fixture(params=SCRIPTS, ids=lambda path: path.stem)
def script(request):
    return request.param.read_text(encoding="utf-8")


def test_no_script_names_a_piece_or_a_game(script):
    words = set(re.findall(r"[a-z]+(?:-[a-z]+)*", script.lower()))
    assert not words & PIECES
    assert [game for game in GAMES if re.search(f"""["'`]{game}["'`]""", script.lower())] == []


def test_no_script_reads_notation(script):
    assert NOTATION.findall(script) == []


def test_no_script_writes_what_happens_in_a_game(script):
    code = "\n".join(line.split("//")[0] for line in script.splitlines())
    assert PLAY.findall(code) == []
