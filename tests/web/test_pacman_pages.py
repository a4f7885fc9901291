"""Quoridor PAC-MAN on the pages, in a real browser: what is drawn, led, entered and begun."""

import pytest
from playwright.sync_api import expect

from companion.board import Change
from companion.games.game import Effect
from companion.games.pacman.rules import arrange
from companion.referee.verdict import Kind
from companion.service.requests import EnterMove, NewGame
from tests.waiting import wait_for
from tests.web.browsing import DESK, answered, point
from tests.web.fake import BOARD

pytestmark = pytest.mark.browser


@pytest.fixture
def hunt(table):
    """Pac-Man against the companion's ghosts."""
    table.begin(NewGame("pacman", levels={1: 4}))
    return table


def tap(page, *squares):
    """Click squares of the board on the phone page."""
    for square in squares:
        page.mouse.click(*point(page, *BOARD.at(square), "board-svg"))


def test_pieces_pellets_lives_and_levels_are_shown(visit, hunt):
    page = visit()
    expect(page.locator("#turn")).to_contain_text("Pac-Man’s turn")
    expect(page.locator(".pawn:not(.off)")).to_have_count(5)
    expect(page.locator(".pellet-here")).to_have_count(4)
    expect(page.locator(".life:not(.gone)")).to_have_count(3)
    expect(page.get_by_role("img", name="3 lives left")).to_be_visible()
    expect(page.locator(".seat").nth(1)).to_contain_text("companion, level 4")
    expect(page.locator("#seats")).not_to_contain_text("fence")
    expect(page.locator("#board-words")).to_contain_text("Pellets: a1, a9, i1, i9.")


def arranged(table, ghosts, pellets, pacman="e5"):
    """Have the table show any position, with Pac-Man to move."""
    table.states[-1] = arrange(table.states[-1].ground, pacman, ghosts, pellets)
    table.say(Kind.WAITING, "Pac-Man to move.")


def test_what_was_eaten_is_told_and_lies_beside_the_board(visit, hunt):
    page = visit()
    hunt.play("d5-d4", "Be8", "Ih5", "Pb5", "Cd1")
    expect(page.locator("#moves td").nth(1)).to_have_text("Be8 Ih5 Pb5 Cd1")
    expect(page.locator("#moves .newest")).to_have_text("Cd1")
    arranged(hunt, {"blinky": "e8", "inky": "h5", "clyde": "d1"}, ["a1", "i9"])
    expect(page.locator(".pellet-here")).to_have_count(2)
    eaten = page.locator(".seat").first.get_by_role("img", name="2 of 4 pellets eaten, promising")
    expect(eaten.locator(".token-pellet.gone")).to_have_count(2)
    expect(page.locator('.pawn.off[data-piece="pinky"]')).to_be_visible()
    expect(page.get_by_role("img", name="Beside the board: Pinky")).to_be_visible()
    expect(page.locator("#board-words")).to_contain_text("Beside the board: Pinky.")


def test_line_of_sight_is_a_band_from_ghost_to_pacman(visit, hunt):
    arranged(hunt, {"blinky": "e9", "inky": "i4"}, ["a1"], pacman="e7")
    assert hunt.snapshot().sight == {"blinky": ("e8",)}
    for path in ("/", "/table"):
        page = visit(path)
        expect(page.locator(".sight")).to_have_count(1)
        expect(page.locator(".sight")).to_have_attribute("data-by", "blinky")
        hunt.say(Kind.SET_UP, "Put …", repair=(Change("blinky", None, "e9"),))
        expect(page.locator(".sight")).to_have_count(0)
        hunt.say(Kind.WAITING, "Pac-Man to move.")


def test_the_companion_thinks_and_nobody_enters_its_moves(visit, hunt):
    page = visit()
    hunt.play("d5-d4")
    hunt.thinking = True
    hunt.say(Kind.WAITING, "Blinky, Clyde, Inky or Pinky to move.")
    expect(page.locator("#turn")).to_contain_text("The ghosts think…")
    tap(page, "e9", "e8")
    expect(page.locator("#play")).to_have_count(0)
    hunt.thinking = False
    hunt.show()
    expect(page.locator("#turn")).to_contain_text("The ghosts’ turn")
    assert hunt.commands == []


