"""The hooks of git: what they call is what ``make lint`` calls, and nothing is fetched for them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def values(key: str) -> list[str]:
    """Return what is said for a key in all hooks; enough of YAML for a file this plain."""
    return re.findall(rf"^\s*(?:- )?{key}: (.+)$", CONFIG, re.MULTILINE)


def test_the_hooks_are_our_own_and_need_no_environment_but_ours() -> None:
    assert values("repo") == ["local"]
    assert set(values("language")) == {"system"}
    assert len(values("language")) == len(values("entry")) == len(values("id"))
    assert len(set(values("id"))) == len(values("id"))


def test_the_programs_of_the_hooks_are_those_that_the_makefile_installs() -> None:
    for entry in values("entry"):
        program, *words = entry.split()
        folder, _, name = program.rpartition("/")
        assert folder == ".venv/bin"
        assert re.search(rf"\$\(BIN\)/{name}\b", MAKEFILE)
        assert all((ROOT / word).is_file() for word in words if "/" in word)


def test_what_the_linters_say_no_to_is_not_committed() -> None:
    linters = re.findall(r"^\t\$\(BIN\)/(ruff .+) \.$", MAKEFILE, re.MULTILINE)
    assert linters
    assert [f".venv/bin/{line}" for line in linters] == values("entry")[: len(linters)]
    assert ".venv/bin/mypy" in values("entry")
