"""Pieces between squares and fences that lie loose: what the companion says within three seconds.

People put pawns down 5 to 14 mm off the middle of a square, a ghost beside a pellet on its square,
and drop fences flat on the tiles, across others, or into slots that others cross.
"""

import math
import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2

from bench.games import LIGHTS
from bench.report import Row
from companion.board import FENCE, PELLET, Change, Spot, Thing, column_row, is_slot, square
from companion.boards.profile import load
from companion.games.game import Move
from companion.referee.changes import compare
from companion.referee.verdict import Kind
from companion.sensing.fusion import Senses
from companion.service.requests import EnterMove
from companion.service.simulated.rig import Rig
from companion.sim.hands import Person, Step
from companion.sim.room import Room, Setting

PIECES, NEAR, FENCES, PELLETS = 200, 100, 50, 20
A_ROOM = 10  # placements in the same light and pose
SECONDS = 3.0
OFF_MM = (5.0, 14.0)
NEAR_MM = (0.0, 6.0)
LEGAL_SHARE = 0.7
MOVES_BEFORE = 8
LESSON_SECONDS = 2.2  # after which the companion has looked at the position
NEAR_PITCHES = 1.2  # by which a place that is named may be off
SHOWN = 12


@dataclass(frozen=True)
class Answer:
    """What the companion said of one placement: in one word, and in its own."""

    word: str  # accepted, asked, push, refused, named, nothing or wrong
    text: str
    legal: bool = True
    accused: bool = False
    where: str = ""
    rule: str = ""


