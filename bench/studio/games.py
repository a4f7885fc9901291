"""Games in one room: many frames of a board on which hands make the moves of a real game.

Each move has four frames: a hand comes, it carries, it has put down, and it is gone. What is to be
found in them stands in ``game.json``.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.studio.dice import Dice, Drawn
from bench.studio.hands import Hand, draw_hand
from bench.studio.pawns import Pawn, known_pawn, plain_pawns
from bench.studio.plan import Plan, plan_picture
from bench.studio.setting import Setting, Stand, scattered, stand_on
from bench.studio.staves import Stave, put
from bench.studio.themes import PAINTS
from companion.board import FENCE, PELLET, Board, Position, Spot, is_slot
from companion.games.catalogue import find_kit
from companion.games.game import Effect, Move, State
from companion.players.player import Limits

GAMES = ("quoridor", "pacman", "quoridor4")
MOVES = 12  # that are seen; at least ten
BEFORE = {"quoridor": (0, 16), "quoridor4": (0, 20), "pacman": (0, 10)}
FENCES_PUT = 0.15  # of the moves of people who like to build
LEVELS = (1, 2, 3)
SIDES = {2: "SN", 4: "SWNE"}
#: The room of a game: the reference board with all its markers in view, and nothing in the way.
ROOM: Mapping[str, Drawn] = {
    "build": "framed",
    "size": "reference",
    "markers": "corners",
    "rack": "none",
    "trouble": "none",
    "pawn set": "known",
    "pawns": "0",
    "fences": "none",
    "pellets": "none",
}


@dataclass(frozen=True)
class Frame:
    """One picture of a game, and what its truth says besides."""

    plan: Plan
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class GamePlan:
    """A game: its name, what ``game.json`` says, and its frames."""

    name: str
    facts: Mapping[str, Any]
    frames: tuple[Frame, ...]


def plan_game(reference: Board, seed: int, number: int) -> GamePlan:
    """Return a game by its number; the same seed and number always give the same."""
    game = GAMES[number % len(GAMES)]
    rng = random.Random(f"game/{seed}/{number}")
    view = {"view": rng.choice(("frame", "markers")), "focus": "sharp"}
    room = plan_picture(reference, seed, number, {**ROOM, **view})
    state, before = _opening(game, rng)
    played = _played(state, game, rng)
    seats = _seats(game, state, rng)
    table = _Table(room, seats, Dice(seed, number), rng)
    table.set_up(_named(state.position(), seats))
    name = f"studio_{seed}_{number:05d}"
    facts = {
        "game": game,
        "seats": list(seats) if game != "pacman" else ["pacman", "blinky"],
        "moves_before": before,
        "moves": [move for move, _, _ in played],
    }
    return GamePlan(name, facts, tuple(_frames(table, played, seats, number)))


def _opening(game: str, rng: random.Random) -> tuple[State, list[Move]]:
    """Return a position after some moves."""
    while True:
        state: State = find_kit(game).game.start({})
        wanted = rng.randint(*BEFORE[game])
        before = [move for move, _, _ in _moves(state, game, rng, wanted)]
        for move in before:
            state = state.play(move)
        if len(before) == wanted and _can_go_on(state, game):
            return state, before


def _can_go_on(state: State, game: str) -> bool:
    """Tell whether the game goes on for all the moves that are to be seen."""
    return any(len(_moves(state, game, random.Random(n), MOVES)) == MOVES for n in range(3))


def _played(state: State, game: str, rng: random.Random) -> list[tuple[Move, State, State]]:
    for _ in range(200):
        played = _moves(state, game, rng, MOVES)
        if len(played) == MOVES:
            return played
    raise RuntimeError(f"expected {MOVES} moves of {game}, found none")


def _moves(
    state: State, game: str, rng: random.Random, wanted: int
) -> list[tuple[Move, State, State]]:
    """Return moves, each with the state before and after; fewer when the game ends."""
    player = find_kit(game).player(rng.choice(LEVELS))
    found: list[tuple[Move, State, State]] = []
    while len(found) < wanted and state.to_act is not None:
        moves = [move for move in state.legal_moves() if _is_plain(state, move)]
        if not moves:
            break
        chosen = player.choose(state, rng, Limits())
        fences = [move for move in moves if is_slot(move)]
        if fences and rng.random() < FENCES_PUT:
            chosen = rng.choice(fences)
        elif chosen not in moves:
            chosen = rng.choice(moves)
        chosen = _first_alike(state, chosen)
        after = state.play(chosen)
        found.append((chosen, state, after))
        state = after
    return found


def _first_alike(state: State, move: Move) -> Move:
    """Return the first of the moves that leave the board like this one: how a pawn went there
    no picture shows."""
    board = state.play(move).position()
    return next(each for each in state.legal_moves() if state.play(each).position() == board)


def _is_plain(state: State, move: Move) -> bool:
    """Tell whether a move changes the board by itself, with one thing that goes and nothing that
    has to go back to where it began."""
    effect, after = state.effect(move), state.play(move)
    if after.to_act is None or not effect.spots:
        return False
    was, new = state.position(), after.position()
    came = {spot for spot, thing in new.items() if was.get(spot) != thing}
    return len(came) == 1


def _seats(game: str, state: State, rng: random.Random) -> tuple[str, ...]:
    """Return who plays which pawn, by the names of the five."""
    if game == "pacman":
        return tuple(PAINTS)
    return tuple(rng.sample(list(PAINTS), state.seats))


def _named(position: Position, seats: Sequence[str]) -> dict[Spot, str]:
    """Return a position with the pawns' own names."""
    names = {f"pawn{number}": name for number, name in enumerate(seats, 1)}
    return {spot: names.get(thing, thing) for spot, thing in position.items()}


