"""How a device is doing, in words that a person at the table can act on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceView:
    """A device in words: ``state`` is ``ok``, ``trouble`` or ``off``; the text says what to do.

    One that is in trouble only ``partly`` still does its work elsewhere.
    """

    name: str
    state: str
    text: str
    partly: bool = False


def sentence(text: str) -> str:
    """Return a text with a capital at its start and a stop at its end."""
    end = "" if text[-1:] in ".?!" else "."
    return f"{text[:1].upper()}{text[1:]}{end}"
