"""The advanced variant at the table: what the board shows, and what has to be said besides."""

import pytest

from companion.board import Change
from companion.games.record import Record, parse
from companion.panel.panel import CONFIRM, TAKE_BACK, Panel
from companion.referee.verdict import Kind
from companion.service.requests import Answer, EnterMove, NewGame, TakeBack
from tests.acting import Stage
from tests.service.test_solo import Parrot

GAME = "pacman-advanced"
#: To the start of round 5, the chamber open and Pac-Man on h1 beside a pellet.
OPENING = (
    *("@e1", "e2-e3", "d3h>b6h", "f3-g3", "d5h>b7h", "h3-h2", "c4v>h7h", "g2-g1", "e4v>f7h"),
    "h1",
    "end",
)


class Played(Stage):
    """A table whose board lies as a test says, change by change."""

    def __init__(self, folder, *moves, levels=None, options=None) -> None:
        self.parrot = Parrot()
        self.panel = Panel(lambda command: self.loop.post(command))
        super().__init__(folder, outputs=[self.panel], thinker=self.parrot)
        self.loop.begin(NewGame(GAME, options or {}, levels=levels or {}))
        self.follow()
        for move in moves:
            self.ask(EnterMove(move))
        self.follow()

    def follow(self) -> None:
        """Put the board as the game has it."""
        self.lies = dict(self.loop.snapshot.position)
        self.senses.look = lambda: self.lies
        self.wait(0.6)
        self.lies = dict(self.loop.snapshot.position)

    def hand(self, *changes: tuple[str, str | None, str | None], seconds: float = 1.5) -> None:
        """Lay things elsewhere, all at once, and wait until the referee has seen it."""
        lies = dict(self.lies)
        for thing, source, target in changes:
            if source:
                del lies[source]
            if target:
                lies[target] = thing
        self.lies = lies
        self.wait(seconds)

    @property
    def said(self):
        return self.loop.snapshot.verdict


@pytest.fixture
def begin(tmp_path):
    stages = []

    def begin(*moves, **more):
        stages.append(Played(tmp_path, *moves, **more))
        return stages[-1]

    yield begin
    for stage in stages:
        stage.close()


@pytest.fixture
def hunt(begin):
    """Round 5 has begun: Blinky has moved and the ghosts may put a fence."""
    table = begin(*OPENING, "Bd6")
    assert table.loop.table.state.phase == "place"
    return table


@pytest.fixture
def opened(begin):
    """Round 5: Pac-Man is to move."""
    table = begin(*OPENING[:-2])
    assert table.loop.table.state.round == 5
    return table


def test_pacman_comes_in_walks_and_builds_on_the_board(begin):
    table = begin()
    assert table.said.text == "Pac-Man to come in on a5, e1, e9 or i5."
    assert table.loop.snapshot.lifted == "pacman"
    table.hand(("pacman", None, "e1"))
    assert table.moves == ("@e1",)
    assert table.said.text == "Pac-Man came in on e1. Pac-Man to move or put a fence."
    table.hand(("fence", None, "g2h"))
    assert table.moves == ("@e1", "g2h")
    assert table.said.text.endswith("The ghosts to put one fence of the chamber somewhere else.")
    table.hand(("fence", "d3h", "b6h"))
    assert table.moves[2:] == ("d3h>b6h",)
    table.hand(("pacman", "e1", "e3"))
    assert table.moves[3:] == ("e2-e3",)


def test_no_fence_is_said_with_a_tap(hunt):
    assert hunt.loop.snapshot.unsaid == "end"
    assert hunt.ask(Answer("end")) == "The ghosts put no fence."
    assert hunt.moves[-2:] == ("Bd6", "end")
    hunt.wait(4.0)
    assert hunt.said.text == "Inky, Pinky or Clyde to move."


def test_no_fence_is_said_with_the_confirm_button(hunt):
    hunt.panel.press(CONFIRM)
    hunt.wait(0.5)
    assert hunt.moves[-2:] == ("Bd6", "end")
    hunt.panel.press(CONFIRM)  # there is nothing more to say
    hunt.wait(0.5)
    assert hunt.moves[-1] == "end"


def test_no_fence_is_said_by_the_next_ghosts_move(hunt):
    hunt.hand(("inky", "e5", "e6"))
    assert hunt.moves[-3:] == ("Bd6", "end", "Ie6")
    assert hunt.said.kind is Kind.ACCEPTED
    assert "The ghosts put no fence. Inky went to e6." in hunt.said.text


def test_no_fence_is_said_by_the_next_players_move(begin):
    table = begin(*OPENING[:-1])
    assert table.loop.table.state.turn == 0
    table.hand(("blinky", "d5", "d6"))
    assert table.moves[-3:] == ("h1", "end", "Bd6")


