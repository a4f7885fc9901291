"""Does a board fit together? Compares sizes that make sense by themselves."""

from companion.board import Board
from companion.lights.strip import IDLE_MILLIAMPS

_FENCE_TOLERANCE_MM = 2.0
_QUIET_ZONE_MM = 5.0
_MAGNET_NOISES = 20  # two magnets are told apart although a piece stands off centre


def misfits(board: Board) -> list[str]:
    """Return where the sizes of a board contradict each other, a sentence each after its key."""
    found = []
    span = 2 * board.cell_mm + board.groove_mm
    if abs(board.fence.length_mm - span) > _FENCE_TOLERANCE_MM:
        found.append(
            f"fence.length_mm: expected two cells and a groove, {span:g} ± {_FENCE_TOLERANCE_MM:g},"
            f" got {board.fence.length_mm:g}"
        )
    if board.fence.thickness_mm > board.groove_mm:
        found.append(
            f"fence.thickness_mm: expected at most the groove's {board.groove_mm:g},"
            f" got {board.fence.thickness_mm:g}"
        )
    if board.board_mm < board.field_mm:
        found.append(
            f"geometry.board_mm: expected at least the field's {board.field_mm:g},"
            f" got {board.board_mm:g}"
        )
    if board.frame_mm < board.board_mm:
        found.append(
            f"geometry.frame_mm: expected at least the board's {board.board_mm:g},"
            f" got {board.frame_mm:g}"
        )
    for name, piece in board.pieces.items():
        if piece.diameter_mm > board.cell_mm:
            found.append(
                f"pieces.{name}.diameter_mm: expected at most the cell's {board.cell_mm:g},"
                f" got {piece.diameter_mm:g}"
            )
    return found + _magnet_misfits(board) + _marker_misfits(board) + _light_misfits(board)


def _magnet_misfits(board: Board) -> list[str]:
    hall = board.hall
    if not hall.channels:
        return []
    found = []
    magnets = [piece for piece in board.pieces.values() if piece.magnet]
    for number, piece in enumerate(magnets):
        if not 0 <= hall.rest + piece.magnet <= hall.full_scale:
            found.append(
                f"pieces.{piece.name}.magnet: expected {-hall.rest} to"
                f" {hall.full_scale - hall.rest}, which the converter can tell, got {piece.magnet}"
            )
        for other in magnets[:number]:
            if abs(piece.magnet - other.magnet) < _MAGNET_NOISES * hall.noise:
                found.append(
                    f"pieces.{piece.name}.magnet: expected {_MAGNET_NOISES * hall.noise:g} or more"
                    f" apart from {other.name}'s {other.magnet}, got {piece.magnet}"
                )
    return found


def _marker_misfits(board: Board) -> list[str]:
    found = []
    half, size = board.frame_mm / 2, board.marker_mm
    clear = board.field_mm / 2 + size / 2
    for number, marker in enumerate(board.markers):
        where = f"markers.at_mm[{number}].at"
        here = f"({marker.x_mm:g}, {marker.y_mm:g})"
        if max(abs(marker.x_mm), abs(marker.y_mm)) + size / 2 > half:
            found.append(f"{where}: expected the whole marker on the frame, got {here}")
        if max(abs(marker.x_mm), abs(marker.y_mm)) < clear:
            found.append(f"{where}: expected a marker beside the field, got {here}")
        for other in board.markers[:number]:
            apart = max(abs(marker.x_mm - other.x_mm), abs(marker.y_mm - other.y_mm))
            if apart < size + _QUIET_ZONE_MM:
                found.append(
                    f"{where}: expected {size + _QUIET_ZONE_MM:g} or more to marker {other.id},"
                    f" got {apart:g}"
                )
    return found


def _light_misfits(board: Board) -> list[str]:
    lights = board.lights
    found = []
    for name, (x, y) in lights.at_mm.items():
        if max(abs(x), abs(y)) > board.frame_mm / 2:
            found.append(f"lights.at_mm.{name}: expected a place on the frame, got ({x:g}, {y:g})")
    if lights.milliamps < lights.count * IDLE_MILLIAMPS:
        found.append(
            f"lights.milliamps: expected at least the {lights.count * IDLE_MILLIAMPS:g} that"
            f" {lights.count} dark LEDs draw, got {lights.milliamps}"
        )
    return found
