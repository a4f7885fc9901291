"""The referee's sentences: one text for the page, the log and the voice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.board import FENCE, PELLET, Change, Spot, Thing
from companion.games.game import Chance, Effect, Move, Outcome, Rolls, State, Tells
from companion.text import listed, sentence

#: What people call a thing: {"pacman": "Pac-Man"}
Titles = Mapping[Thing, str]


#: What to do when chance is to act, and the words for the result.
CHANCES = {
    "dice": ("Roll the dice", "The dice show"),
    "die": ("Roll the die", "The die shows"),
    "spinner": ("Spin the spinner", "The spinner shows"),
    "deck": ("Draw a card", "The card is"),
}


def chance_words(state: State) -> tuple[str, str]:
    """Return what to do while chance is to act, and the words for the result."""
    return CHANCES[state.chance if isinstance(state, Rolls) else "dice"]


def told(state: State, move: Move, names: Sequence[str]) -> str:
    """Return what a legal move does, in words."""
    if isinstance(state, Tells):
        return state.told(move, names)
    effect = state.effect(move)
    if isinstance(state.to_act, Chance):
        return f"{chance_words(state)[1]} {effect.rolled}"
    assert state.to_act is not None
    name = names[state.to_act]
    if effect.fence:
        return f"{name} put a fence on {effect.fence}"
    return f"{name} went to {effect.end}" if effect.path else f"{name} cannot move and passes"


def offered(effect: Effect, name: str, start: Spot | None) -> str:
    """Return what a move would do, as people say it: ``Blinky over e8 to e7``.

    ``name`` is that of the piece, ``start`` where it stands.
    """
    if effect.rolled:
        return effect.rolled
    if effect.note:
        walk = replace(effect, note="")
        return f"{offered(walk, name, start)}: {effect.note}" if effect.spots else effect.note
    if effect.thing == FENCE:
        return f"the fence on {effect.path[0]} to {effect.fence}"
    if effect.fence:
        how = "vertical" if effect.fence.endswith("v") else "horizontal"
        return f"a {how} fence on {effect.fence}"
    if not effect.path:
        return f"{name} {'stay' if name.endswith('s') else 'stays'}"
    *over, end = effect.path
    if end == start:
        return f"{name} out to {effect.path[0]} and back"
    return f"{name} over {', '.join(over)} to {end}" if over else f"{name} to {end}"


def turn(state: State, names: Sequence[str], outcome: Outcome | None = None) -> str:
    """Return whose turn it is, or how the game has ended, in words."""
    outcome = outcome or state.outcome()
    if outcome is not None:
        return ended(outcome, names)
    if isinstance(state, Tells):
        return f"{state.awaited(names)}."
    if isinstance(state.to_act, Chance):
        return f"{chance_words(state)[0]}."
    assert state.to_act is not None
    return f"{names[state.to_act]} to move."


def ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Return how the game ended, in words."""
    if not outcome.winners:
        return f"The game is drawn: {outcome.reason}."
    return f"{listed([names[seat] for seat in outcome.winners])} won: {outcome.reason}."


def instruction(change: Change, titles: Titles) -> str:
    """Return what to do with one thing, as one would say it at the table."""
    if change.thing in (FENCE, PELLET):
        one, this = f"a {change.thing}", f"the {change.thing}"
    else:
        one = this = titles.get(change.thing, change.thing)
    if change.source is None:
        return f"put {one} on {change.target}"
    if change.source == change.target:
        return f"push {this} to the middle of {change.target}"
    if change.target is not None:
        return f"move {this} from {change.source} to {change.target}"
    where = {FENCE: f"the fence on {change.source} off", PELLET: f"the pellet off {change.source}"}
    return f"take {where.get(change.thing, f'{this} off the board')}"


def instructions(changes: Sequence[Change], titles: Titles, most: int = 3) -> str:
    """Return a sentence that says what to do, the first few things only."""
    words = [instruction(change, titles) for change in changes[:most]]
    if len(changes) > most:
        words.append(f"{len(changes) - most} more")
    return sentence(listed(words))
