"""Words for people: numbers, lists, names and sentences, made the same way everywhere."""

from collections.abc import Sequence


def counted(number: int, one: str) -> str:
    """Return a number of things in words: ``one step``, ``3 steps``."""
    return f"one {one}" if number == 1 else f"{number} {one}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a person lists them: ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def name_of(names: Sequence[str], seat: int, usual: Sequence[str] = ()) -> str:
    """Return what a seat is called: by its name, else as usual, else by its number."""
    known = names if seat < len(names) else usual
    return known[seat] if seat < len(known) else f"player {seat + 1}"


def inside(name: str) -> str:
    """Return a name as it stands inside a sentence: ``the ghosts``, but ``Pac-Man``."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def capital(text: str) -> str:
    """Return a text with a capital at its start; the name of a square stays as it is written."""
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Return a text without the capital at its start, to go on within a sentence."""
    return text[:1].lower() + text[1:]


def sentence(text: str) -> str:
    """Return a text with a capital at its start and a stop at its end."""
    end = "" if text[-1:] in ".?!" else "."
    return f"{capital(text)}{end}"