class Clumsy:
    """Somebody in a room who puts things down badly, each time in a new position of a game."""

    def __init__(self, setting: Setting) -> None:
        self.rig = Rig(Room(load("reference"), setting))
        self.rng = random.Random(setting.seed)

    def begin(self, game: str) -> None:
        """Set up a game and play some moves, so that the board is not always the same."""
        rig = self.rig
        players = {"quoridor": 2, "quoridor4": 4}.get(game, 0)
        rig.begin(game, tuple(self.rng.sample(list(rig.board.pieces), players)))
        for _ in range(self.rng.randrange(MOVES_BEFORE)):
            moves = [m for m in rig.loop.table.expected.legal if m not in ("pass", "")]
            move = self.rng.choice(moves)
            if rig.loop.table.state.play(move).to_act is None:
                break
            rig.ask(EnterMove(move))
        self._set_up()

    def _set_up(self) -> None:
        """Put the board as the game has it, and let the companion look at it."""
        self.rig.table.set_up(self.rig.position)
        self.rig.wait(4.0, until=lambda: self.rig.loop.table.is_as_agreed)
        self.rig.wait(LESSON_SECONDS)

    # --- pieces ---------------------------------------------------------------------------------

    def misplace(self, off_mm: tuple[float, float], *, legal_only: bool) -> Answer:
        """Put a pawn down off the middle of a square."""
        self.begin(self.rng.choice(("quoridor", "quoridor", "quoridor4", "pacman")))
        legal = legal_only or self.rng.random() < LEGAL_SHARE
        thing, spot = self._choose(legal)
        x, y = self._aside(spot, off_mm)
        return self.put(thing, spot, x, y, legal=legal)

    def beside_pellet(self) -> Answer:
        """Put a ghost beside a pellet on a square that it could go to but for the pellet."""
        self.rig.begin("pacman", ())
        while not (choices := list(self._kept_off_by_pellets())):
            self.rig.ask(EnterMove(self._towards_pellets()))
        self._set_up()
        thing, spot = self.rng.choice(choices)
        return self.put(thing, spot, *self._beside(thing, spot), legal=False)

    def _beside(self, thing: Thing, spot: Spot) -> tuple[float, float]:
        """Return a place where a pawn touches the pellet on a square and is on that square."""
        board, table = self.rig.board, self.rig.table
        assert board.pellet is not None
        pellet = table.body(table.at(spot) or "")
        reach = (board.pieces[thing].diameter_mm + board.pellet.diameter_mm) / 2
        middle = board.at(spot)
        while True:
            turn = self.rng.uniform(0, 2 * math.pi)
            x, y = pellet.x + reach * math.cos(turn), pellet.y + reach * math.sin(turn)
            if max(abs(x - middle[0]), abs(y - middle[1])) < board.pitch_mm / 2 - 1.0:
                return x, y

    def _kept_off_by_pellets(self) -> Iterator[tuple[Thing, Spot]]:
        table = self.rig.loop.table
        for source, thing in table.expected.position.items():
            for target in _around(source) if thing in table.company.others else ():
                change = Change(thing, source, target)
                if table.state.refuse([change], table.company.names).rule == "SV-10":
                    yield thing, target

    def _towards_pellets(self) -> Move:
        """Return a move after which a ghost is near a pellet; Pac-Man keeps away from them."""
        expected = self.rig.loop.table.expected
        pawns = self.rig.loop.table.company.others

        def near(move: Move) -> float:
            after = expected.after(move).position
            pellets = [column_row(spot) for spot, thing in after.items() if thing == PELLET]
            ghosts = [column_row(spot) for spot, thing in after.items() if thing in pawns]
            far = [min(abs(a - c) + abs(b - d) for c, d in pellets) for a, b in ghosts]
            return sum(far) - 100 * len(pellets) - 100 * len(ghosts) + self.rng.random()

        return min(expected.legal, key=near)

    def put(self, thing: Thing, spot: Spot, x: float, y: float, *, legal: bool) -> Answer:
        """Put a pawn down near a square, and see what the companion says."""
        rig = self.rig
        moves = len(rig.loop.table.moves)
        rig.watch(self._person.put_crooked(thing, x, y))

        def word() -> str:
            verdict = rig.verdict
            if len(rig.loop.table.moves) > moves:
                stands = legal and rig.position.get(spot) == thing
                return "accepted" if stands else "wrong"
            if verdict.kind is Kind.UNSURE:
                return "asked"
            if verdict.kind is Kind.SET_UP and verdict.text.startswith("Push"):
                return "push"
            return "refused" if verdict.kind is Kind.NOT_ALLOWED else "nothing"

        rig.wait(SECONDS, until=lambda: word() != "nothing")
        said = word()
        rig.wait(max(0.0, SECONDS - 1.0))  # sensors are not accused at once
        body = rig.table.body(thing)
        where = f"{thing} near {spot} at {body.x:.1f} {body.y:.1f}, {self._told()}"
        touch = rig.senses.touch if isinstance(rig.senses, Senses) else None
        ill = bool(touch and touch.ill)
        return Answer(said, rig.verdict.text, legal, ill, where, rig.verdict.rule)

    def _choose(self, legal: bool) -> tuple[Thing, Spot]:
        """Return a pawn and the square it is to go to, by a legal move of one pawn or not."""
        expected = self.rig.loop.table.expected
        goals: set[tuple[Thing, Spot]] = set()
        for step in expected.steps:
            changes = compare(expected.position, expected.after(step.move).position)
            if len(changes) == 1 and changes[0].source and not is_slot(changes[0].source):
                goals.add((changes[0].thing, changes[0].target or ""))
        if legal and goals:
            return self.rng.choice(sorted(goals))
        pawns = sorted(self.rig.loop.table.company.pawns & set(expected.position.values()))
        free = [s for s in self.rig.board.squares if s not in expected.position]
        while True:
            choice = self.rng.choice(pawns), self.rng.choice(free)
            if choice not in goals:
                return choice

    def _aside(self, spot: Spot, off_mm: tuple[float, float]) -> tuple[float, float]:
        away, turn = self.rng.uniform(*off_mm), self.rng.uniform(0, 2 * math.pi)
        x, y = self.rig.board.at(spot)
        return x + away * math.cos(turn), y + away * math.sin(turn)

    # --- fences ---------------------------------------------------------------------------------

    def drop_fence(self, number: int) -> Answer:
        """Drop a fence on the tiles, across another one, or into a slot that one crosses."""
        self.begin(self.rng.choice(("quoridor", "quoridor4")))
        if number % 3 == 0:
            return self._see(self._person.lay_fence(*self._clear_of_pawns(self._on_tiles)))
        self._fence_somewhere()
        fences = sorted(s for s, thing in self.rig.position.items() if thing == FENCE)
        if number % 3 == 1:
            return self._see(
                self._person.lay_fence(*self._clear_of_pawns(lambda: self._across(fences)))
            )
        slot = self.rng.choice(fences)
        across = slot[:2] + ("v" if slot[2] == "h" else "h")
        return self._see(self._person.place_fence(across))

    def _fence_somewhere(self) -> None:
        if FENCE in self.rig.position.values():
            return
        legal = [m for m in self.rig.loop.table.expected.legal if is_slot(m)]
        self.rig.ask(EnterMove(self.rng.choice(legal)))
        self._set_up()

    def _clear_of_pawns(
        self, choose: Callable[[], tuple[float, float, float]]
    ) -> tuple[float, float, float]:
        """Return a place for a fence, and its angle, where it comes to lie on no pawn."""
        while True:
            x, y, angle = choose()
            turn = math.radians(angle)
            pawns = [b for b in self.rig.table.scene().bodies if b.kind != "fence"]
            ways = [(b.x - x, b.y - y) for b in pawns if b.state == "board"]
            lies = [
                (
                    abs(dx * math.cos(turn) + dy * math.sin(turn)),
                    abs(dy * math.cos(turn) - dx * math.sin(turn)),
                )
                for dx, dy in ways
            ]
            if not any(along < 38.0 and across < 22.0 for along, across in lies):
                return x, y, angle

    def _across(self, fences: Sequence[Spot]) -> tuple[float, float, float]:
        slot = self.rng.choice(fences)
        x, y = self.rig.board.at(slot)
        angle = self.rng.uniform(20.0, 160.0) + (90.0 if slot[2] == "v" else 0.0)
        along, reach = self.rng.uniform(-15.0, 15.0), self.rng.uniform(-15.0, 15.0)
        x, y = (x + along, y) if slot[2] == "h" else (x, y + along)
        turn = math.radians(angle)
        return x + reach * math.cos(turn), y + reach * math.sin(turn), angle

    def _on_tiles(self) -> tuple[float, float, float]:
        half = self.rig.board.field_mm / 2 - 10.0
        x, y = self.rng.uniform(-half, half), self.rng.uniform(-half, half)
        return x, y, self.rng.uniform(0.0, 180.0)

    def _see(self, steps: Iterable[Step]) -> Answer:
        rig = self.rig
        moves = len(rig.loop.table.moves)
        rig.watch(steps)
        id = next(body.id for body in rig.table.scene().bodies if body.state == "skewed")

        def named() -> bool:
            said = "Take it off" in rig.verdict.text or "Take them off" in rig.verdict.text
            return said and any(self._is_near(id, place) for place in rig.verdict.places)

        found = rig.wait(SECONDS, until=named)
        word = "named" if found else "nothing"
        if len(rig.loop.table.moves) > moves:
            word = "wrong"
        body = rig.table.body(id)
        where = f"at {body.x:.0f} {body.y:.0f}, {body.angle:.0f}°, {self._told()}"
        answer = Answer(word, rig.verdict.text, where=where)
        rig.watch(self._person.clear_away(id))
        if not rig.wait(SECONDS, until=lambda: rig.loop.table.is_as_agreed):
            return Answer("stuck", rig.verdict.text, where=where)
        return answer

    def _is_near(self, id: str, place: str) -> bool:
        body = self.rig.table.body(id)
        x, y = self.rig.board.at(place)
        reach = NEAR_PITCHES * self.rig.board.pitch_mm
        return math.hypot(body.x - x, body.y - y) <= reach

    # --- small things ---------------------------------------------------------------------------

    @property
    def _person(self) -> Person:
        return Person(self.rig.table, self.rig.board, self.rng.choice(("south", "north")))

    def _told(self) -> str:
        table, setting = self.rig.loop.table, self.rig.setting
        return f"{setting.light} {setting.seed}: {table.game.name} {' '.join(table.moves)}"


