"""A game is a folder and one call: everything plays one that it has never heard of."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.boards import profile
from companion.config import Settings, StoreSettings, WebSettings
from companion.engine.server import Engine, serve
from companion.games.catalogue import KITS, find_game, find_kit, register
from companion.games.game import CHANCE, State, leave_to_chance
from companion.games.record import Record, parse
from companion.lights.names import Lit, faced, facing, side_lights
from companion.lights.scene import paint
from companion.lights.view import Mood, View
from companion.players.player import Limits
from companion.referee.verdict import Kind
from companion.service.app import App
from companion.service.requests import Answer, EnterMove, Roll
from companion.service.simulated.rig import Rig
from companion.sim.hands import Person
from companion.sim.room import Room, Setting
from tests.games.dash import kit as dash
from tests.waiting import wait_for
from tests.web.browsing import DESK, PHONE, point

BOARD = profile.load("reference")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register(*dash.KITS)
    yield
    for kit in dash.KITS:
        del KITS[kit.name]


def told(*lines: str) -> list[str]:
    out = io.StringIO()
    serve(Engine(find_game("dash"), lambda: 0.0, Random(1)), lines, out)
    return out.getvalue().splitlines()


def test_the_engine_speaks_for_it() -> None:
    assert told("position startpos", "legal")[-1] == "legal die:1 die:2 die:3"
    assert told("position startpos moves die:2", "legal")[-1] == "legal c3 g1h"
    assert told("position startpos", "perft 2")[-1] == "nodes 6"
    assert told("position startpos moves die:3", "go depth 2")[-1] in (
        "bestmove c4",
        "bestmove g1h",
    )


def test_a_good_move_has_a_reason() -> None:
    state, kit = find_game("dash").start().play("die:2"), find_kit("dash")
    move = kit.player(10).choose(state, Random(1), Limits(depth=1))
    assert move in state.legal_moves()
    assert kit.reason(state, move, ()) in ("gets you on", "keeps the other back")


def test_a_game_is_played_to_its_end_and_its_record_read_again() -> None:
    rng, moves = Random(3), []
    state: State = find_game("dash").start()
    while state.to_act is not None:
        by_die = state.to_act is CHANCE
        move = leave_to_chance(state, rng) if by_die else rng.choice(state.legal_moves())
        moves.append(move)
        state = state.play(move)
    outcome = state.outcome()
    assert outcome is not None
    record = Record("dash", tuple(moves), ("Ann", "Bob"), {}, outcome.result(2))
    assert parse(str(record)) == record


# --- at the table -------------------------------------------------------------------------------


@pytest.fixture
def sit_down() -> Iterator[Callable[[Setting], Rig]]:
    """Begin the game in rooms of any setting."""
    rigs: list[Rig] = []

    def begin(setting: Setting) -> Rig:
        rigs.append(Rig(Room(BOARD, setting)))
        rigs[-1].begin("dash")
        return rigs[-1]

    yield begin
    for rig in rigs:
        rig.close()


def refused(rig: Rig) -> tuple[str, str]:
    """Wait until something is not allowed; return the rule and the sentence."""
    assert rig.wait(3.0, until=lambda: rig.verdict.kind is Kind.NOT_ALLOWED), rig.verdict
    return rig.verdict.rule, rig.verdict.text


def accepted(rig: Rig, *moves: str) -> bool:
    return rig.wait(3.0, until=lambda: rig.moves == moves)


def test_its_moves_are_seen_on_the_table_and_refused_by_its_rules(sit_down) -> None:
    rig = sit_down(Setting("lamp", seed=2))
    person = Person(rig.table, rig.board)
    assert (rig.snapshot.to_act, rig.verdict.text) == (CHANCE, "Roll the die.")
    rig.watch(person.move_pawn("pacman", "c1", "c2"))
    assert refused(rig) == ("D-2", "First the die is rolled. Move Pac-Man from c2 to c1.")
    rig.watch(person.move_pawn("pacman", "c2", "c1"))
    assert rig.wait(3.0, until=lambda: rig.verdict.kind is Kind.WAITING)

    assert rig.ask(Roll()) == "The die shows 3."
    rig.watch(person.move_pawn("pacman", "c1", "c3"))
    assert refused(rig) == (
        "D-1",
        "A pawn goes just as far as the die says. Move Pac-Man from c3 to c1.",
    )
    rig.watch(person.move_pawn("pacman", "c3", "c4"))
    assert accepted(rig, "die:3", "c4")

    assert rig.ask(Roll()) == "The die shows 3."
    rig.watch(Person(rig.table, rig.board, "north").place_fence("c4h"))
    assert accepted(rig, "die:3", "c4", "die:3", "c4h")

    assert rig.ask(Roll()) == "The die shows 1."
    rig.watch(person.remove_fence("c4h"))  # nothing comes to stand anywhere: so it is asked
    assert rig.wait(3.0, until=lambda: rig.verdict.kind is Kind.UNSURE)
    assert rig.verdict.text == "Is this right: Pac-Man cannot move and passes?"
    rig.ask(Answer("c4"))
    assert accepted(rig, "die:3", "c4", "die:3", "c4h", "die:1", "c4")
    assert rig.loop.table.is_as_agreed


# --- in the lights ------------------------------------------------------------------------------


def lit(rig: Rig, seconds: float = 0.0) -> Lit:
    """Return the lights that are on so much later."""
    return paint(View(rig.snapshot, BOARD, rig.clock.now + seconds, Mood()))


def in_colour(rig: Rig, light: str, thing: str) -> bool:
    """Tell whether a light shines in the colour of a piece, however bright."""
    shown, wanted = lit(rig)[light], BOARD.pieces[thing].colour
    return all(
        abs(a * max(wanted) - b * max(shown)) <= 600 for a, b in zip(shown, wanted, strict=True)
    )


def test_its_turns_its_die_and_what_is_to_be_put_right_are_shown_by_the_lights(sit_down) -> None:
    rig = sit_down(Setting(hall=True, blind=True, lights=True))
    wandering = [
        {name for name, (red, green, blue) in lit(rig, seconds).items() if red == green == blue}
        for seconds in (0.0, 0.5)
    ]
    assert wandering[0], "a white light goes around while the die is to be rolled"
    assert wandering[0] != wandering[1]

    assert rig.ask(Roll()) == "The die shows 1."
    south = side_lights(BOARD, 2, 0)
    assert all(in_colour(rig, light, "pacman") for light in south)

    rig.ask(EnterMove("c2"))
    assert rig.wait(3.0, until=lambda: rig.verdict.kind is Kind.SET_UP)
    (goal,) = set(facing(BOARD, "c2")) & {"W2"}
    assert in_colour(rig, goal, "pacman")
    assert set(faced(BOARD, ("c1",))) <= lit(rig).keys()
    assert any(any(colour) for colour in rig.room.pixels.colours)

    rig.watch(Person(rig.table, rig.board).move_pawn("pacman", "c1", "c2"))
    assert rig.wait(3.0, until=lambda: rig.verdict.kind is Kind.WAITING)
    assert rig.snapshot.to_act is CHANCE


# --- on the pages -------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    web, store = WebSettings(host="127.0.0.1", port=0), StoreSettings(tmp_path / "journal.db")
    app = App(Settings(web=web, store=store), simulate=True, new=True)
    yield app
    app.close()


@pytest.fixture
def visit(browser: Browser, app: App) -> Iterator[Callable[..., Page]]:
    """Open pages; none of them may complain."""
    complaints: list[str] = []
    contexts = []
    server = app.start()

    def open_page(path: str, size: dict[str, int]) -> Page:
        contexts.append(browser.new_context(viewport=size, reduced_motion="reduce"))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def tap(page: Page, spot: str) -> None:
    page.mouse.click(*point(page, *BOARD.at(spot), "board-svg"))


def roll(page: Page, app: App) -> int:
    """Let the page roll the die; return what it shows."""
    before = len(app.loop.snapshot.moves)
    page.locator("#entry").get_by_role("button", name="Roll the die").click()
    wait_for(lambda: len(app.loop.snapshot.moves) > before)
    return int(app.loop.snapshot.moves[-1][-1])


@pytest.mark.browser
def test_it_is_begun_rolled_entered_and_shown_on_the_pages(visit, app) -> None:
    page, table = visit("/", PHONE), visit("/table", DESK)
    page.get_by_role("button", name="New game").click()
    page.locator("#new-games label", has_text="Dash").click()
    page.get_by_label("The second pawn has a head start").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#turn strong")).to_have_text("Roll the die")
    expect(page.get_by_role("img", name="1 of 1 fence left")).to_have_count(2)
    assert dict(app.loop.snapshot.position) == {"c1": "pacman", "g2": "blinky"}
    table.get_by_role("button", name="Set the board up").click()
    expect(table.get_by_role("button", name="A square too far")).to_be_disabled()
    expect(table.get_by_role("button", name="An illegal jump")).to_have_count(0)

    steps = roll(page, app)
    expect(page.locator("#turn strong")).to_have_text("Pac-Man’s turn")
    expect(page.locator("#moves .newest")).to_have_text(f"die:{steps}")
    tap(page, "c8")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator("#toast")).to_contain_text("just as far as the die says")
    tap(page, f"c{1 + steps}")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#moves .newest")).to_have_text(f"c{1 + steps}")
    expect(page.locator("#turn strong")).to_have_text(f"Move Pac-Man to c{1 + steps}")
    expect(page.locator("#turn span")).to_have_text("then roll the die")

    assert app.sim is not None
    app.sim.table.put("pacman", *BOARD.at(f"c{1 + steps}"))
    expect(page.locator("#turn strong")).to_have_text("Roll the die", timeout=20_000)
    expect(page.locator("#turn span")).to_have_text(f"Pac-Man went to c{1 + steps}")
    roll(page, app)
    expect(page.locator("#moves td").nth(1)).to_contain_text("die:")
    table.get_by_role("button", name="A square too far").click()
    expect(page.locator("#verdict-card")).to_contain_text(
        "A pawn goes just as far as the die says", timeout=30_000
    )
    wait_for(lambda: app.loop.snapshot.verdict.kind is Kind.WAITING, 30.0)
    tap(page, f"c{1 + steps}h")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("img", name="0 of 1 fence left")).to_have_count(1)
    expect(page.locator("#moves .newest")).to_have_text(f"c{1 + steps}h")
