"""A table for the page to talk to: real rules, no sensors; a test says what the referee says."""

import threading
from concurrent.futures import Future
from random import Random
from typing import Any

from companion.board import Change, DeviceView
from companion.boards import profile
from companion.errors import CompanionError, IllegalMove
from companion.games.catalogue import find_kit
from companion.games.game import CHANCE, Outcome, Sighted, Spoken, State, TellsTurns
from companion.players.player import Limits
from companion.referee.changes import compare
from companion.referee.explain import Expectation
from companion.referee.verdict import Kind, Verdict
from companion.referee.wording import told
from companion.sensing.corners import Corners
from companion.service.requests import (
    AgreeDraw,
    Answer,
    Command,
    EnterMove,
    Hint,
    Hinted,
    LookAgain,
    NewGame,
    Reply,
    Roll,
    TakeBack,
    UseCorners,
)
from companion.service.seating import seat
from companion.service.snapshot import SeatView, Snapshot
from companion.sim.faults import Faults
from companion.web import Hub, state_json

BOARD = profile.load("reference")
PIECES = ("pacman", "blinky", "pinky", "inky")
_DAWDLING = ("d9", "c9", "b9", "a9", "b9", "a9", "b9")
PACMAN_WINS = [move for n, other in enumerate(_DAWDLING) for move in (f"e{n + 2}", other)] + ["e9"]


class FakeTable:
    """Plays every command at once and publishes what follows."""

    def __init__(self, hub: Hub, game: str = "quoridor", simulated: bool = False) -> None:
        self.hub = hub
        self.simulated = simulated
        self.commands: list[Command] = []
        self.number = 0
        self.game_id = 0
        self.outline: dict[str, Any] = {
            "found": True,
            "text": "",
            "by": "markers",
            "size": [1296, 972],
            "corners": [[342, 780], [884, 804], [896, 273], [377, 251]],
            "given": False,
            "lines": [[[342, 780], [377, 251]], [[342, 780], [884, 804]]] * 10,
            "markers": {"seen": [0, 1, 2, 3], "needed": 3, "fitted": 4},
        }
        self.devices: dict[str, DeviceView] = {}
        for view in (
            DeviceView("camera", "ok", "The camera sees the whole board."),
            DeviceView("hall grid", "ok", "The hall grid feels the board."),
            DeviceView("lights", "off", "Not configured."),
        ):
            self.devices[view.name] = view
        self.begin(NewGame(game))

    def device(self, name: str, state: str, text: str) -> None:
        """Publish how a device is doing."""
        self.devices[name] = DeviceView(name, state, text)
        self.show()

    def begin(self, wanted: NewGame) -> None:
        self.kit = find_kit(wanted.game)
        self.game = self.kit.game
        self.options = dict(wanted.options)
        usual = PIECES[: self.game.seats] if self.kit.chooses_pieces else ()
        self.company = seat(BOARD, wanted.pieces or usual, self.kit)
        self.pieces, self.names = self.company.pieces, self.company.names
        self.levels = dict(wanted.levels)
        self.thinking = False
        self.chance = ""  # what to do, when a test lets chance act
        self.states: list[State] = [self.game.start(self.options)]
        self.moves: list[str] = []
        self.drawn = False
        self.last: tuple[Change, ...] = ()
        self.game_id += 1
        self.say(Kind.WAITING, "Pac-Man to move.")

    def post(self, command: Command) -> "Future[Reply]":
        self.commands.append(command)
        answer: Future[Reply] = Future()
        try:
            answer.set_result(self.obey(command))
        except CompanionError as error:
            answer.set_exception(error)
        return answer

    def obey(self, command: Command) -> Reply:
        match command:
            case NewGame():
                self.begin(command)
                return "A new game."
            case TakeBack():
                if not self.moves:
                    raise CompanionError("there is no move to take back")
                self.states.pop()
                self.last = ()
                self.moves.pop()
                self.say(Kind.WAITING, "Somebody to move.")
                return "Taken back: Pac-Man went to e2."
            case EnterMove(move=move) | Answer(move=move) if move:
                return self.play(move)
            case EnterMove(effect=effect):
                return self.play(self.kit.write(effect))
            case Roll():
                if not self.chance:
                    raise CompanionError("nothing is to be rolled or drawn now")
                self.chance = ""
                self.say(Kind.WAITING, "The dice show 4.")
                return "The dice show 4."
            case AgreeDraw():
                self.drawn = True
                self.say(Kind.WAITING, "The game is drawn.")
                return "The game is drawn."
            case Hint():
                return self.hint()
            case UseCorners(corners=corners):
                self.use_corners(corners)
                return "The corners are kept." if corners else "The corners are forgotten."
            case Answer() | LookAgain():
                self.say(Kind.WAITING, "The board stands as the game has it.")
                return "Looking again."
        raise CompanionError(f"expected a command, got {command!r}")

    def hint(self) -> Hinted:
        kit, state = find_kit(self.game.name), self.states[-1]
        move = kit.player(3).choose(state, Random(1), Limits(nodes=40))
        return Hinted(move, kit.reason(state, move, self.names))

    def use_corners(self, corners: Corners | None) -> None:
        self.outline |= {"given": corners is not None, "by": "corners" if corners else "markers"}
        if corners:
            self.outline["corners"] = [list(point) for point in corners.points]

    def play(self, *moves: str) -> str:
        for move in moves:
            state = self.states[-1]
            refusal = state.why_not(move, self.names)
            if refusal:
                raise IllegalMove(refusal.text)
            said, before = f"{told(state, move, self.names)}.", self.position()
            self.states.append(state.play(move))
            self.moves.append(move)
            self.last = compare(before, self.position())
        self.say(Kind.ACCEPTED, said, moves=moves[-1:])
        return said

    def position(self) -> dict[str, str]:
        return {
            spot: self.pieces[int(thing[4:]) - 1] if thing.startswith("pawn") else thing
            for spot, thing in self.states[-1].position().items()
        }

    def say(self, kind: Kind, text: str, **more: Any) -> None:
        """Publish the table with this verdict."""
        self.verdict = Verdict(kind, text, **more)
        self.show()

    def show(self) -> None:
        self.number += 1
        self.hub.publish("state", state_json(self.snapshot(), BOARD))

    def snapshot(self) -> Snapshot:
        state = self.states[-1]
        outcome = Outcome((), "the players agreed") if self.drawn else state.outcome()
        return Snapshot(
            number=self.number,
            game=self.game.name,
            game_id=self.game_id,
            options=self.options,
            seats=tuple(
                SeatView(
                    name,
                    piece,
                    BOARD.pieces[piece].colour,
                    self.levels.get(number),
                    self.kit.meters(state, number),
                )
                for number, (name, piece) in enumerate(zip(self.names, self.pieces, strict=True))
            ),
            to_act=None if outcome else CHANCE if self.chance else state.to_act,
            position=self.position(),
            moves=tuple(self.moves),
            choices=() if outcome or self.chance else Expectation(state, self.company.cast).choices,
            chance=self.chance,
            movers=tuple(s.to_act for s in self.states[:-1] if s.to_act is not None),
            begins=tuple(s.starts_turn for s in self.states if isinstance(s, TellsTurns)),
            unsaid="" if outcome or not isinstance(state, Spoken) else state.unsaid(),
            last_told=self.last_told(),
            advice=self.kit.advice(state, self.names) if isinstance(state.to_act, int) else "",
            last_changes=self.last,
            verdict=self.verdict,
            outcome=outcome,
            devices=tuple(self.devices.values()),
            simulated=self.simulated,
            tallies=state.tallies(),
            sight=state.seen_by() if isinstance(state, Sighted) else {},
            thinking=self.thinking,
        )

    def last_told(self) -> str:
        return told(self.states[-2], self.moves[-1], self.names) if self.moves else ""


