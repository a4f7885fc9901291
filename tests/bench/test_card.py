"""The card of the eyes' net says what the shipped file does."""

import json

import pytest

from bench.eyes.ship import CARD, committed


@pytest.fixture(scope="module")
def card() -> dict:
    return json.loads(CARD.read_text(encoding="utf-8"))


def test_the_shipped_net_reads_the_photographs_here_as_its_card_says(card: dict) -> None:
    """Versions of OpenCV differ in the last digits, so one board in doubt may tip over."""
    told, found = card["committed"], committed()
    assert found["pictures"] == told["pictures"]
    assert abs(found["without error"] - told["without error"]) <= 1
    assert found["wrong"] <= told["wrong"]


def test_the_card_names_what_the_net_was_trained_on(card: dict) -> None:
    assert sum(card["trained on"].values()) > 1500
    assert min(card["trained on"].values()) > 500
    assert card["seeds"].keys() == card["trained on"].keys()


def test_what_the_net_is_sure_of_is_so(card: dict) -> None:
    """Calibrated: in every bin with enough answers, what it says is what is so."""
    for name, bins in card["reliability"].items():
        for said, was, count in bins:
            if count >= 200:
                assert abs(said - was) < 0.12, name