@pytest.mark.parametrize("path", ["/", "/table"])
def test_moves_of_the_companion_are_led_one_at_a_time(visit, hunt, path):
    hunt.play("d5-d4", "Be8")
    repair = (Change("blinky", "e9", "e8"),)
    hunt.say(Kind.SET_UP, "Move Blinky from e9 to e8.", repair=repair)
    page = visit(path)
    card = page.locator("#verdict-card")
    expect(card.get_by_role("heading", name="Blinky’s move")).to_be_visible()
    expect(card.locator(".guided")).to_have_text("Move Blinky from e9 to e8.")
    expect(card.locator(".progress")).to_have_text("move 1 of 4")
    expect(page.locator(".arrow.lead")).to_have_count(1)
    expect(page.locator("#verdict-polite")).to_have_text("Move Blinky from e9 to e8.")
    expect(page.locator("#turn strong")).to_have_text("Move Blinky to e8")
    expect(page.locator("#turn")).to_contain_text("then it is the ghosts’ turn")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_banner_says_what_is_to_be_moved_before_it_names_the_next_player(visit, hunt):
    hunt.play("d5-d4", "Be8", "Cd1", "Pa4", "Ii4")
    hunt.say(Kind.SET_UP, "Move Inky from i5 to i4.", repair=(Change("inky", "i5", "i4"),))
    page = visit()
    expect(page.locator("#turn strong")).to_have_text("Move Inky to i4")
    expect(page.locator("#turn")).to_contain_text("then it is Pac-Man’s turn")
    expect(page).to_have_title("Move Inky to i4 · Companion")
    hunt.say(Kind.WAITING, "Pac-Man to move.")
    expect(page.locator("#turn strong")).to_have_text("Pac-Man’s turn")
    expect(page.locator("#turn")).to_contain_text("round 2")


def test_a_capture_is_told_while_all_go_back(visit, hunt):
    page = visit()
    arranged(hunt, {"blinky": "e8", "inky": "i5"}, ["a1"], pacman="d6")
    hunt.play("d7-e7", "Be7")
    hunt.say(Kind.SET_UP, "Move Blinky …", repair=hunt.last)
    card = page.locator("#verdict-card")
    expect(card.get_by_role("heading", name="All go back to the start")).to_be_visible()
    expect(card).to_contain_text("Blinky went to e7 and caught Pac-Man: two lives left.")
    expect(card.locator(".progress")).to_have_text(f"1 of {len(hunt.last)}")
    expect(page.locator(".life.gone")).to_have_count(1)


def test_several_things_are_counted_down(visit, hunt):
    page = visit()
    away = Change("inky", "e6", None)
    home = (Change("blinky", "e5", "e9"), Change("pacman", "d4", "e5"))
    hunt.say(Kind.SET_UP, "Take Inky off the board …", repair=(away, *home))
    card = page.locator("#verdict-card")
    expect(card.locator(".guided")).to_have_text("Take Inky off the board.")
    expect(card.locator(".progress")).to_have_text("1 of 3")
    expect(page.locator('.pawn[data-piece="blinky"]')).to_have_attribute("data-spot", "e5")
    hunt.say(Kind.SET_UP, "Move Blinky from e5 to e9 …", repair=home)
    expect(card.locator(".guided")).to_have_text("Move Blinky from e5 to e9.")
    expect(card.locator(".progress")).to_have_text("2 of 3")
    hunt.say(Kind.SET_UP, "Move Pac-Man from d4 to e5.", repair=home[1:])
    expect(card.locator(".progress")).to_have_text("3 of 3")
    hunt.say(Kind.WAITING, "Pac-Man to move.")
    expect(card.locator(".guided")).to_have_count(0)


