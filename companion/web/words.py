"""The page's sentences about a snapshot: what is broken, what is to be done, what is asked.

The page shows them and writes none of its own, so every phone and the voice say the same.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from companion.board import FENCE, Board, Change, is_slot
from companion.device import DeviceView, sentence
from companion.referee.changes import next_change
from companion.referee.snapshot import SeatView, Snapshot
from companion.referee.verdict import Kind
from companion.referee.wording import inside, instruction
from companion.rules.game import Move
from companion.rules.layout import PACMAN
from companion.rules.pacman_ground import GHOST_OF, SORTED_GHOSTS

Json = dict[str, Any]

SENSORS = ("camera", "hall grid")

#: What stops the game comes first.
URGENT = ("player", "journal", *SENSORS)

HEADINGS = {
    Kind.WAITING: "Watching",
    Kind.ACCEPTED: "Accepted",
    Kind.UNSURE: "Which move was it?",
    Kind.NOT_ALLOWED: "Not allowed",
    Kind.HANDS: "Hand over the board",
    Kind.SET_UP: "Set the board up",
}

#: A board that is not set up lacks more than this; what a move that was taken back left is less.
FEW = 2

#: Where there is more to see.
MORE = {"camera": ("/camera", "Look at the camera")}

# --- devices ------------------------------------------------------------------------------------


def alerts(snapshot: Snapshot) -> list[Json]:
    """Return what is in trouble, the worst first: the sentence with its remedy, what that means
    for the game until then, whether the game hardly minds, and where to see more."""
    troubled = [view for view in snapshot.devices if view.state == "trouble"]
    troubled.sort(key=lambda view: URGENT.index(view.name) if view.name in URGENT else len(URGENT))
    return [_alert(view, snapshot) for view in troubled]


def _alert(view: DeviceView, snapshot: Snapshot) -> Json:
    more, words = MORE.get(view.name, ("", ""))
    return {
        "device": view.name,
        "text": sentence(view.text),
        "meanwhile": _meanwhile(view, snapshot),
        "minor": view.name not in URGENT,
        "more": more,
        "more_text": words,
    }


def _meanwhile(view: DeviceView, snapshot: Snapshot) -> str:
    """Return how the game goes on while a device is in trouble."""
    if view.name in SENSORS:
        return _watched_by(view, snapshot)
    return {
        "journal": "Until then no move counts: each must be on disk first.",
        "lights": "The game goes on without them.",
        "panel": "The page has buttons that do the same.",
        "player": "Until then it does not move.",
        "voice": "The game goes on without it.",
    }.get(view.name, "")


def _watched_by(view: DeviceView, snapshot: Snapshot) -> str:
    """Return what sees the board while a sensor is in trouble."""
    if is_blind(snapshot):
        return "Until then nothing sees the board: enter moves on the phone page."
    if view.name == "camera":
        only = "Until then pieces are only felt"
        fences = "fences" in snapshot.tallies
        return f"{only}: enter fences on the phone page." if fences else f"{only}."
    if any(other.name == "camera" and other.state == "ok" for other in snapshot.devices):
        return "The camera watches on."
    return "Until then enter moves on these squares on the phone page."


def is_blind(snapshot: Snapshot) -> bool:
    """Tell whether this table has sensors and none of them works."""
    sensors = [view for view in snapshot.devices if view.name in SENSORS]
    return bool(sensors) and all(v.state == "trouble" and not v.partly for v in sensors)


# --- whose turn, or what to do ------------------------------------------------------------------


def banner(snapshot: Snapshot, board: Board) -> Json:
    """Return the line on top of the page: what is to be done, else whose turn it is.

    ``piece`` is the one to picture beside it, ``thinking`` what it says while the companion thinks.
    """
    outcome = snapshot.outcome
    if outcome is not None:
        if not outcome.winners:
            return _line(None, "A draw", outcome.reason)
        winner = snapshot.seats[outcome.winners[0]]
        return _line(winner, f"{winner.name} {_verb(winner.name, 'win')}", outcome.reason)
    if snapshot.to_act is None:
        return _line(None, "Nobody to move", "")
    seat = snapshot.seats[snapshot.to_act]
    if snapshot.setting_up:
        return _line(seat, "Being set up", "moves count again when that is done")
    to_do = _to_do(snapshot, seat, board)
    if to_do:
        return to_do
    if snapshot.verdict.kind is Kind.UNSURE:
        return _line(seat, "A question", heading(snapshot))
    who = f"Player {snapshot.to_act + 1}" if seat.level is None else _level(seat)
    said = _line(seat, f"{_whose(seat.name)} turn", f"{who} · {_when(snapshot)}")
    said["thinking"] = f"{seat.name} {_verb(seat.name, 'think')}…"
    return said


def _to_do(snapshot: Snapshot, seat: SeatView, board: Board) -> Json | None:
    """Return what people are to put right before anybody moves; None when all is in its place."""
    repair = snapshot.verdict.repair
    if snapshot.verdict.kind is not Kind.SET_UP or not repair:
        return None
    after = f"then it is {_whose(inside(seat.name))} turn"
    if not snapshot.moves and len(repair) > FEW:
        return _line(seat, HEADINGS[Kind.SET_UP], after)
    change = next_change(repair)
    assert change is not None
    left = len(repair) - 1
    more = f"and {left} more {'thing' if left == 1 else 'things'}, " if left else ""
    said = _line(seat, _short(change, board), f"{more}{after}")
    if change.thing in board.pieces:
        said["piece"] = change.thing
    return said


def _short(change: Change, board: Board) -> str:
    """Return an instruction without where a piece comes from: the board shows that."""
    titles = {name: piece.title for name, piece in board.pieces.items()}
    moves = change.source and change.target and change.source != change.target
    if change.thing in titles and moves:
        return f"Move {titles[change.thing]} to {change.target}"
    words = instruction(change, titles)
    return words[:1].upper() + words[1:]


def _line(seat: SeatView | None, text: str, note: str) -> Json:
    return {"piece": seat.piece if seat else None, "text": text, "note": note, "thinking": ""}


def _when(snapshot: Snapshot) -> str:
    """Return the turn, or the round in games in which one seat moves several pieces."""
    if PACMAN not in {seat.piece for seat in snapshot.seats} or "fences" in snapshot.tallies:
        return f"turn {len(snapshot.moves) // len(snapshot.seats) + 1}"
    walks = sum(move[:1] not in GHOST_OF for move in snapshot.moves)
    return f"round {walks + (snapshot.to_act == 0)}"


def _level(seat: SeatView) -> str:
    return f"companion, level {seat.level}"


def _whose(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def _verb(name: str, word: str) -> str:
    return word if name.endswith("s") else f"{word}s"


# --- questions ----------------------------------------------------------------------------------


def heading(snapshot: Snapshot) -> str:
    """Return what stands over the referee's sentence."""
    kind = snapshot.verdict.kind
    if kind is Kind.WAITING and snapshot.outcome is not None:
        return "Game over"
    if kind is Kind.WAITING and is_blind(snapshot):
        return "Not watching"
    if kind is Kind.UNSURE and len(snapshot.verdict.moves) == 1:
        return "Was this the move?"
    return HEADINGS[kind]