class _Table:
    """The room with what stands on its board now; who moves what has hands of their own."""

    def __init__(self, room: Plan, seats: Sequence[str], dice: Dice, rng: random.Random) -> None:
        self.room, self.rng = room, rng
        board, theme = room.board, room.theme
        self.pawns: dict[str, Pawn] = {n: known_pawn(dice, board, theme, n) for n in seats}
        if "pacman" not in seats and rng.random() < 0.35:
            self.pawns = {p.name: p for p in plain_pawns(dice, board, theme, seats)}
        self.stands: dict[str, Stand] = {}
        self.fences: dict[Spot, Stave] = {}
        self.pellets: dict[Spot, tuple[float, float]] = {}
        colours = len(theme.fences)
        sides = SIDES[4 if len(seats) == 4 else 2]
        self.hands = [
            replace(draw_hand(dice, board, colours, ()), side=side, holds=None) for side in sides
        ]

    def set_up(self, position: Mapping[Spot, str], mover: int = 0) -> None:
        """Change what stands on the board; what stays is not touched."""
        board, rng = self.room.board, self.rng
        for spot, thing in position.items():
            if thing == FENCE:
                colour = mover % len(self.room.theme.fences)
                self.fences.setdefault(spot, put(rng, board, spot, colour))
            elif thing == PELLET:
                self.pellets.setdefault(spot, scattered(rng, board.at(spot), 1.0, 2.0))
            elif thing not in self.stands or self.stands[thing].square != spot:
                self.stands[thing] = stand_on(rng, board, self.pawns[thing], spot)
        things = set(position.values())
        self.stands = {name: s for name, s in self.stands.items() if name in things}
        self.fences = {s: f for s, f in self.fences.items() if position.get(s) == FENCE}
        self.pellets = {s: at for s, at in self.pellets.items() if position.get(s) == PELLET}

    def shot(self, number: int, hand: Hand | None = None, without: str = "") -> Plan:
        """Return the picture of the table as it is now; one thing may be in a hand instead."""
        setting = Setting(
            stands=tuple(s for name, s in self.stands.items() if name != without),
            fences=tuple(self.fences.values()),
            pellets=dict(self.pellets),
            pellet_mm=self.room.setting.pellet_mm,
        )
        exposure = self.room.exposure
        exposure = replace(exposure, brightness=exposure.brightness * self.rng.uniform(0.96, 1.04))
        return replace(
            self.room,
            setting=setting,
            exposure=exposure,
            hands=(hand,) if hand else (),
            troubles=("hand",) if hand else (),
            frame=number,
        )


def _frames(
    table: _Table, played: Sequence[tuple[Move, State, State]], seats: Sequence[str], game: int
) -> Iterator[Frame]:
    yield Frame(table.shot(0), _facts(game, 0, 0, True, "initial"))
    number = 0
    for ply, (move, state, after) in enumerate(played):
        effect = state.effect(move)
        mover = state.to_act if isinstance(state.to_act, int) else 0
        thing = _named({effect.end: effect.thing or FENCE}, seats)[effect.end]
        told = _told(move, effect, thing, table, seats, mover)
        hand = table.hands[mover % len(table.hands)]
        start = table.stands[thing].square if thing in table.stands else effect.end
        number += 1
        yield Frame(
            table.shot(number, _at(table, hand, start)),
            _facts(game, number, ply, False, "hand before move"),
        )
        number += 1
        colour = mover % len(table.room.theme.fences)
        holds = table.pawns.get(thing, colour)
        carrying = replace(_at(table, hand, effect.end), holds=holds, pose="grab")
        turn = 90.0 if effect.end[2:] == "v" else 0.0
        carrying = replace(carrying, turn_deg=turn + table.rng.uniform(-12, 12))
        yield Frame(
            table.shot(number, carrying, thing),
            _facts(game, number, ply, False, "carrying", told, _in_hand(thing, effect)),
        )
        number += 1
        table.set_up(_named(after.position(), seats), mover)
        yield Frame(
            table.shot(number, _at(table, hand, effect.end)),
            _facts(game, number, ply + 1, False, "hand after move", told),
        )
        number += 1
        yield Frame(table.shot(number), _facts(game, number, ply + 1, True, "settled", told))


def _at(table: _Table, hand: Hand, spot: Spot) -> Hand:
    """Return the hand over a spot, as people reach: never twice in the same place."""
    x, y = table.room.board.at(spot)
    rng = table.rng
    pose = rng.choice(("grab", "grab", "point", "open"))
    return replace(hand, x_mm=x + rng.uniform(-9, 9), y_mm=y + rng.uniform(-9, 9), pose=pose)


def _in_hand(thing: str, effect: Effect) -> str:
    return effect.fence if thing == FENCE else thing


def _told(
    move: Move, effect: Effect, thing: str, table: _Table, seats: Sequence[str], mover: int
) -> dict[str, Any]:
    if thing == FENCE:
        player = seats[mover % len(seats)]
        return {"type": "wall", "player": player, "wall": effect.fence, "text": move}
    start = table.stands[thing].square
    return {"type": "step", "player": thing, "from": start, "to": effect.end, "text": move}


def _facts(
    game: int,
    number: int,
    ply: int,
    settled: bool,
    note: str,
    move: Mapping[str, Any] | None = None,
    in_hand: str | None = None,
) -> dict[str, Any]:
    return {
        "settled": settled,
        "ply": ply,
        "move": move,
        "in_hand": in_hand,
        "note": note,
        "frame": number,
        "seq": game,
    }