class FakeSim:
    """A simulated table that only writes down what was done to it."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.awake = threading.Event()  # until then nothing is lifted
        self.awake.set()
        self.table = self
        self.helps = False
        self.faults = Faults(BOARD)
        self.hands: list[dict[str, float]] = []
        self.bodies: dict[str, dict[str, Any]] = {
            "pacman": _body("pacman", "pawn", "pacman", *BOARD.at("e1"), "board"),
            "blinky": _body("blinky", "pawn", "blinky", *BOARD.at("e9"), "board"),
            "fence1": _body("fence1", "fence", "fence", -221, 0, "supply", flat=True),
            "fence2": _body("fence2", "fence", "fence", 221, 0, "supply", flat=True),
            "pellet1": _body("pellet1", "pellet", "pellet", *BOARD.at("a1"), "board"),
        }

    def view(self) -> dict[str, Any]:
        return {
            "revision": len(self.calls),
            "bodies": list(self.bodies.values()),
            "hands": self.hands,
        }

    def demo(self, what: str) -> str:
        self.calls.append(("demo", what))
        return "Watch the table."

    def help(self, on: bool) -> str:
        self.helps = on
        self.calls.append(("help", on))
        return "A helping hand."

    def press(self, button: str) -> None:
        self.calls.append(("press", button))

    def set_up(self, position: Any) -> None:
        self.calls.append(("set_up", dict(position)))

    def half_seat(self, id: str) -> None:
        if self.bodies[id]["state"] != "board":
            raise ValueError(f"expected a fence on the board, got {id!r}")

    def lift(self, id: str) -> None:
        self.awake.wait(10)
        self.bodies[id]["state"] = "held"
        self.calls.append(("lift", id))

    def put(self, id: str, x: float, y: float, angle: float) -> None:
        self.bodies[id].update(x=x, y=y, angle=angle, state="board", flat=False)
        self.calls.append(("put", id, x, y, angle))

    def carry(self, *call: Any) -> None:
        self.calls.append(("carry", *call))

    def hand(self, x: float, y: float, angle: float) -> None:
        self.hands = [{"x": x, "y": y, "angle": angle}]
        self.calls.append(("hand", x, y, angle))

    def no_hand(self) -> None:
        self.hands = []
        self.calls.append(("no_hand",))

    def nudge(self, *call: Any) -> None:
        self.calls.append(("nudge", *call))


def _body(
    id: str, kind: str, thing: str, x: float, y: float, state: str, flat: bool = False
) -> dict[str, Any]:
    return {
        "id": id,
        "kind": kind,
        "thing": thing,
        "x": x,
        "y": y,
        "angle": 0.0,
        "state": state,
        "flat": flat,
    }
