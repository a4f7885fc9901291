"""The documents for people: what they tell to type works, where they point is something, and what
they say that the companion says it says."""

import importlib.util
import os
import re
import shlex
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.sim.faults import FAULTS
from companion.sim.stress import STRESSORS
from tests import doctext
from tests.docrun import (
    ONLY_CHECKED,
    as_example,
    is_run,
    lay_tools,
    problem,
    reason_not_to_run,
    run,
    service,
)
from tests.doctext import DOCUMENTS, ROOT, Command

ADDRESS = re.compile(r"http://(?:raspberrypi|NAME)\.local:\d+")

ALL = [command for path in DOCUMENTS for command in doctext.commands(path)]
TO_RUN = [c for c in ALL if not c.inline and is_run(c) and not reason_not_to_run(c)]
RUN = list({c.block if "curl " in c.text else c.text: c for c in TO_RUN}.values())


# --- commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.where)
def test_a_command_in_the_documents_is_one_that_there_is(command: Command) -> None:
    assert problem(command) == ""


def test_a_command_in_a_block_is_run_or_listed_with_its_reason() -> None:
    left = [
        f"{command.where}: {command.text}"
        for command in ALL
        if not command.inline and not reason_not_to_run(command) and not is_run(command)
    ]
    assert left == []


def test_every_reason_not_to_run_something_is_still_needed() -> None:
    texts = [c for c in ALL if reason_not_to_run(c)]
    unused = [first for first in ONLY_CHECKED if not any(c.text.startswith(first) for c in texts)]
    assert unused == []


def test_the_documents_have_commands_that_are_run() -> None:
    assert len(RUN) >= 12
    assert any(c.text.startswith("companion play") for c in RUN)


# --- running --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the documents speak of, and our programs on its path."""
    folder = tmp_path_factory.mktemp("desk")
    lay_tools(folder)
    shutil.copy(ROOT / "companion" / "boards" / "reference.toml", folder / "my-board.toml")
    shutil.copy(ROOT / "docs" / "pictures" / "camera.jpg", folder / "picture.jpg")
    (folder / "game.txt").write_text('[Game "quoridor"]\n\n1. e2 e8 2. e3h e7 *\n')
    (folder / "settings.toml").write_text('[lights]\npalette = "safe"\n')
    return folder


@pytest.mark.parametrize("command", RUN, ids=lambda command: command.where)
def test_a_command_in_the_documents_does_its_work(desk: Path, command: Command) -> None:
    if command.text.startswith("companion play"):
        with service(desk, " ".join(shlex.quote(as_example(word)) for word in command.words)):
            return
    if "curl " in command.text:  # a block of these is one talk with a companion
        if shutil.which("curl") is None and os.environ.get("CI") != "true":
            pytest.skip("no curl found: install Debian's package curl")
        with service(desk, "companion play quoridor --sim") as address:
            assert '"error"' not in run(desk, ADDRESS.sub(address, "\n".join(command.block)))
        return
    run(desk, command.text)


# --- links, pictures, files -----------------------------------------------------------------------


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_pictures_are_there(path: Path) -> None:
    assert doctext.broken_links(path) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_a_document_names_are_there(path: Path) -> None:
    prose = doctext.split(path.read_text(encoding="utf-8"))[1]
    named = re.findall(
        r"`((?:companion|docs|deploy|bench|firmware|hardware|tests)/[\w./-]+)`", prose
    )
    there = [name for name in named if "NAME" not in name]
    assert [name for name in there if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_faults_and_stressors_that_a_document_names_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    faults = set(re.findall(r"--fault ([a-z-]+)", text))
    stresses = set(re.findall(r"--stress ([a-z-]+):[1-5]", text))
    assert faults <= FAULTS.keys()
    assert stresses <= set(STRESSORS)


def test_the_readme_leads_to_every_document() -> None:
    readme = ROOT / "README.md"
    there = {(ROOT / target.partition("#")[0]).resolve() for _, target in doctext.links(readme)}
    left = [p.relative_to(ROOT).as_posix() for p in DOCUMENTS[1:] if p not in there]
    assert [name for name in left if name != "hardware/wiring.md"] == []


def test_contributing_says_what_lies_in_every_room() -> None:
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for row in doctext.rows(said) for name in re.findall(r"`([\w.]+)/?`", row[0])}
    parts = [
        path for path in (ROOT / "companion").iterdir() if not path.name.startswith(("_", "."))
    ]
    assert {path.name for path in parts if path.suffix in ("", ".py")} - named == set()


def test_the_figures_of_the_readme_are_those_of_their_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    rows = doctext.rows(readme.partition("## Figures")[2].partition("\n## ")[0])
    assert 5 <= len(rows) <= 10
    assert [
        row[:2] for row in rows if row[:2] not in [said[:2] for said in doctext.rows(page)]
    ] == []


def test_every_figure_has_the_command_that_repeats_it() -> None:
    page = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    assert [row for row in doctext.rows(page) if len(row) != 4 or not row[3]] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


# --- quotations -----------------------------------------------------------------------------------

QUOTING = [ROOT / "docs" / name for name in ("guide.md", "troubleshooting.md")]


@pytest.mark.parametrize("path", QUOTING, ids=lambda path: path.name)
def test_what_the_companion_is_quoted_with_it_says(path: Path) -> None:
    quotes = doctext.quotations(path.read_text(encoding="utf-8"))
    assert quotes
    assert [quote for quote in quotes if not doctext.is_said(quote)] == []


def test_every_fault_that_is_told_is_found_by_what_the_player_reads() -> None:
    lines = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8").splitlines()
    for name, fault in FAULTS.items():
        told = [line for line in lines if f"`{name}`" in line]
        assert told, f"{name} is not in docs/troubleshooting.md"
        assert any(fault.says.lower() in line.lower() for line in told), (
            f"no line with {name} quotes {fault.says!r}"
        )


# --- pictures -------------------------------------------------------------------------------------


def test_the_picture_of_the_way_is_what_the_code_draws() -> None:
    """When this fails, draw it anew: python docs/flow_picture.py."""
    spec = importlib.util.spec_from_file_location("flow_picture", ROOT / "docs" / "flow_picture.py")
    assert spec is not None
    assert spec.loader is not None
    flow = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(flow)
    assert flow.FILE.read_text(encoding="utf-8") == flow.draw()


def test_the_pictures_of_sheets_are_what_the_code_prints() -> None:
    """When this fails, draw them anew: python docs/print_pictures.py."""
    file = ROOT / "docs" / "print_pictures.py"
    spec = importlib.util.spec_from_file_location("print_pictures", file)
    assert spec is not None
    assert spec.loader is not None
    prints = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(prints)
    for name in prints.SHOWN:
        kept = cv2.imread(str(prints.PICTURES / f"{name}.png"))
        assert kept is not None, name
        drawn = prints.draw(name)
        assert kept.shape == drawn.shape, name
        # renderers smooth letters in their own ways
        assert np.abs(kept.astype(int) - drawn).mean() < 1.5, name
