"""What is heard at the table: which change of the table is worth a sound, and how it sounds."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.referee.snapshot import Snapshot
from companion.referee.verdict import Kind

#: Notes one after the other: hertz (0 for a rest) and seconds. All of them lie between A3 and A5,
#: which is what a small piezo buzzer can do.
Tune = tuple[tuple[float, float], ...]

TUNES: Mapping[str, Tune] = MappingProxyType(
    {
        "accepted": ((660, 0.08), (880, 0.12)),
        "turn": ((523, 0.10), (0, 0.05), (523, 0.10)),
        "refused": ((330, 0.18), (247, 0.30)),
        "question": ((523, 0.12), (659, 0.12), (784, 0.20)),
        "win": ((523, 0.12), (659, 0.12), (784, 0.12), (880, 0.40)),
    }
)

_RAISED = {Kind.NOT_ALLOWED: "refused", Kind.UNSURE: "question"}


def heard(before: Snapshot, after: Snapshot) -> str | None:
    """Return the name of the sound for what happened between two snapshots, None for silence."""
    if before.game_id != after.game_id:
        return None
    if after.outcome is not None and before.outcome is None:
        return "win"
    kind = after.verdict.kind
    if kind in _RAISED and before.verdict.kind is not kind:
        return _RAISED[kind]
    if _is_led_back(before, after):
        return "turn"
    if len(after.moves) > len(before.moves) and kind is Kind.ACCEPTED:
        return "accepted"
    return None


def _is_led_back(before: Snapshot, after: Snapshot) -> bool:
    """Tell whether the companion's move now stands on the board and a person is to go on."""
    if before.verdict.kind is not Kind.SET_UP or after.verdict.kind is not Kind.WAITING:
        return False
    if after.to_act is None or not after.moves or after.verdict.changes:
        return False
    plays = any(seat.level is not None for seat in after.seats)
    return plays and after.seats[after.to_act].level is None
