"""What the build guide has people type is there: commands, options and settings."""

import re

import pytest

from companion import config
from companion.__main__ import main
from hardware import made, plan

BUILD = plan.load()
GUIDE = made.TOP / "docs/build.md"
TEXT = {page: page.read_text(encoding="utf-8") for page in made.PAGES}
TYPED = sorted(
    {
        typed.strip()
        for text in TEXT.values()
        for typed in re.findall(
            r"`(companion [a-z][^`\n]*)`|^    (?:sudo -u companion )?(companion [a-z].*)$",
            text,
            re.M,
        )
        for typed in typed
        if typed
    }
)


def help_of(words, capsys):
    with pytest.raises(SystemExit) as end:
        main([*words, "--help"])
    assert end.value.code == 0
    return capsys.readouterr().out


def test_the_guide_has_commands_to_type():
    assert len(TYPED) > 8


@pytest.mark.parametrize("typed", TYPED)
def test_a_command_of_the_guide_is_there_with_its_options(typed, capsys):
    _, command, *rest = typed.split()
    action = [rest[0]] if rest and rest[0] in ("print", "check", "draw") else []
    said = help_of([command, *action], capsys)
    for option in re.findall(r"--[a-z]+", typed):
        assert option in said
    if rest[:1] == ["map"]:
        assert "map" in said


def test_the_settings_of_the_guide_are_settings(tmp_path):
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", TEXT[GUIDE], re.M)
    sections = [block for block in blocks if block.lstrip().startswith("[")]
    assert len(sections) == 4
    file = tmp_path / "companion.toml"
    file.write_text("".join(line.strip() + "\n" for line in "\n".join(sections).splitlines()))
    said = config.load(file)
    assert (said.camera.source, said.lights.driver, said.panel.driver) == ("pi", "spi", "gpio")
    assert said.hall.port == "/dev/companion-grid"


def test_every_step_ends_with_a_check():
    steps = re.split(r"^### ", TEXT[GUIDE], flags=re.M)[1:]
    assert [int(step.split(".")[0]) for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert "**Check** —" in step, step.splitlines()[0]


def test_figures_in_the_words_of_the_guide_are_those_of_the_board():
    board, text = BUILD.board, TEXT[GUIDE]
    assert f"{board.cell_mm:g}, {board.groove_mm:g} and {board.board_mm:g} mm" in text
    west, east = (marker.x_mm for marker in board.markers[:2])
    assert f"along a side: {east - west:g} mm" in text
    assert f"black square {board.marker_mm:g} mm wide" in text
    assert f"Cut {board.lights.count} single LEDs" in text
    counts = [
        part["count"] for part in BUILD.plan["prints"] if part["name"].startswith("frame-side")
    ]
    assert sum(counts) == 12
    assert "twelve sides" in text
