"""The referee's sentences: one text for the page, the log and the voice."""

from collections.abc import Mapping, Sequence

from companion.board import FENCE, PELLET, Change, Thing, is_slot
from companion.rules.game import Move, Outcome, State, Tells

#: What people call a thing: {"pacman": "Pac-Man"}
Titles = Mapping[Thing, str]


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a person lists them: ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def sentence(words: str) -> str:
    """Return words as a sentence; the name of a square stays as it is written."""
    first = words[:1] if words[1:2].isdigit() else words[:1].upper()
    return f"{first}{words[1:]}."


def inside(name: str) -> str:
    """Return a name as it stands inside a sentence: ``the ghosts``, but ``Pac-Man``."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def played(name: str, move: Move) -> str:
    """Return what somebody did, in words."""
    if move == "pass":
        return f"{name} cannot move and passes"
    if is_slot(move):
        return f"{name} put a fence on {move}"
    return f"{name} went to {move}"


def told(state: State, move: Move, names: Sequence[str]) -> str:
    """Return what a legal move does, in words."""
    if isinstance(state, Tells):
        return state.told(move)
    assert state.to_act is not None
    return played(names[state.to_act], move)


def turn(state: State, names: Sequence[str]) -> str:
    """Return whose turn it is, in words."""
    if isinstance(state, Tells):
        return f"{state.awaited()}."
    assert state.to_act is not None
    return f"{names[state.to_act]} to move."


def ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Return how the game ended, in words."""
    if not outcome.winners:
        return f"The game is drawn: {outcome.reason}."
    return f"{listed([names[seat] for seat in outcome.winners])} won: {outcome.reason}."


def instruction(change: Change, titles: Titles) -> str:
    """Return what to do with one thing, as one would say it at the table."""
    if change.thing == FENCE:
        if change.target is None:
            return f"take the fence on {change.source} off"
        if change.source is None:
            return f"put a fence on {change.target}"
        return f"move the fence from {change.source} to {change.target}"
    if change.thing == PELLET:
        if change.target is None:
            return f"take the pellet off {change.source}"
        if change.source is None:
            return f"put a pellet on {change.target}"
        return f"move the pellet from {change.source} to {change.target}"
    title = titles.get(change.thing, change.thing)
    if change.source == change.target:
        return f"push {title} to the middle of {change.target}"
    if change.target is None:
        return f"take {title} off the board"
    if change.source is None:
        return f"put {title} on {change.target}"
    return f"move {title} from {change.source} to {change.target}"


def instructions(changes: Sequence[Change], titles: Titles, most: int = 3) -> str:
    """Return a sentence that says what to do, the first few things only."""
    words = [instruction(change, titles) for change in changes[:most]]
    if len(changes) > most:
        words.append(f"{len(changes) - most} more")
    return sentence(listed(words))
