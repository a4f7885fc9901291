"""Words for people come out the same wherever they are made."""

import pytest

from companion.text import capital, counted, inside, listed, name_of, sentence, small


def test_a_sentence_has_a_capital_and_one_stop():
    assert sentence("the camera is gone") == "The camera is gone."
    assert sentence("Is it plugged in?") == "Is it plugged in?"
    assert sentence("") == ""


def test_the_name_of_a_square_stays_as_it_is_written():
    assert sentence("e5 is taken") == "e5 is taken."
    assert capital("put it on e5") == "Put it on e5"


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")],
)
def test_words_are_listed_as_a_person_does(words, said):
    assert listed(words, "or") == said


def test_one_thing_is_counted_in_a_word():
    assert [counted(n, "step") for n in (0, 1, 3)] == ["0 steps", "one step", "3 steps"]


def test_a_seat_goes_by_its_name_then_as_usual_then_by_its_number():
    assert name_of(("Ann",), 0, ("Pac-Man", "the ghosts")) == "Ann"
    assert name_of(("Ann",), 1, ("Pac-Man", "the ghosts")) == "the ghosts"
    assert name_of(("Ann",), 1) == "player 2"


def test_what_goes_on_within_a_sentence_has_no_capital():
    assert small("Roll the die") == "roll the die"


def test_an_article_is_small_inside_a_sentence():
    assert [inside("The ghosts"), inside("Pac-Man")] == ["the ghosts", "Pac-Man"]