def test_what_the_next_player_may_not_do_says_nothing(hunt):
    hunt.hand(("inky", "e5", "i8"))
    assert hunt.said.kind is Kind.NOT_ALLOWED
    assert hunt.said.rule == "AV-18"
    assert hunt.said.repair == (Change("inky", "i8", "e5"),)
    assert hunt.moves[-1] == "Bd6"


def test_a_ghost_that_has_played_does_not_play_again(hunt):
    hunt.hand(("blinky", "d6", "d7"))
    assert (hunt.said.kind, hunt.said.rule) == (Kind.NOT_ALLOWED, "AV-A25")
    assert "Blinky has already played in this round." in hunt.said.text


def test_the_companions_ghosts_say_nothing_for_pacman(begin):
    table = begin(*OPENING[:-1], levels={1: 4})
    table.hand(("blinky", "d5", "d6"))
    assert table.moves[-1] == "h1"
    assert table.said.kind is Kind.SET_UP
    assert table.said.repair == (Change("blinky", "d6", "d5"),)


def test_a_fence_before_the_move_is_refused_until_the_move_is_made(opened):
    opened.hand(("fence", None, "g4h"))
    assert (opened.said.kind, opened.said.rule) == (Kind.NOT_ALLOWED, "AV-10")
    assert opened.said.text.startswith("Pac-Man has to move first, and may place a fence after")
    opened.hand(("pacman", "g1", "e1"))
    assert opened.moves[-2:] == ("f1-e1", "g4h")
    assert opened.said.kind is Kind.ACCEPTED


def test_a_move_and_its_fence_under_one_hand_are_both_accepted(opened):
    opened.hand(("fence", None, "g4h"), ("pacman", "g1", "e1"))
    assert opened.moves[-2:] == ("f1-e1", "g4h")


def test_a_lifted_fence_of_the_chamber_is_waited_for(begin):
    table = begin("@e1", "e2-e3")
    table.hand(("fence", "d3h", None))
    assert table.said.kind is Kind.WAITING
    assert table.said.text == "The fence from d3h is off the board."
    table.hand(("fence", None, "b6h"))
    assert table.moves[-1] == "d3h>b6h"


def test_a_fence_that_stays_is_not_to_be_lifted(opened):
    opened.hand(("fence", "b6h", None))
    assert (opened.said.kind, opened.said.rule) == (Kind.NOT_ALLOWED, "AV-19")


def test_a_fence_between_two_sides_moves_is_asked_about(opened):
    opened.hand(("pacman", "g1", "e1"), ("blinky", "d5", "d6"), ("fence", None, "g4h"))
    assert opened.said.kind is Kind.UNSURE
    assert opened.said.moves == ("f1-e1",)
    assert opened.moves[-1] == "e4v>f7h"


def test_the_power_fails_between_move_and_fence(begin, tmp_path):
    table = begin(*OPENING[:-2])
    table.hand(("pacman", "g1", "e1"))
    moves, lies = table.moves, table.lies
    table.close()
    again = begin()
    assert again.moves == moves
    again.lies = lies
    again.wait(1.0)
    assert again.loop.snapshot.unsaid == "end"
    assert again.said.text == "Pac-Man may put a fence, or leave it at that."
    again.hand(("fence", None, "g4h"))
    assert again.moves == (*moves, "g4h")


def test_the_power_fails_and_no_fence_is_said_by_the_next_move(begin):
    table = begin(*OPENING[:-2])
    table.hand(("pacman", "g1", "e1"))
    moves, lies = table.moves, table.lies
    table.close()
    again = begin()
    again.lies = lies
    again.wait(1.0)
    again.hand(("blinky", "d5", "d6"))
    assert again.moves[: len(moves)] == moves
    if again.said.kind is Kind.UNSURE:  # after a restart the board is believed less
        again.ask(Answer(again.said.moves[0]))
        again.wait(1.5)
    if again.said.kind is Kind.UNSURE:
        again.ask(Answer(again.said.moves[0]))
        again.wait(1.5)
    assert again.moves[len(moves) :] == ("end", "Bd6")


def test_the_fence_is_taken_back_and_then_the_move(opened):
    opened.hand(("pacman", "g1", "e1"))
    opened.hand(("fence", None, "g4h"))
    assert opened.ask(TakeBack()) == "Taken back: Pac-Man put a fence on g4h."
    opened.wait(1.5)
    assert opened.said.repair == (Change("fence", "g4h", None),)
    opened.hand(("fence", "g4h", None))
    assert opened.said.text == "Pac-Man may put a fence, or leave it at that."
    opened.panel.press(TAKE_BACK)
    opened.wait(1.5)
    assert opened.said.repair == (Change("pacman", "e1", "g1"),)
    opened.hand(("pacman", "e1", "g1"))
    assert opened.said.text == "Pac-Man to move."


def test_no_fence_is_taken_back(hunt):
    hunt.ask(Answer("end"))
    assert hunt.ask(TakeBack()) == "Taken back: The ghosts put no fence."
    hunt.wait(0.5)
    hunt.hand(("fence", None, "g4h"))
    assert hunt.moves[-2:] == ("Bd6", "g4h")


