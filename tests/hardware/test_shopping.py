"""The lists have all that the table is made of, and say what it costs."""

from dataclasses import replace

import pytest

from hardware import checks, plan, screws, shopping, tables

BUILD = plan.load()


def without(name):
    assert name in {line.name for line in BUILD.bought}
    return [line for line in BUILD.bought if line.name != name]


def test_the_lists_have_all_parts_of_the_circuit_and_all_screws():
    assert shopping.missing(BUILD.bought, BUILD.circuit) == []
    assert shopping.missing_screws(BUILD.bought, BUILD.board, BUILD.plan) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("16-way analog multiplexers", ["6 × CD74HC4067"]),
        ("DC jack with terminals", ["1 × DC jack"]),
        ("power switch", ["1 × power switch"]),
        ("Raspberry Pi with power supply", ["1 × Raspberry Pi"]),
        ("resistors 1 kΩ and 6.8 kΩ", ["2 × 1 kΩ", "3 × 6.8 kΩ"]),
        ("heat sink for TO-220", ["1 × heat sink"]),
    ],
)
def test_a_part_that_nobody_buys_is_found(name, said):
    assert sorted(shopping.missing(without(name), BUILD.circuit)) == sorted(said)


def test_a_bag_that_is_too_small_for_all_its_values_is_found():
    short = [
        replace(line, count=4) if line.name == "resistors 1 kΩ and 6.8 kΩ" else line
        for line in BUILD.bought
    ]
    assert shopping.missing(short, BUILD.circuit) == ["2 × 1 kΩ", "3 × 6.8 kΩ"]


def test_too_few_screws_are_found():
    """The old list had twenty, and all of them too long."""
    old = [
        replace(line, count=20) if line.name == "screws M3 × 8" else line for line in BUILD.bought
    ]
    found = shopping.missing_screws(old, BUILD.board, BUILD.plan)
    assert found == ["48 × M3 × 8 steel for the build 'lights', 20 listed"]


def test_a_screw_of_a_kind_that_nobody_lists_is_found():
    found = shopping.missing_screws(without("brass screws M3 × 8"), BUILD.board, BUILD.plan)
    assert found == ["36 × M3 × 8 brass for the build 'table', 0 listed"]


def test_the_lists_have_what_no_circuit_asks_for():
    names = {line.name for line in BUILD.bought}
    assert {"pin headers and sockets", "sockets", "diffuser", "felt"} <= names


def test_every_line_belongs_to_a_build_and_has_a_price():
    for line in BUILD.bought:
        assert line.build in shopping.BUILDS
        assert 0 < line.euros < 200
        assert line.count > 0
        assert "{" not in line.typical
    assert list(BUILD.listed["builds"]) == list(shopping.BUILDS)


def test_every_listed_screw_is_one_of_the_table():
    kinds = set(screws.counts(BUILD.board, BUILD.plan))
    assert {(line.build, line.screw) for line in BUILD.bought if line.screw} == kinds


def test_the_totals_are_the_sums_of_the_lines():
    running = 0
    for build in shopping.BUILDS:
        own = sum(line.euros for line in BUILD.bought if line.build == build)
        running += own
        assert shopping.euros(BUILD.bought, build) == (own, running)
        assert f"| **{own} €** |" in shopping.table(BUILD.bought, build)
        assert f"{running} €" in tables.builds(BUILD)
        assert f"{running} €" in tables.prices(BUILD)
    dearer = [replace(line, euros=line.euros + 1) for line in BUILD.bought]
    assert shopping.euros(dearer, "table")[1] == running + len(BUILD.bought)


def test_prices_say_what_they_are_and_of_when():
    prices = BUILD.listed["prices"]
    assert prices["currency"] == "€"
    assert prices["date"] in tables.builds(BUILD)
    assert "estimates" in tables.prices(BUILD)


def test_the_whole_build_keeps_every_rule():
    assert checks.faults(BUILD) == []


def test_a_build_that_breaks_rules_is_told_all_of_them():
    wrong = replace(BUILD, bought=without("power switch"), magnets=BUILD.magnets[:1])
    assert checks.faults(wrong) == ["not in the lists: 1 × power switch"]
