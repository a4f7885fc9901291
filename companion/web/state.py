"""Snapshots and boards as JSON: the contract of ``GET /api/state``, described in docs/http.md."""

from collections.abc import Iterable
from typing import Any

from companion.board import Board, Change
from companion.referee.snapshot import SeatView, Snapshot
from companion.referee.verdict import Verdict
from companion.web import words

Json = dict[str, Any]


def hex_colour(colour: tuple[int, int, int]) -> str:
    """Return red, green and blue as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def state_json(snapshot: Snapshot, board: Board) -> Json:
    """Return a snapshot as the page and other programs read it."""
    outcome = snapshot.outcome
    return {
        "number": snapshot.number,
        "game": snapshot.game,
        "game_id": snapshot.game_id,
        "options": dict(snapshot.options),
        "seats": [_seat(seat, board) for seat in snapshot.seats],
        "to_act": snapshot.to_act,
        "position": dict(snapshot.position),
        "tallies": {name: list(counts) for name, counts in snapshot.tallies.items()},
        "sight": {ghost: list(between) for ghost, between in snapshot.sight.items()},
        "moves": list(snapshot.moves),
        "legal": list(snapshot.legal),
        "last_changes": _changes(snapshot.last_changes),
        "banner": words.banner(snapshot, board),
        "verdict": {
            **_verdict(snapshot.verdict),
            "heading": words.heading(snapshot),
            "answers": words.answers(snapshot, board),
        },
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
            "colour": hex_colour(board.fence.colour),
            "length": board.fence.length_mm,
            "thickness": board.fence.thickness_mm,
            "height": board.fence.height_mm,
            "count": board.fence.count,
        },
        "pieces": {
            name: {
                "title": piece.title,
                "colour": hex_colour(piece.colour),
                "shape": piece.shape,
                "diameter": piece.diameter_mm,
            }
            for name, piece in board.pieces.items()
        },
        "pellet": board.pellet
        and {
            "title": board.pellet.title,
            "colour": hex_colour(board.pellet.colour),
            "shape": "pellet",
            "diameter": board.pellet.diameter_mm,
        },
        "markers": {
            "size": board.marker_mm,
            "at": [[marker.x_mm, marker.y_mm] for marker in board.markers],
        },
        "lights": [
            {"name": name, "led": board.lights.names[name], "at": list(board.lights.at_mm[name])}
            for name in board.lights.names
        ],
    }


def _seat(seat: SeatView, board: Board) -> Json:
    piece = board.pieces.get(seat.piece)
    return {
        "name": seat.name,
        "piece": seat.piece,
        "title": piece.title if piece else seat.piece,
        "shape": piece.shape if piece else "ghost",
        "colour": hex_colour(seat.colour),
        "fences": seat.fences,
        "level": seat.level,
    }


def _verdict(verdict: Verdict) -> Json:
    return {
        "kind": verdict.kind.value,
        "text": verdict.text,
        "moves": list(verdict.moves),
        "rule": verdict.rule,
        "reason": verdict.reason,
        "changes": _changes(verdict.changes),
        "repair": _changes(verdict.repair),
        "places": list(verdict.places),
    }


def _changes(changes: Iterable[Change]) -> list[Json]:
    return [
        {"thing": change.thing, "source": change.source, "target": change.target}
        for change in changes
    ]