def test_a_walk_is_tapped_square_by_square(visit, hunt):
    page = visit()
    expect(page.locator(".target.step")).to_have_count(4)
    tap(page, "e6")
    expect(page.locator("#entry")).to_contain_text("Pac-Man: e6 …")
    expect(page.locator("#cursor-words")).to_have_text("Pac-Man: e6, go on")
    expect(page.locator("#play")).to_have_count(0)
    tap(page, "e5")
    expect(page.locator("#entry")).to_contain_text("Pac-Man out to e6 and back")
    with answered(page, "/api/move"):
        page.get_by_role("button", name="Play", exact=True).click()
    assert hunt.commands == [EnterMove("e6-e5")]


def test_tapping_where_a_walk_ends_takes_the_way_and_again_plays_it(visit, hunt):
    page = visit()
    tap(page, "d4")
    expect(page.locator("#entry")).to_contain_text("to d4")
    with answered(page, "/api/move"):
        tap(page, "d4")
    (entered,) = hunt.commands
    assert entered.move.endswith("-d4")


def test_an_impossible_walk_is_asked_about(visit, hunt):
    page = visit()
    tap(page, "a2")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator("#toast .bad")).to_be_visible()
    assert hunt.commands == [EnterMove(effect=Effect("pacman", ("a2",)))]
    assert hunt.moves == []
    visit.complaints.clear()  # the browser logs the refusal itself


def test_ghosts_are_chosen_and_walked_with_the_keyboard(visit, table):
    table.begin(NewGame("pacman"))
    table.play("d5-d4")
    page = visit()
    expect(page.locator("#turn")).to_contain_text("The ghosts’ turn")
    page.locator("#board").focus()
    page.keyboard.press("b")
    expect(page.locator("#cursor-words")).to_have_text("Blinky")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#cursor-words")).to_have_text("Blinky to e8")
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowUp")  # there is no row above
    page.keyboard.press("ArrowDown")
    with answered(page, "/api/move"):
        page.keyboard.press("Enter")
    tap(page, "e1", "d1")
    with answered(page, "/api/move"):
        page.get_by_role("button", name="Play", exact=True).click()
    assert table.commands == [EnterMove("Be8"), EnterMove("Cd1")]


def test_new_game_offers_levels_and_house_rules(visit, table):
    page = visit()
    page.get_by_role("button", name="New game").click()
    page.locator("#new-games").get_by_text("Pac-Man", exact=True).click()
    page.get_by_label("Set-up").select_option("pacman-short")
    page.get_by_label("Level of The ghosts").fill("10")
    expect(page.locator("#new-seats output")).to_have_text("level 10, merciless")
    page.get_by_text("House rules").click()
    page.get_by_label("The ghosts move").select_option("fixed")
    page.get_by_label("may also move a single square").check()
    with answered(page, "/api/new"):
        page.get_by_role("button", name="Start").click()
    (wanted,) = table.commands
    assert (wanted.game, wanted.levels, wanted.pieces) == ("pacman", {1: 10}, ())
    assert wanted.options["layout"] == "pacman-short"
    assert wanted.options["ghostOrder"] == "fixed"
    assert wanted.options["frenzyUpTo"] == "yes"
    expect(page.locator("#seats")).to_contain_text("companion, level 10")


def test_every_seat_can_be_the_companions(visit, hunt):
    page = visit()
    page.get_by_role("button", name="New game").click()
    page.get_by_label("Who plays Pac-Man").select_option("companion")
    page.get_by_label("Who plays The ghosts").select_option("person")
    with answered(page, "/api/new"):
        page.get_by_role("button", name="Start").click()
    assert hunt.commands[-1].levels == {0: 3}


def test_a_pellet_is_dragged_beside_the_board(visit, hunt, sim):
    page = visit("/table", size=DESK)
    pellet = page.locator('.body.pellet[data-id="pellet1"]')
    expect(pellet).to_be_visible()
    page.mouse.move(*point(page, *BOARD.at("a1")))
    page.mouse.down()
    page.mouse.move(*point(page, -230, 0), steps=6)
    with answered(page, "/api/sim/put"):
        page.mouse.up()
    assert sim.calls[-1][:2] == ("put", "pellet1")
    assert sim.calls[-1][2] < -BOARD.board_mm / 2


