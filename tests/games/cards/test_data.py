"""Tables of cards: the one that comes along, and what is said of wrong ones."""

import json
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import ProfileError, UnknownBoard
from companion.games.cards.data import DECKS, FOLDER, load_deck, read_deck
from companion.games.cards.kinds import POWERS

GOOD = (FOLDER / "cards.toml").read_text(encoding="utf-8")


def test_each_level_has_54_cards_and_the_bonus_level_both() -> None:
    cards = load_deck("cards")
    assert [sum(cards.deck(level)) for level in ("1", "2", "bonus")] == [54, 54, 108]
    assert {card.role for card in cards.kinds if card.is_power} == set(POWERS)


def test_what_is_invented_says_so() -> None:
    assert load_deck("cards").provenance["cards"].startswith("stand-in: ")


def test_level_2_has_more_ghosts() -> None:
    cards = load_deck("cards")
    ghost = [card.name for card in cards.kinds].index("ghost")
    assert cards.deck("1")[ghost] < cards.deck("2")[ghost]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("level1 = 20", "level1 = 21", "cards.*.level1: expected 54 cards in all, got '55'"),
        ("level1 = 20", "level1 = -1", "cards.dot.level1: expected a whole number of 0 or more"),
        ("level1 = 20", "levle1 = 20", "cards.dot.levle1: unknown key, the nearest known one is"),
        ('role = "swap"', 'role = "swop"', "cards.swap.role: expected one of 'dot', 'fruit'"),
        (
            'role = "ghost"',
            'role = "dot"',
            "cards.*.role: expected exactly one card with the role 'ghost', got ''",
        ),
        ("[cards.dot]", "[cards.Dot]", "cards.Dot: expected a name of lower-case letters"),
        (
            'role = "skip"',
            'role = "skip"\npoints = 3',
            "cards.skip.points: expected none on a card with the role 'skip', got 3",
        ),
        ('title = "PAC-dot"\n', "", "cards.dot.title: expected some text, got nothing"),
        ('confidence = "stand-in"', 'confidence = "sure"', "provenance.cards.confidence: expected"),
        ("[deck]", "[dekc]", "deck: expected a table, got nothing"),
        ('kind = "deck"', 'kind = "dock"', "kind: expected one of 'deck', got 'dock'"),
        ("[deck]", "[deck", "expected TOML: line"),
    ],
)
def test_a_wrong_table_says_where_and_what(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    path = tmp_path / "cards.toml"
    path.write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    problems = read_deck(path)[1]
    assert any(line.startswith(f"{path}: {message}") for line in problems), problems
    with pytest.raises(ProfileError):
        load_deck(path)


def test_a_deck_that_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownBoard, match="unknown deck 'nope'"):
        load_deck("nope")


def test_a_kind_tells_the_facts_of_a_deck() -> None:
    cards = DECKS.load(FOLDER / "cards.toml")
    facts = DECKS.facts(cards)
    assert (DECKS.name, facts["name"]) == ("deck", "cards")
    assert facts["cards"]["ghost"]["role"] == "ghost"
    assert sum(card["levels"][0] for card in facts["cards"].values()) == 54
    assert facts["provenance"] == dict(cards.provenance)
    assert DECKS.size(cards) == "deck of 13 kinds of cards; 54 in level 1, 54 in level 2"
    assert DECKS.check(FOLDER / "cards.toml") == []


def test_boards_lists_checks_and_draws_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "--json"]) == 0
    facts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (deck,) = [fact for fact in facts if fact["kind"] == "deck"]
    assert deck["cards"]["orange"] == {
        "title": "orange",
        "role": "fruit",
        "points": 5,
        "levels": [3, 4],
    }
    assert main(["boards", "check", "cards"]) == 0
    assert main(["boards", "draw", "cards"]) == 0
    assert "in all                           54       54" in capsys.readouterr().out
    assert main(["boards", "draw", "cards", "--out", "cards.svg"]) == 1
    assert "drawn as text only" in capsys.readouterr().err