def answers(snapshot: Snapshot, board: Board) -> list[Json]:
    """Return the answers to the referee's question: each with its move, the last with none."""
    verdict = snapshot.verdict
    if verdict.kind is not Kind.UNSURE or snapshot.to_act is None:
        return []
    name = snapshot.seats[snapshot.to_act].name
    titles = {piece.name: piece.title for piece in board.pieces.values()}
    moves = [(move, words_of(move, name, titles)) for move in verdict.moves]
    if len(moves) == 1:
        return [_answer(moves[0][0], "Yes", moves[0][1]), _answer("", "No", "")]
    choices = [_answer(move, str(n), words) for n, (move, words) in enumerate(moves, 1)]
    return [*choices, _answer("", "None of these", "")]


def _answer(move: Move, text: str, note: str) -> Json:
    return {"move": move, "text": text, "note": note}


def words_of(move: Move, name: str, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a move as people say it, ``Blinky over e8 to e7``.

    ``name`` is that of the seat that makes it, ``titles`` has what ghosts are called here.
    """
    if is_slot(move):
        return f"a {'vertical' if move.endswith('v') else 'horizontal'} {FENCE} on {move}"
    if move[:1] in GHOST_OF:
        ghost = SORTED_GHOSTS[GHOST_OF[move[0]]]
        name, move = titles.get(ghost, ghost.title()), move[1:]
    if move in ("pass", "="):
        return f"{name} {_verb(name, 'stay')}"
    *over, end = move.split("-")
    return f"{name} over {', '.join(over)} to {end}" if over else f"{name} to {end}"
