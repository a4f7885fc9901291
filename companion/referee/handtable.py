"""A table of hidden hands: a game on phones, which no sensor sees and nobody lays on the board.

It keeps what every table keeps, the agreed game and its history. What it says is for everybody: of
a card that lies face down it says that there is one.
"""

from collections.abc import Sequence
from typing import Any

from companion.board import Change, Reading, Spot, Thing
from companion.errors import CompanionError, IllegalMove, MalformedMove
from companion.games.game import CHANCE, Hides, Move, Seat, State
from companion.referee.explain import Expectation
from companion.referee.table import Table
from companion.referee.verdict import Kind, Verdict
from companion.referee.wording import ended, told
from companion.text import sentence

#: How much of what has happened is told.
STORY = 40


class HandTable(Table):
    """One game of hidden hands, from the first card to the last; made as every table is."""

    def __init__(self, *made: Any, **more: Any) -> None:
        self._opened: list[Move] = []
        self._story: list[str] = []
        super().__init__(*made, **more)

    @property
    def is_as_agreed(self) -> bool:
        """Return true: there is nothing beside the game that could differ from it."""
        return True

    @property
    def must_follow(self) -> bool:
        """Return false: nothing has to be carried out on a board."""
        return False

    @property
    def lifted(self) -> Thing | None:
        """Return None: nothing is felt."""
        return None

    @property
    def open_moves(self) -> tuple[Move, ...]:
        """Return the moves as everybody may read them; secrets end with the game."""
        return tuple(self.moves if self.outcome() is not None else self._opened)

    @property
    def story(self) -> tuple[str, ...]:
        """Return what has happened lately, a sentence for each move with what chance made of it."""
        return tuple(map(sentence, self._story[-STORY:]))

    def judge(self, reading: Reading) -> tuple[Move, ...]:
        """Return no move: what lies on the board is none."""
        return ()

    def check_for(self, seat: Seat, move: Move) -> None:
        """Raise a MoveError, with the reason, unless a seat can make a move now. It tells the seat
        nothing that it does not see."""
        outcome, state = self.outcome(), self.state
        if outcome is not None:
            raise IllegalMove(ended(outcome, self.company.names))
        assert isinstance(state, Hides)
        why = state.why_not_for(seat, move, self.company.names)
        if why is not None and why.rule == "notation":
            raise MalformedMove(why.text)
        if why is not None:
            raise IllegalMove(f"{why.text} ({why.rule})")

    def play(self, moves: Sequence[Move], *, on_board: bool = False) -> str:
        """Play legal moves; return what was done."""
        for move in moves:
            self._push(move)
        self._prepare()
        text = sentence(self._story[-1])
        words = f"{text} {self._at_rest().text}"
        self.verdict = Verdict(Kind.ACCEPTED, words, moves=tuple(self._opened[-len(moves) :]))
        return text

    def play_own(self, move: Move) -> str:
        """Play a move of the companion; return it in words."""
        return self.play((move,))

    def take_back(self) -> Move:
        """Raise CompanionError: what somebody has seen cannot be unseen."""
        raise CompanionError("a card that was seen cannot be taken back")

    def look_again(self) -> None:
        """Raise CompanionError: nothing is looked at."""
        raise CompanionError("this game is played on phones; nothing on the board belongs to it")

    def set_up_again(self) -> None:
        """Do nothing: nothing of the game lies on the board."""

    def call(self, names: Sequence[str]) -> None:
        """Call the seats by other names from now on."""
        self.company = self.company.called(names)
        self._story = []
        for state, move in zip(self.states, self.moves, strict=False):
            self._tell(state, move)
        if self.verdict.kind is Kind.WAITING:
            self.verdict = self._at_rest()

    def _push(self, move: Move) -> None:
        state = self.state
        self._tell(state, move)
        self._opened.append(state.opened(move) if isinstance(state, Hides) else move)
        super()._push(move)

    def _tell(self, state: State, move: Move) -> None:
        """Go on with the story; what chance does belongs to the move before."""
        said = told(state, move, self.company.names)
        if state.to_act is CHANCE and self._story:
            self._story[-1] = f"{self._story[-1]}; {said}"
        else:
            self._story.append(said)

    def _prepare(self) -> None:
        self.expected = Expectation(self.state, {})
        self.last_changes: tuple[Change, ...] = ()
        self.verdict = self._at_rest()

    def sight(self) -> dict[Thing, tuple[Spot, ...]]:
        """Return nothing: nobody sees anybody."""
        return {}
