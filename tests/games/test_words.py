"""Every option has words for people: a label, and what each value is called."""

import pytest

from companion.games.catalogue import find_kit


@pytest.mark.parametrize("name", ["marbles", "mspacman", "cards"])
def test_every_option_and_each_of_its_values_has_words(name: str) -> None:
    kit = find_kit(name)
    assert list(kit.words) == list(kit.game.options)
    for option, values in kit.game.options.items():
        words = kit.words[option]
        assert words.label
        if set(values) != {"no", "yes"}:  # that is a sentence to agree to
            assert list(words.values) == list(values)
