"""``companion replay RECORD``: checks a game record and shows it, move by move."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from companion.errors import RecordError
from companion.games.drawing import picture
from companion.games.game import Move, Seat, State
from companion.games.record import Record, parse


def add_arguments(parser: ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("record", metavar="RECORD", type=Path, help="a file with a game record")
    parser.add_argument("--json", action="store_true", help="one JSON object a move")
    parser.add_argument("--board", action="store_true", help="draw the board after each move")


def run(args: Namespace) -> int:
    """Print the game; a record that cannot be read or replayed is an error with its line."""
    try:
        text = args.record.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RecordError(
            f"cannot read {args.record}: {(error.strerror or str(error)).lower()}"
        ) from None
    except UnicodeDecodeError:
        raise RecordError(f"{args.record} is not a text in UTF-8") from None
    try:
        record = parse(text)
        states = record.replay()
    except RecordError as error:
        raise RecordError(f"{args.record}: {error}") from None
    for line in _as_json(record, states) if args.json else _as_text(record, states, args.board):
        print(line)
    return 0


def _as_text(record: Record, states: list[State], board: bool) -> Iterator[str]:
    names = _names(record, states[0].seats)
    options = ", ".join(f"{name} {value}" for name, value in record.options.items())
    yield f"{record.game} ({options})" if options else record.game
    for number, move, before, after in _plies(record, states):
        seat = before.to_act
        yield f"{number}. {names[seat] if isinstance(seat, Seat) else 'chance'}: {move}"
        if board:
            yield picture(after)
    yield _ending(record, states[-1], names)


def _as_json(record: Record, states: list[State]) -> Iterator[str]:
    for ply, (number, move, before, after) in enumerate(_plies(record, states), 1):
        seat = before.to_act
        yield json.dumps(
            {
                "ply": ply,
                "number": number,
                "player": seat + 1 if isinstance(seat, Seat) else None,
                "move": move,
                "position": dict(after.position()),
                "tallies": {name: list(counts) for name, counts in after.tallies().items()},
            }
        )
    yield json.dumps(
        {"game": record.game, "options": dict(record.options), "result": record.result}
    )


def _plies(record: Record, states: list[State]) -> Iterator[tuple[int, Move, State, State]]:
    """Return each move with its number and the states before and after it."""
    return zip(record.numbers(), record.moves, states, states[1:], strict=False)


def _ending(record: Record, last: State, names: list[str]) -> str:
    outcome = last.outcome()
    if outcome is None:
        return "draw by agreement" if record.result == "1/2" else "not finished"
    winners = " and ".join(names[seat] for seat in outcome.winners)
    return f"{winners} won: {outcome.reason}" if winners else f"draw: {outcome.reason}"


def _names(record: Record, seats: int) -> list[str]:
    return list(record.players) or [f"player {seat + 1}" for seat in range(seats)]