def test_steps_for_a_pellet_are_asked_about(begin):
    table = begin(*OPENING[:-2], "h1-i1")
    table.wait(4.0)
    assert table.said.text == "Pac-Man may spend a pellet or put a fence, or leave it at that."
    table.hand(("pacman", "i1", "i3"))
    assert table.said.kind is Kind.UNSURE
    assert table.said.text == "Is this right: Pac-Man spent a pellet and went to i3?"
    table.panel.press(CONFIRM)
    table.wait(0.5)
    assert table.moves[-1] == "+i2+i3"
    assert table.loop.snapshot.tallies["reserve"] == (0, 0)


def test_a_walk_with_a_pellet_to_spend_spends_none(begin):
    table = begin(*OPENING[:-2], "h1-i1", "end", *("Bd6", "end", "Ie6", "end", "Pc4", "end"), "Cf4")
    table.ask(Answer("end"))
    table.follow()
    table.hand(("pacman", "i1", "i3"))
    assert table.moves[-1] == "i2-i3"
    assert table.loop.snapshot.tallies["reserve"] == (1, 0)


def test_pacman_in_a_ghosts_place_has_lost_a_life_and_all_is_led(begin):
    table = begin("@e1", "e2-e3", "d3h>b6h")
    table.hand(("pacman", "e3", None), ("clyde", "e4", None), ("pacman", None, "e4"))
    assert table.moves[-1] == "e4"
    told = "Pac-Man went to e4 and met Clyde: two lives left"
    assert table.loop.snapshot.last_told == told
    assert table.said.repair[0] == Change("pacman", "e4", None)
    table.hand(("pacman", "e4", None), ("clyde", None, "e4"))
    assert table.said.text == "The ghosts to put one fence of the chamber somewhere else."


def test_a_ghost_catches_pacman_who_comes_in_again(begin):
    opening = ("@e1", "f1", "end", "d3h>b6h", "g1", "end", "d5h>b7h", "g2-f2", "c4v>h7h")
    table = begin(*opening, "e2", "end", "e4v>f7h", "e3", "end")
    table.hand(("pacman", "e3", None), ("clyde", "e4", "e3"))
    assert table.moves[-1] == "Ce3"
    assert "Clyde went to e3 and caught Pac-Man: two lives left." in table.said.text
    assert table.loop.snapshot.tallies["lives"] == (2, 0)


def test_the_companion_leads_ghosts_and_fences_move_by_move(begin):
    table = begin(*OPENING[:-1], levels={1: 4})
    for move, change in (
        ("Bd6", Change("blinky", "d5", "d6")),
        ("g4h", Change("fence", None, "g4h")),
        ("Ie6", Change("inky", "e5", "e6")),
    ):
        if move == "Bd6":
            table.ask(Answer("end"))
            table.follow()
        table.parrot.says = [move]
        table.wait(1.5)
        assert table.moves[-1] == move
        assert table.said.kind is Kind.SET_UP
        assert table.said.repair == (change,)
        table.hand((change.thing, change.source, change.target))
    table.parrot.says = ["end", "Pc4"]
    table.wait(1.5)
    assert table.moves[-2:] == ("end", "Pc4")


def test_the_companions_fence_of_the_chamber_is_led(begin):
    table = begin("@e1", levels={1: 4})
    table.hand(("pacman", "e1", "e3"))
    table.parrot.says = ["d3h>b6h"]
    table.wait(1.5)
    assert table.said.text == "Move the fence from d3h to b6h."
    table.hand(("fence", "d3h", "b6h"))
    assert table.said.text == "Pac-Man to move or put a fence."


def test_taking_back_goes_to_the_persons_last_word(begin):
    table = begin(*OPENING[:-1], levels={1: 4})
    table.parrot.says = ["Bd6"]
    table.ask(Answer("end"))
    table.wait(1.0)
    table.follow()
    assert table.moves[-2:] == ("end", "Bd6")
    said = table.ask(TakeBack())
    assert said == "Taken back: Blinky went to d6; Pac-Man put no fence."
    assert table.moves[-1] == "h1"


def test_a_game_at_the_table_can_end_and_its_record_says_by_which_rules(begin):
    table = begin("@e1", options={"exactSpeed": "yes"})
    snapshot = table.loop.snapshot
    assert snapshot.options == {"noProgress": "50", "exactSpeed": "yes"}
    record = parse(str(Record(snapshot.game, snapshot.moves, (), snapshot.options)))
    assert record.options["noProgress"] == "50"
    assert record.options["exactSpeed"] == "yes"
    assert table.journal.current().options["noProgress"] == "50"


def test_who_wants_an_endless_game_says_so(begin):
    table = begin(options={"noProgress": "off"})
    assert table.loop.snapshot.options["noProgress"] == "off"
