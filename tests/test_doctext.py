"""The reader of documents finds what they show, and the checks of it can fail."""

import pytest

from tests import docrun, doctext
from tests.doctext import ROOT, Command

PAGE = ROOT / "docs" / "page.md"

TEXT = """# A page

Call `companion doctor` or `companion lights map
--count 60`, look at `companion/boards` and `companion`.

```sh
companion look picture.jpg \\
    --json   # a comment
python -m bench faults
```

```console
$ companion boards
reference  Reference build
$ companion boards check my-board.toml
```

```json
{"companion play": "is no command here"}
```

    companion replay game.txt
    companion play --sim

    [camera]
    source = 0

1. A list:

       mpremote cp firmware/*.py : + reset

A line with “words that it says” and “Take back”.
"""


def test_commands_of_blocks_and_of_the_running_text_are_found_with_their_lines():
    found = [(c.where, c.text, c.inline) for c in doctext.commands(PAGE, TEXT)]
    assert found == [
        ("docs/page.md:3", "companion doctor", True),
        ("docs/page.md:3", "companion lights map --count 60", True),
        ("docs/page.md:7", "companion look picture.jpg --json   # a comment", False),
        ("docs/page.md:9", "python -m bench faults", False),
        ("docs/page.md:13", "companion boards", False),
        ("docs/page.md:15", "companion boards check my-board.toml", False),
        ("docs/page.md:22", "companion replay game.txt", False),
        ("docs/page.md:23", "companion play --sim", False),
        ("docs/page.md:30", "mpremote cp firmware/*.py : + reset", False),
    ]


def test_a_comment_is_no_word_of_a_command():
    look = doctext.commands(PAGE, TEXT)[2]
    assert look.words == ("companion", "look", "picture.jpg", "--json")


def test_a_fence_that_is_never_closed_is_told():
    with pytest.raises(AssertionError, match="of line 1 is never closed"):
        doctext.split("```sh\ncompanion boards\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("companion play --colour red", "unrecognized arguments"),
        ("companion play --sim --stress dragons:3", "stress"),
        ("companion play --sim --fault fire", "no fault 'fire'"),
        ("companion dance", "no command 'dance'"),
        ("companion lights juggle", "invalid choice"),
        ("companion replay", "required: RECORD"),
        ("companion watch SOURCE --jso", "unrecognized arguments"),
        ("sudo -u companion companion doctor --fast", "unrecognized arguments"),
        ("sudo deploy/install.sh --quickly", "no option --quickly"),
        ("sudo deploy/explode.sh", "there is no deploy/explode.sh"),
        ("make coffee", "coffee"),
        ("make play SUGAR=two", "no variable SUGAR"),
        ("python -m bench beauty", "bench has no 'beauty'"),
        ("python -m bench stress --plies many", "does not take 'stress --plies many'"),
        ("python docs/no_such.py", "there is no docs/no_such.py"),
        ("rm -rf here", "'rm' is no program"),
    ],
)
def test_a_wrong_command_is_told(text, complaint):
    assert complaint in docrun.problem(Command("page.md:1", text))


@pytest.mark.parametrize(
    "text",
    [
        "companion play [GAME]",
        "companion play --sim --fault NAME",
        "companion engine GAME",
        "companion boards draw my-board.toml --out my-board.svg",
        "sudo deploy/install.sh --wheels wheels",
        "deploy/install.sh --root FOLDER",
        "make play GAME=quoridor",
        "python -m bench stress --long",
        "python -m bench stress --plies 2000 --minutes 60",
        "sudo raspi-config nonint do_spi 0",
    ],
)
def test_a_right_command_is_not(text):
    assert docrun.problem(Command("page.md:1", text)) == ""


@pytest.mark.parametrize(
    ("text", "run", "listed"),
    [
        ("companion boards", True, False),
        ("companion calibrate", True, True),
        ("companion calibrate --sim", True, False),
        ("companion lights --sim", True, False),
        ("sudo deploy/install.sh", False, True),
        ("makeup --red", False, False),
        ("ls", False, True),
        ("telnet towel", False, False),
    ],
)
def test_what_is_neither_run_nor_listed_stands_out(text, run, listed):
    command = Command("page.md:1", text)
    assert docrun.is_run(command) == run
    assert bool(docrun.reason_not_to_run(command)) == listed


def test_a_command_that_fails_is_told(tmp_path):
    (tmp_path / "bin").mkdir()
    with pytest.raises(AssertionError, match="ended with 3 and said"):
        docrun.run(tmp_path, "echo no; exit 3")


def test_a_service_that_does_not_start_is_told(tmp_path):
    (tmp_path / "bin").mkdir()
    with (
        pytest.raises(AssertionError, match="said 'broken"),
        docrun.service(tmp_path, "echo broken; false"),
    ):
        pass


def test_links_that_lead_nowhere_are_told():
    text = (
        "# One thing\n## One thing\n## [lights]: `all` of them\n"
        "[a](config.md) [b](config.md#web) [c](#one-thing-1) [d](#lights-all-of-them)\n"
        '[w](https://example.org/x) ![p](pictures/page.png) <img src="pictures/page.png">\n'
        "[e](no-such.md) [f](config.md#no-such)\n"
        '[g](#two) <img src="pictures/no.png"> `[h](code.md)`\n'
    )
    assert doctext.broken_links(PAGE, text) == [
        "docs/page.md:6: there is no no-such.md",
        "docs/page.md:6: config.md has no heading for #no-such",
        "docs/page.md:7: page.md has no heading for #two",
        "docs/page.md:7: there is no pictures/no.png",
    ]


SAID = ("the camera gives … pictures: unplug it", "Take back", "It is …. Wait", "to put it right")


@pytest.mark.parametrize(
    "quote",
    [
        "The camera gives … pictures: unplug it.",
        "take back",
        "Take back.",
        "Take back. To put it right",
        "… pictures: unplug …",
    ],
)
def test_a_quotation_that_is_said_is_found(quote):
    assert doctext.is_said(quote, SAID)


@pytest.mark.parametrize(
    "quote", ["Take it back", "Unplug it … pictures", "…", ".", "Take back. No"]
)
def test_a_quotation_that_nobody_says_is_not(quote):
    assert not doctext.is_said(quote, SAID)


def test_quotations_are_those_between_marks_and_the_program_is_read():
    assert doctext.quotations(TEXT) == ["words that it says", "Take back"]
    assert not doctext.is_said("words that it says")
    assert doctext.is_said("The picture is black: take the cap off the lens, or switch a light on.")
    assert doctext.is_said("Sensors that are not believed: ….")


def test_the_rows_of_tables_are_read_without_their_headings():
    tables = "| what | how |\n|---|---:|\n| a | 1 |\n| b c | |\n\ntext\n\n| x |\n|---|\n| d |"
    assert doctext.rows(tables) == [["a", "1"], ["b c", ""], ["d"]]
