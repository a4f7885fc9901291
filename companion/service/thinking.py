"""What the loop asks the thinker for: the companion's own move, or one to show to people.

There is one task at a time, and it is always about the agreed position: a hint belongs to a
person's turn and a move of its own to the companion's, so neither waits for the other.
"""

from collections.abc import Container
from concurrent.futures import Future

from companion.engine.thinker import Purpose, Task, Thought
from companion.errors import Busy, CompanionError
from companion.games.catalogue import find_kit
from companion.games.game import Seat
from companion.players.player import HIGHEST
from companion.referee.table import Table
from companion.service.ports import Thinker
from companion.service.requests import GONE_ON, Hint, Hinted, Reply

#: How well the move of a demo is chosen: a sensible one, found at once.
DEMO_LEVEL = 4


class Thinking:
    """Keeps the task and whoever waits for its result; the loop calls it at every step.

    Without a thinker only people play.
    """

    def __init__(self, thinker: Thinker | None) -> None:
        self._thinker = thinker
        self._task: Task | None = None
        self._asker: Future[Reply] | None = None
        self._last: Thought | None = None  # of a hint: the next phone asks for the same

    @property
    def is_own(self) -> bool:
        """Tell whether the companion thinks about a move of its own."""
        return self._task is not None and self._task.purpose is Purpose.OWN

    def own_move(self, table: Table, level: int) -> Thought | None:
        """Return the companion's move here, once it is found; None while it is looked for."""
        task = _task(table, level, Purpose.OWN)
        if task != self._task:
            self._begin(task)
        return self._found()

    def look_for(
        self, wanted: Hint, table: Table, own: Container[Seat], asker: "Future[Reply]"
    ) -> None:
        """Begin to look for a hint, which ``asker`` is given later; one at a time.

        Raise CompanionError when nobody could use it, and Busy while another is looked for.
        """
        seat = table.state.to_act
        if table.outcome() is not None or seat is None:
            raise CompanionError("the game is over, there is no move to hint at")
        if seat in own:
            raise CompanionError("it is the companion's turn; wait for its move")
        if not isinstance(seat, int):
            raise CompanionError("dice, spinner or deck are to act, there is no move to hint at")
        purpose = Purpose.DEMO if wanted.demo else Purpose.HINT
        task = _task(table, DEMO_LEVEL if wanted.demo else HIGHEST, purpose)
        if self._last is not None and self._last.task == task:
            asker.set_result(_hinted(table, self._last))
        elif self._asker is not None:
            raise Busy("a hint is being looked for; try again in a moment")
        else:
            self._begin(task)
            self._asker = asker

    def step(self, table: Table) -> None:
        """Drop a task about an earlier position; answer whoever waits for a hint that is found."""
        task, asker = self._task, self._asker
        if task is None:
            return
        if table.outcome() is not None or task != _task(table, task.level, task.purpose):
            self.forget()
        elif asker is not None and (thought := self._found()) is not None:
            self._asker = None
            if thought.trouble:
                asker.set_exception(CompanionError(f"no hint was found: {thought.trouble}"))
            else:
                self._last = thought
                asker.set_result(_hinted(table, thought))

    def forget(self) -> None:
        """Stop looking; whoever waits for a hint is told that the game has gone on."""
        if self._task is not None and self._thinker is not None:
            self._task = None
            self._thinker.drop()
        if self._asker is not None:
            self._asker.set_exception(CompanionError(GONE_ON))
            self._asker = None

    def _begin(self, task: Task) -> None:
        if self._thinker is None:
            raise CompanionError("this table has no player for an empty seat")
        self._thinker.think(task)
        self._task = task

    def _found(self) -> Thought | None:
        """Return the result of the task, which is then done."""
        thought = self._thinker.poll() if self._thinker else None
        if thought is None or thought.task != self._task:
            return None
        self._task = None
        return thought


def _task(table: Table, level: int, purpose: Purpose) -> Task:
    return Task(table.game.name, dict(table.options), tuple(table.moves), level, purpose)


def _hinted(table: Table, thought: Thought) -> Hinted:
    reason = find_kit(table.game.name).reason
    return Hinted(thought.move, reason(table.state, thought.move, table.company.names))