def _around(spot: Spot) -> Iterator[Spot]:
    """Yield the squares beside one."""
    column, row = column_row(spot)
    for c, r in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
        if 0 <= c < 9 and 0 <= r < 9:
            yield square(c, r)


def settings(count: int, seed: int) -> list[Setting]:
    """Return rooms that differ in light and pose, every second one with a hall grid."""
    rooms = -(-count // A_ROOM)
    return [Setting(LIGHTS[n // 2 % 4], seed + n, hall=n % 2 == 1) for n in range(rooms)]


def answers(what: str, setting: Setting, count: int) -> list[Answer]:
    """Return what was said of so many placements of a kind in one rig."""
    cv2.setNumThreads(1)
    clumsy = Clumsy(setting)
    kinds: dict[str, Callable[[int], Answer]] = {
        "pieces": lambda n: clumsy.misplace(OFF_MM, legal_only=False),
        "near": lambda n: clumsy.misplace(NEAR_MM, legal_only=True),
        "fences": clumsy.drop_fence,
        "pellets": lambda n: clumsy.beside_pellet(),
    }
    try:
        return [kinds[what](n) for n in range(count)]
    finally:
        clumsy.rig.close()


def measure(what: str, count: int, seed: int) -> list[Answer]:
    """Return the answers from all rooms, as many at a time as there are processors."""
    rooms = settings(count, seed)
    jobs = [(what, room, min(A_ROOM, count - A_ROOM * n)) for n, room in enumerate(rooms)]
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(os.cpu_count() or 1, len(jobs)), maxtasksperchild=4) as pool:
        return [answer for part in pool.starmap(answers, jobs, chunksize=1) for answer in part]


def run(seed: int = 1) -> list[Row]:
    """Return the figures."""
    found = {
        "pieces": measure("pieces", PIECES, seed),
        "near": measure("near", NEAR, seed + 100),
        "fences": measure("fences", FENCES, seed + 200),
        "pellets": measure("pellets", PELLETS, seed + 300),
    }
    return rows(**found)


def rows(
    pieces: Sequence[Answer],
    near: Sequence[Answer],
    fences: Sequence[Answer],
    pellets: Sequence[Answer],
) -> list[Row]:
    """Return answers as lines of the bench, and print the ones that are not right."""
    bad = [a for a in pieces if not is_right(a)]
    unasked = [a for a in near if a.word == "accepted"]
    named = [a for a in fences if a.word == "named"]
    told = [a for a in pellets if a.rule == "SV-10"]
    accused = [a for a in (*pieces, *near, *pellets) if a.accused]
    unlike = [a for a in (*near, *fences, *pellets) if a not in (*unasked, *named, *told)]
    for answer in [*bad, *accused, *unlike][:SHOWN]:
        print(f"  {answer.word}: {answer.text} ({answer.where})")
    wrong = [a for a in (*pieces, *near, *fences, *pellets) if a.word == "wrong"]
    return [
        Row(
            "pieces 5–14 mm off, answered within 3 s",
            f"{len(pieces) - len(bad)} of {len(pieces)}: {_counted(pieces)}",
            "aim all",
            slow=bool(bad),
        ),
        Row(
            "legal and at most 6 mm off, accepted unasked",
            f"{len(unasked)} of {len(near)}",
            "aim ≥ 95 %",
            slow=len(unasked) < 0.95 * len(near),
        ),
        Row(
            "loose and crossed fences, named",
            f"{len(named)} of {len(fences)}",
            "aim all",
            slow=len(named) < len(fences),
        ),
        Row(
            "ghosts beside a pellet, SV-10 told",
            f"{len(told)} of {len(pellets)}",
            "aim all",
            slow=len(told) < len(pellets),
        ),
        Row("good sensors accused", f"{len(accused)}", "aim 0", slow=bool(accused)),
        Row("accepted wrong", f"{len(wrong)}", "aim 0", wrong=bool(wrong)),
    ]


def is_right(answer: Answer) -> bool:
    """Tell whether a piece got an answer that it may get: what no rule allows may be refused."""
    if answer.word == "refused":
        return not answer.legal
    return answer.word in ("accepted", "asked", "push")


def _counted(found: Sequence[Answer]) -> str:
    counts = Counter(answer.word for answer in found)
    return ", ".join(f"{count} {word}" for word, count in counts.most_common())
