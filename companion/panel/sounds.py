"""What is heard at the table: which change of the table is worth a sound, and how it sounds."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.referee.verdict import Kind
from companion.service.snapshot import Snapshot

#: Notes one after the other: hertz (0 for a rest) and seconds.
Tune = tuple[tuple[float, float], ...]

#: What a small piezo disc makes audible: it resonates between 2 and 4 kHz, and below 1 kHz it moves
#: hardly any air.
LOWEST_HERTZ, HIGHEST_HERTZ = 1000.0, 4000.0

TUNES: Mapping[str, Tune] = MappingProxyType(
    {
        "accepted": ((2637, 0.08), (3520, 0.12)),
        "turn": ((2093, 0.10), (0, 0.05), (2093, 0.10)),
        "refused": ((1319, 0.18), (1047, 0.30)),
        "question": ((2093, 0.12), (2637, 0.12), (3136, 0.20)),
        "win": ((2093, 0.12), (2637, 0.12), (3136, 0.12), (3520, 0.40)),
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
    """Tell whether the companion's move now stands on the board and a person is next."""
    if before.verdict.kind is not Kind.SET_UP or after.verdict.kind is not Kind.WAITING:
        return False
    if after.acting is None or not after.moves or after.verdict.changes:
        return False
    plays = any(seat.level is not None for seat in after.seats)
    return plays and after.acting.level is None