def test_pacman_on_a_pellet_takes_it_off_with_the_other_hand(visit, hunt, sim):
    arranged(hunt, {"blinky": "e9"}, ["a1"], pacman="a3")
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="pellet1"]')).to_be_visible()
    page.mouse.move(*point(page, *BOARD.at("e1")))  # where this table has him
    page.mouse.down()
    page.mouse.move(*point(page, *BOARD.at("a1")), steps=6)
    page.mouse.up()
    expect(page.locator(".body.dragging")).to_have_count(0)
    puts = [("pellet1", 1000.0), ("pacman", BOARD.at("a1")[0])]
    wait_for(lambda: [call[1:3] for call in sim.calls if call[0] == "put"] == puts)


def test_who_may_not_go_there_leaves_what_stands_there(visit, hunt, sim):
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="pellet1"]')).to_be_visible()
    page.mouse.move(*point(page, *BOARD.at("e1")))
    page.mouse.down()
    page.mouse.move(*point(page, *BOARD.at("a1")), steps=6)
    with answered(page, "/api/sim/put"):
        page.mouse.up()
    assert [call[1] for call in sim.calls if call[0] == "put"] == ["pacman"]


def test_helping_hand_is_switched_and_every_table_shows_it(visit, hunt, sim):
    one, other = visit("/table", size=DESK), visit("/table", size=DESK)
    switch = one.get_by_label("A helping hand")
    expect(switch).not_to_be_checked()
    with answered(one, "/api/sim/help"):
        switch.check()
    assert sim.calls == [("help", True)]
    hunt.say(Kind.SET_UP, "Put …", repair=(Change("blinky", "e8", "e9"),))
    for page in (one, other):
        expect(page.locator("#coach")).to_contain_text(
            "A helping hand does what the companion asks"
        )
    expect(other.get_by_label("A helping hand")).to_be_checked()


def test_only_scenes_that_make_sense_are_offered(visit, table):
    page = visit("/table", size=DESK)
    expect(page.get_by_role("button", name="An illegal jump")).to_be_visible()
    table.begin(NewGame("pacman"))
    expect(page.get_by_role("button", name="An illegal jump")).to_be_hidden()
    expect(page.get_by_role("button", name="A legal move")).to_be_enabled()
    table.begin(NewGame("pacman", levels={0: 3}))
    expect(page.get_by_role("button", name="A legal move")).to_be_disabled()


def test_the_companion_is_watched_playing_both_sides(visit, hunt, sim):
    hunt.play("d5-d4")
    page = visit("/table", size=DESK)
    page.get_by_role("button", name="Watch the companion").click()
    with answered(page, "/api/sim/set-up"):
        page.get_by_role("button", name="Watch", exact=True).click()
    assert hunt.commands[-1].levels == {0: 5, 1: 5}
    wait_for(lambda: ("help", True) in sim.calls)
    assert any(call[0] == "set_up" and call[1]["e5"] == "pacman" for call in sim.calls)


def test_words_are_read_aloud_only_when_wanted(visit, hunt):
    page = visit()
    page.evaluate(
        """() => {
            window.said = [];
            speechSynthesis.speak = ({ text }) => window.said.push(text);
        }"""
    )
    hunt.say(Kind.WAITING, "Pac-Man to move, quietly.")
    expect(page.locator("#verdict-card")).to_contain_text("quietly")
    assert page.evaluate("window.said") == []
    page.get_by_role("button", name="Read aloud").click()
    hunt.play("d5-d4")
    expect(page.locator("#verdict-card")).to_contain_text("Pac-Man went to d4.")
    said = ["Pac-Man to move, quietly.", "Pac-Man went to d4."]
    assert page.evaluate("window.said") == said
    expect(page.get_by_role("button", name="Read aloud")).to_have_attribute("aria-pressed", "true")


def test_a_hint_is_told_and_shown_on_the_board(visit, hunt):
    page = visit()
    with answered(page, "/api/hint") as answer:
        page.get_by_role("button", name="Hint").click()
    move = answer.value.json()["move"]
    expect(page.locator("#toast")).to_contain_text(f"Try Pac-Man over {move.split('-')[0]}")
    expect(page.locator(".walk.maybe")).to_have_attribute("data-walk", move)
    hunt.play(move)
    expect(page.locator(".walk")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
