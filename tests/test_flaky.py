"""The list of tests that passed only at the second try: complete, true, and nothing on it twice."""

from datetime import date

import pytest

from tests.flaky import LIST, Flaky, problems, read, told

HERE = "tests/test_flaky.py::test_the_list_is_in_order"
ENTRY = '[[flaky]]\ntest = "{test}"\nseen = {seen}\nreason = "{reason}"\n'


def listed(test: str = HERE, seen: str = "2026-11-18", reason: str = "a busy port") -> list[Flaky]:
    return read(ENTRY.format(test=test, seen=seen, reason=reason))


def test_the_list_is_in_order() -> None:
    assert list(problems(read(LIST.read_text(encoding="utf-8")))) == []


def test_the_example_in_the_list_is_one_that_can_be_taken_over() -> None:
    lines = LIST.read_text(encoding="utf-8").partition("#\n# [[flaky]]")[2].splitlines()
    example = "\n".join(["[[flaky]]", *(line.removeprefix("# ") for line in lines[1:4])])
    assert len(read(example)) == 1


def test_an_entry_has_a_test_a_day_and_a_reason() -> None:
    assert listed() == [Flaky(HERE, date(2026, 11, 18), "a busy port")]
    assert listed(seen='"2026-11-18"') == listed()


@pytest.mark.parametrize("entry", [{"reason": " "}, {"seen": '"last week"'}, {"seen": "18"}])
def test_an_entry_without_a_day_or_a_reason_is_refused(entry: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="expected"):
        listed(**entry)


@pytest.mark.parametrize("line", ['test = "tests/x.py::test_x"', "seen = 2026-11-18"])
def test_an_entry_must_be_complete(line: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read(f"[[flaky]]\n{line}")


@pytest.mark.parametrize(
    "test",
    [
        "tests/test_nowhere.py::test_x",
        "tests/test_flaky.py::test_of_which_nothing_is_known",
        "tests/test_flaky.py::HERE",
        "tests/test_flaky.py",
    ],
)
def test_a_test_that_there_is_not_is_named(test: str) -> None:
    assert list(problems(listed(test))) == [f"{test}: there is no such test"]


def test_a_test_listed_twice_is_to_be_mended() -> None:
    again = [*listed(f"{HERE}[one]"), *listed(f"{HERE}[other]", "2026-11-19", "the same port")]
    assert list(problems(again)) == [f"{HERE} is listed twice: mend it"]


def test_a_known_test_is_told_with_its_reason_and_another_is_new() -> None:
    assert told(f"{HERE} (make test)", listed()) == (
        f"{HERE} (make test), known since 2026-11-18: a busy port"
    )
    assert "known" in told(f"{HERE}[a way (of many)] (make test)", listed())
    assert told(f"{HERE}[one]", listed(f"{HERE}[other]")) == (
        f"{HERE}[one], new: add to tests/flaky.toml"
    )
