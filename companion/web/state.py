"""Snapshots and boards as JSON: the contract of ``GET /api/state``, described in docs/http.md."""

from typing import Any

from companion.board import FENCE, PELLET, Board, Change, Piece
from companion.games.catalogue import find_kit
from companion.games.game import Choice, Seat, actor_json
from companion.service.snapshot import SeatView, Snapshot
from companion.web import words

Json = dict[str, Any]


def hex_colour(colour: tuple[int, int, int]) -> str:
    """Return red, green and blue as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def state_json(snapshot: Snapshot, board: Board) -> Json:
    """Return a snapshot as the page and other programs read it."""
    outcome, kit = snapshot.outcome, find_kit(snapshot.game)
    fences = snapshot.tallies.get("fences", (0,) * len(snapshot.seats))
    return {
        "number": snapshot.number,
        "game": snapshot.game,
        "title": kit.title,
        "rulebook": kit.rulebook,
        "entry": kit.entry,
        "beside": list(kit.others),
        "scenes": {name: scene.label for name, scene in kit.scenes.items()},
        "game_id": snapshot.game_id,
        "options": dict(snapshot.options),
        "seats": [
            _seat(number, snapshot, fences[number], board) for number in range(len(snapshot.seats))
        ],
        "to_act": actor_json(snapshot.to_act),
        "position": dict(snapshot.position),
        "tallies": {name: list(counts) for name, counts in snapshot.tallies.items()},
        "sight": {ghost: list(between) for ghost, between in snapshot.sight.items()},
        "seen": kit.seen,
        "moves": list(snapshot.moves),
        "legal": [choice.move for choice in snapshot.choices],
        "choices": [_choice(choice, snapshot, board) for choice in snapshot.choices],
        "chance": snapshot.chance,
        "unsaid": words.unsaid(snapshot, board),
        "tap": words.tap(snapshot, board),
        "keys": words.keys(snapshot, board),
        "history": words.history(snapshot),
        "last_changes": [_change(change) for change in snapshot.last_changes],
        "on_board": snapshot.on_board,
        "shown": dict(snapshot.shown),
        "story": list(snapshot.story),
        "described": words.described(snapshot, board),
        "coach": words.coach(snapshot),
        "guide": words.guide(snapshot, board),
        "banner": words.banner(snapshot, board),
        "verdict": _verdict(snapshot, board),
        "outcome": outcome
        and {
            "winners": list(outcome.winners),
            "reason": outcome.reason,
            "result": outcome.result(len(snapshot.seats)),
        },
        "devices": [
            {"name": device.name, "state": device.state, "text": device.text}
            for device in snapshot.devices
        ],
        "alerts": words.alerts(snapshot),
        "simulated": snapshot.simulated,
        "thinking": snapshot.thinking,
        "setting_up": snapshot.setting_up,
    }


def board_json(board: Board) -> Json:
    """Return what a page needs to draw a board: sizes in millimetres, colours, lights."""
    return {
        "name": board.name,
        "title": board.title,
        "columns": board.columns,
        "rows": board.rows,
        "cell": board.cell_mm,
        "groove": board.groove_mm,
        "board": board.board_mm,
        "frame": board.frame_mm,
        "colours": {name: hex_colour(colour) for name, colour in board.colours.items()},
        "fence": {
            "title": FENCE,
            "colour": hex_colour(board.fence.colour),
            "length": board.fence.length_mm,
            "thickness": board.fence.thickness_mm,
            "height": board.fence.height_mm,
            "count": board.fence.count,
        },
        "pieces": {name: _look(piece, piece.shape) for name, piece in board.pieces.items()},
        "pellet": board.pellet and _look(board.pellet, PELLET),
        "markers": {
            "size": board.marker_mm,
            "at": [[marker.x_mm, marker.y_mm] for marker in board.markers],
        },
        "lights": [
            {"name": name, "led": board.lights.names[name], "at": list(board.lights.at_mm[name])}
            for name in board.lights.names
        ],
    }


def _look(thing: Piece, shape: str) -> Json:
    return {
        "title": thing.title,
        "colour": hex_colour(thing.colour),
        "shape": shape,
        "diameter": thing.diameter_mm,
    }


def _seat(number: Seat, snapshot: Snapshot, fences: int, board: Board) -> Json:
    seat = snapshot.seats[number]
    piece = board.pieces.get(seat.piece)
    return {
        "name": seat.name,
        "note": words.seat_note(number, seat, snapshot),
        "piece": seat.piece,
        "title": piece.title if piece else _initial(seat) if snapshot.places else seat.piece,
        "shape": piece.shape if piece else "ghost" if snapshot.on_board else "card",
        "colour": hex_colour(seat.colour),
        "fences": fences,
        "level": seat.level,
        "meters": [
            {"tokens": [list(token) for token in m.tokens], "text": m.text, "note": m.note}
            for m in seat.meters
        ],
    }


def _initial(seat: SeatView) -> str:
    """Return what stands on the card that pictures a seat: a letter, or its number."""
    return seat.name.removeprefix("Player ")[:1]


def _choice(choice: Choice, snapshot: Snapshot, board: Board) -> Json:
    effect = choice.effect
    said: Json = {"move": choice.move, "text": words.choice_words(choice, snapshot, board)}
    if effect.thing:
        said |= {"thing": effect.thing, "path": list(effect.path)}
    said |= {"fence": effect.fence} if effect.fence else {}
    return said | ({"note": effect.note} if effect.note else {})


def _verdict(snapshot: Snapshot, board: Board) -> Json:
    verdict = snapshot.verdict
    return {
        "kind": verdict.kind.value,
        "text": verdict.text,
        "moves": list(verdict.moves),
        "rule": verdict.rule,
        "reason": verdict.reason,
        "changes": [_change(change) for change in verdict.changes],
        "repair": [
            {**_change(change), "text": words.repair_words(change, board)}
            for change in verdict.repair
        ],
        "places": list(verdict.places),
        "heading": words.heading(snapshot),
        "answers": words.answers(snapshot, board),
    }


def _change(change: Change) -> Json:
    return {"thing": change.thing, "source": change.source, "target": change.target}
