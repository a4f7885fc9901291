"""Hints: looked for by the thinker while the table referees on, one at a time, and never late."""

import threading
from concurrent.futures import Future

import pytest

from companion.engine.thinker import Purpose, Task
from companion.errors import Busy, CompanionError
from companion.games.catalogue import find_kit
from companion.games.quoridor.player import Racer
from companion.players.player import HIGHEST
from companion.service.requests import AgreeDraw, EnterMove, Hint, Hinted, NewGame, Reply, TakeBack
from companion.web import Hub, create_app, state_json
from tests.acting import Stage
from tests.referee.seeing import BOARD
from tests.service.test_solo import Parrot, Solo
from tests.waiting import wait_for
from tests.web.conftest import Visitor


class Company(Stage):
    """Two people at a table with somebody to give them hints."""

    def __init__(self, folder) -> None:
        self.parrot = Parrot()
        super().__init__(folder, thinker=self.parrot)
        self.begin()

    def hint(self) -> "Future[Reply]":
        answer = self.loop.post(Hint())
        self.loop.step()
        return answer


@pytest.fixture
def company(tmp_path):
    stage = Company(tmp_path)
    yield stage
    stage.close()


@pytest.fixture
def solo(tmp_path):
    stage = Solo(tmp_path)
    yield stage
    stage.close()


def hint_task(stage: Stage) -> Task:
    options = dict(stage.loop.snapshot.options)
    return Task("quoridor", options, stage.moves, HIGHEST, Purpose.HINT)


def test_a_hint_is_the_move_that_the_thinker_finds_with_its_reason(company):
    company.play("e2")
    asked = company.hint()
    company.wait(0.3)
    assert company.parrot.asked == [hint_task(company)]
    assert not asked.done()
    company.parrot.says = ["e8"]
    company.loop.step()
    state = company.loop.table.state
    reason = find_kit("quoridor").reason(state, "e8", ("Pac-Man", "Blinky"))
    assert asked.result(timeout=0) == Hinted("e8", reason)
    assert company.moves == ("e2",)


def test_the_table_referees_on_and_does_not_seem_to_think_while_a_hint_is_looked_for(company):
    company.hint()
    learned = len(company.senses.learned)
    company.wait(5)
    assert len(company.senses.learned) > learned
    assert not company.loop.snapshot.thinking


def test_one_hint_at_a_time_is_looked_for(company):
    first = company.hint()
    for _ in range(5):
        with pytest.raises(Busy, match="a hint is being looked for; try again in a moment"):
            company.ask(Hint())
    assert len(company.parrot.asked) == 1
    company.parrot.says = ["e2"]
    company.loop.step()
    assert first.result(timeout=0).move == "e2"


def test_whoever_asks_again_for_the_same_position_gets_the_hint_that_was_found(company):
    company.hint()
    company.parrot.says = ["e2"]
    company.loop.step()
    assert company.ask(Hint()).move == "e2"
    assert len(company.parrot.asked) == 1
    company.play("d1")
    assert not company.hint().done()
    assert len(company.parrot.asked) == 2


@pytest.mark.parametrize(
    "command", [EnterMove("e8"), TakeBack(), NewGame("quoridor4"), NewGame("quoridor"), AgreeDraw()]
)
def test_there_is_never_a_hint_for_an_earlier_position(company, command):
    company.play("e2")
    asked = company.hint()
    company.parrot.says = ["d9"]
    company.ask(command)
    with pytest.raises(CompanionError, match="the game has gone on; ask for a hint again"):
        asked.result(timeout=0)
    assert company.parrot.dropped == 1


def test_a_move_on_the_board_ends_the_hint_and_the_companions_own_move_is_next(solo):
    asked = solo.loop.post(Hint())
    solo.loop.step()
    solo.play("e2")
    with pytest.raises(CompanionError, match="gone on"):
        asked.result(timeout=0)
    purposes = [task.purpose for task in solo.parrot.asked]
    assert purposes == [Purpose.HINT, Purpose.OWN]
    assert solo.loop.snapshot.thinking
    solo.parrot.says = ["e8"]
    solo.wait(0.3)
    assert solo.moves == ("e2", "e8")


def test_there_is_no_hint_for_the_companion_and_its_own_move_is_not_disturbed(solo):
    solo.play("e2")
    solo.wait(0.2)
    with pytest.raises(CompanionError, match="it is the companion's turn; wait for its move"):
        solo.ask(Hint())
    assert [task.purpose for task in solo.parrot.asked] == [Purpose.OWN]


def test_there_is_no_hint_after_the_end(company):
    company.ask(AgreeDraw())
    with pytest.raises(CompanionError, match="the game is over, there is no move to hint at"):
        company.ask(Hint())


def test_a_hint_that_cannot_be_found_is_refused_and_no_trouble_of_the_table(company):
    asked = company.hint()
    company.parrot.trouble = "the engine has ended"
    company.loop.step()
    with pytest.raises(CompanionError, match="no hint was found: the engine has ended"):
        asked.result(timeout=0)
    assert "player" not in {view.name for view in company.loop.snapshot.devices}
    company.parrot.trouble = ""
    assert not company.hint().done()


def test_a_table_without_a_thinker_has_no_hints(tmp_path):
    stage = Stage(tmp_path).begin()
    with pytest.raises(CompanionError, match="no player"):
        stage.ask(Hint())
    stage.close()


def test_over_http_hints_come_from_the_thinker_and_the_service_itself_searches_nothing(
    company, monkeypatch
):
    monkeypatch.setattr(Racer, "choose", lambda *_: pytest.fail("a search in the service"))
    hub = Hub()
    hub.publish("state", state_json(company.loop.snapshot, BOARD))
    app = create_app(hub, company.loop.post, board=BOARD, secret="s")
    phone, other = (Visitor(app.test_client()) for _ in range(2))
    table = threading.Thread(target=company.loop.run)
    table.start()
    answers = []
    asking = threading.Thread(target=lambda: answers.append(phone.post("/api/hint")))
    asking.start()
    wait_for(lambda: company.parrot.asked)
    refused = other.post("/api/hint")
    company.parrot.says = ["e2"]
    asking.join()
    company.loop.stop()
    table.join()
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
    assert refused.json == {"error": "a hint is being looked for; try again in a moment"}
    (given,) = answers
    assert given.json["move"] == "e2"
    assert given.json["text"] == f"Try Pac-Man to e2: {given.json['reason']}."
    assert len(company.parrot.asked) == 1
