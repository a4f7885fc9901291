"""What is dealt in a game of hidden hands, how the journal keeps it, what each seat sees of it."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from companion.games.catalogue import find_kit
from companion.games.game import CHANCE, Hides, Move, Seat, State, leave_to_chance
from companion.referee.handtable import HandTable
from companion.service.places import Places
from companion.service.snapshot import Private, Snapshot
from companion.store.seal import Seal


def with_cards(state: State, move: Move, rng: Random) -> list[Move]:
    """Return a legal move and what the deck makes of it, up to the next decision."""
    moves, state = [move], state.play(move)
    while state.to_act is CHANCE:
        moves.append(leave_to_chance(state, rng))
        state = state.play(moves[-1])
    return moves


def sealed(state: State, moves: Sequence[Move], seal: Seal | None) -> list[Move]:
    """Return legal moves as the journal keeps them: what nobody may read of them is sealed."""
    kept = []
    for move in moves:
        hides = isinstance(state, Hides) and state.opened(move) != move
        kept.append(seal.sealed(move) if seal and hides else move)
        state = state.play(move)
    return kept


def opened(moves: Iterable[Move], seal: Seal | None) -> list[Move]:
    """Return moves of the journal as they were played; JournalError where the key is another."""
    return [seal.opened(move) if seal else move for move in moves]


def look_into_hands(
    table: HandTable, snapshot: Snapshot, places: Places, levels: Mapping[Seat, int]
) -> Private:
    """Return what each seat alone sees beside a snapshot."""
    kit, state, names = find_kit(table.game.name), table.state, table.company.names
    assert kit.hands is not None
    seats = range(state.seats)
    return Private(
        snapshot.game_id,
        snapshot.number,
        len(table.moves),
        table.outcome() is not None,
        places,
        tuple(levels.get(seat) for seat in seats),
        tuple(kit.hands.hand(state, seat, names) for seat in seats),
    )
