"""The pages in a real browser, on a table that a test leads by the hand."""

import re

import pytest
from playwright.sync_api import expect

from companion.board import Change
from companion.games.game import Effect
from companion.referee.verdict import Kind
from companion.service.requests import (
    AgreeDraw,
    Answer,
    EnterMove,
    LookAgain,
    NewGame,
    Roll,
    TakeBack,
)
from companion.web import create_app, serve
from tests.games.tables import put_up
from tests.waiting import wait_for
from tests.web.browsing import DESK, answered, point, sent
from tests.web.fake import BOARD, PACMAN_WINS

pytestmark = pytest.mark.browser


def test_page_follows_the_table_without_reload(visit, table):
    page = visit()
    expect(page.locator("#turn")).to_contain_text("Pac-Man’s turn")
    page.evaluate("window.marked = true")
    table.play("e2")
    expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    expect(page.locator('.pawn[data-piece="pacman"]')).to_have_attribute("data-spot", "e2")
    table.play("e4h")
    expect(page.locator('.fence[data-slot="e4h"]')).to_be_visible()
    expect(page.get_by_role("img", name="9 fences left")).to_be_visible()
    expect(page.locator("#moves .newest")).to_have_text("e4h")
    expect(page).to_have_title("Pac-Man’s turn · Companion")
    assert page.evaluate("window.marked")


@pytest.mark.parametrize("game", ["quoridor", "quoridor4", "pacman"])
@pytest.mark.parametrize("path", ["/", "/table"])
def test_narrow_phone_has_no_sideways_scroll(visit, table, game, path):
    table.begin(NewGame(game))
    table.say(Kind.UNSURE, "Which move was it?", moves=("e3h", "e3v", "d2"))
    page = visit(path)
    expect(page.locator(".choice").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_desk_has_board_and_words_side_by_side(visit):
    page = visit(size=DESK)
    board, turn = page.locator("#board").bounding_box(), page.locator("#turn").bounding_box()
    assert board["x"] + board["width"] <= turn["x"]
    assert board["y"] + board["height"] <= DESK["height"]


def test_tapping_a_square_shows_it_and_a_second_tap_plays_it(visit, table):
    page = visit(has_touch=True)
    target = page.locator('[data-target="e2"]')
    target.tap(force=True)
    expect(page.locator("#entry")).to_contain_text("Pac-Man to e2")
    assert table.commands == []
    with answered(page, "/api/move"):
        target.tap(force=True)
    assert table.commands == [EnterMove("e2")]


def test_fence_is_tapped_turned_and_played(visit, table):
    page = visit()
    box = page.locator("#board-svg").bounding_box()
    scale = box["width"] / (BOARD.field_mm + 19)
    x, y = BOARD.at("c3h")
    page.mouse.click(
        box["x"] + (BOARD.field_mm / 2 + 13 + x - 8) * scale,
        box["y"] + (BOARD.field_mm / 2 + 6 - y) * scale,
    )
    expect(page.locator(".preview.good")).to_have_attribute("data-slot", "c3h")
    page.get_by_role("button", name="Rotate the fence").click()
    expect(page.locator(".preview.good")).to_have_attribute("data-slot", "c3v")
    with answered(page, "/api/move"):
        page.get_by_role("button", name="Play", exact=True).click()
    assert table.commands == [EnterMove("c3v")]


def test_whole_move_can_be_entered_with_the_keyboard(visit, table):
    page = visit()
    page.locator("#board").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#cursor-words")).to_have_text("Pac-Man to e2")
    with answered(page, "/api/move"):
        page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    for key in ("h", "ArrowDown", "ArrowDown", "ArrowLeft", "v"):
        page.keyboard.press(key)
    expect(page.locator("#cursor-words")).to_have_text("A vertical fence on d6v")
    with answered(page, "/api/move"):
        page.keyboard.press("Enter")
    assert table.commands == [EnterMove("e2"), EnterMove("d6v")]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("h")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#cursor-words")).to_have_text("")
    expect(page.locator(".outline.cursor")).to_have_count(0)


def test_asking_why_not_shows_the_reason(visit, table):
    page = visit()
    page.locator("#board").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.locator("#cursor-words")).to_have_text("Pac-Man: e4, not allowed")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator("#toast .bad")).to_be_visible()
    assert table.commands == [EnterMove(effect=Effect("pacman", ("e4",)))]
    assert table.moves == []
    visit.complaints.clear()  # the browser logs the refusal itself


def test_a_fence_that_may_not_lie_there_is_asked_about(visit, table):
    table.play("e4h")
    page = visit()
    page.locator("#board").focus()
    page.keyboard.press("h")
    for key in ("ArrowDown",) * 4:
        page.keyboard.press(key)
    expect(page.locator("#cursor-words")).to_have_text("Fence: e4h (fence), not allowed")
    expect(page.locator(".preview.bad")).to_have_attribute("data-slot", "e4h")
    with answered(page, "/api/move"):
        page.keyboard.press("Enter")
    expect(page.locator("#toast .bad")).to_contain_text("e4h")
    page.keyboard.press("p")
    expect(page.locator("#cursor-words")).to_have_text("Blinky: e4, not allowed")
    assert table.commands == [EnterMove(effect=Effect(fence="e4h"))]
    visit.complaints.clear()  # the browser logs the refusal itself


def test_a_cursor_stays_on_the_board(visit, table):
    page = visit()
    page.locator("#board").focus()
    for key in ("ArrowDown", "h", "ArrowDown", *("ArrowRight",) * 9):
        page.keyboard.press(key)
    expect(page.locator("#cursor-words")).to_have_text("A horizontal fence on h1h")


def test_who_can_only_pass_is_offered_that(visit, table):
    table.begin(NewGame("quoridor4"))
    table.states[-1] = put_up("e1 e2 e3 i5", "d1v e1v", left=(0, 5, 5, 5))
    table.show()
    assert [choice.move for choice in table.snapshot().choices] == ["pass"]
    page = visit()
    with answered(page, "/api/move"):
        page.get_by_role("button", name="No move is possible: pass").click()
    assert table.commands == [EnterMove("pass")]


def test_when_chance_is_to_act_a_button_lets_it(visit, table):
    page = visit()
    table.chance = "Roll the dice"
    table.show()
    expect(page.locator("#turn strong")).to_have_text("Roll the dice")
    page.mouse.click(*point(page, *BOARD.at("e2"), picture="board-svg"))
    expect(page.locator("#play")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    expect(visit("/table").locator("#coach")).to_have_text("Roll the dice: on the phone page.")
    with answered(page, "/api/roll"):
        page.locator("#entry").get_by_role("button", name="Roll the dice").click()
    assert table.commands == [Roll()]
    expect(page.locator("#entry")).to_contain_text("tap the board")
    expect(page.locator("#entry button")).to_have_count(0)


def test_who_only_watches_rolls_nothing(visit, hub, table):
    table.chance = "Roll the dice"
    table.show()
    server = serve(
        create_app(hub, table.post, board=BOARD, secret="s", pairing="4711"), "127.0.0.1", 0
    )
    page = visit(at=server)
    expect(page.locator("#turn strong")).to_have_text("Roll the dice")
    expect(page.locator("#entry button")).to_have_count(0)
    page.goto("about:blank")
    server.close()


def test_unsure_offers_the_moves_and_previews_them(visit, table):
    page = visit()
    table.say(Kind.UNSURE, "Which move did Pac-Man make?", moves=("e3h", "e3v"))
    for path in ("/", "/table"):  # without a finger on anything, the places are shown
        other = visit(path)
        asked = ".preview.asked" if path == "/" else ".asked-place"
        expect(other.locator(asked)).to_have_count(2)
        expect(other.locator(".asked-number")).to_have_text(["1", "2"])
        expect(other.locator("#verdict-card h2")).to_have_text("Which move was it?")
    page.get_by_role("button", name="e3v").focus()
    expect(page.locator(".preview.maybe")).to_have_attribute("data-slot", "e3v")
    with answered(page, "/api/answer"):
        page.get_by_role("button", name="e3v").click()
    assert table.commands == [Answer("e3v")]
    table.say(Kind.UNSURE, "Which move did Blinky make?", moves=("e6h", "e6v"))
    with answered(page, "/api/answer"):
        page.get_by_role("button", name="None of these").click()
    assert table.commands[-1] == Answer("")


@pytest.mark.parametrize(("button", "answer"), [("Yes", "e2"), ("No", "")])
def test_about_one_move_the_question_is_yes_or_no(visit, table, button, answer):
    page = visit()
    table.say(Kind.UNSURE, "Did Pac-Man go to e2?", moves=("e2",), places=("e2",))
    expect(page.locator("#verdict-card h2")).to_have_text("Was this the move?")
    expect(page.locator("#turn strong")).to_have_text("A question")
    expect(page.locator(".outline.asked")).to_have_attribute("data-place", "e2")
    expect(page.locator(".choice")).to_have_count(2)
    with answered(page, "/api/answer"):
        page.get_by_role("button", name=re.compile(f"^{button}")).click()
    assert table.commands == [Answer(answer)]
    expect(page.locator(".asked")).to_have_count(0)


def test_what_the_page_shows_is_not_said_again_and_messages_lie_over_nothing(visit, table):
    page = visit()
    with answered(page, "/api/move"):
        for _ in range(2):
            page.mouse.click(*point(page, *BOARD.at("e2"), picture="board-svg"))
    expect(page.locator("#verdict-card")).to_contain_text("Pac-Man went to e2.")
    expect(page.locator("#toast p")).to_have_count(0)
    page.get_by_role("button", name="Take back").click()
    message = page.locator("#toast p")
    expect(message).to_have_text("Taken back: Pac-Man went to e2.")
    expect(message).to_be_in_viewport()
    assert (
        page.evaluate(
            """() => {
            const box = (id) => document.querySelector(id).getBoundingClientRect();
            const over = box("#toast p");
            return ["#turn", "#verdict-card", "#entry", "#board", "#actions"].filter((id) => {
                const under = box(id);
                return over.top < under.bottom && under.top < over.bottom
                    && over.left < under.right && under.left < over.right;
            });
        }"""
        )
        == []
    )


def test_not_allowed_says_why_shows_where_and_how_to_put_it_right(visit, table):
    page = visit()
    table.say(
        Kind.NOT_ALLOWED,
        "A pawn moves one square. Move Pac-Man from e3 to e1.",
        rule="Q-7",
        changes=(Change("pacman", "e1", "e3"),),
        repair=(Change("pacman", "e3", "e1"),),
    )
    card = page.locator("#verdict-card")
    expect(card.get_by_role("heading", name="Not allowed")).to_be_visible()
    expect(card).to_contain_text("A pawn moves one square.")
    expect(card.locator(".repair li")).to_have_text("Move Pac-Man from e3 to e1.")
    expect(page.locator("#verdict-assertive")).to_contain_text("A pawn moves one square.")
    expect(page.locator(".outline.wrong")).to_have_attribute("data-place", "e3")
    expect(page.locator(".arrow.fix")).to_have_count(1)
    with answered(page, "/api/look-again"):
        page.get_by_role("button", name="The board is right").click()
    assert table.commands == [LookAgain()]
    expect(page.locator(".outline.wrong")).to_have_count(0)


def test_new_game_dialog_starts_four_players_with_chosen_pawns(visit, table):
    page = visit()
    page.get_by_role("button", name="New game").click()
    page.get_by_text("4 players", exact=True).click()
    page.get_by_label("Pawn of player 1").select_option("clyde")
    page.get_by_text("House rules").click()
    page.get_by_label("With a pawn behind").select_option("diagonal")
    with answered(page, "/api/new"):
        page.get_by_role("button", name="Start").click()
    pieces = ("clyde", "blinky", "pinky", "inky")
    assert table.commands == [NewGame("quoridor4", {"pawnBehind": "diagonal"}, pieces)]
    expect(page.locator(".seat")).to_have_count(4)


def test_take_back_and_draw(visit, table):
    table.play("e2")
    page = visit()
    with answered(page, "/api/takeback"):
        page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    page.get_by_role("button", name="Agree a draw").click()
    with answered(page, "/api/draw"):
        page.get_by_role("button", name="It is a draw").click()
    assert table.commands == [TakeBack(), AgreeDraw()]
    expect(page.locator("#turn")).to_contain_text("A draw")


def test_winning_is_celebrated_once(visit, table):
    page = visit()
    table.play(*PACMAN_WINS)
    expect(page.locator("#party")).to_contain_text("Pac-Man wins!")
    page.get_by_role("button", name="Show the board").click()
    table.show()
    expect(page.locator("#turn")).to_contain_text("Pac-Man wins")
    expect(page.locator("#party")).to_be_hidden()


def test_page_polls_when_every_stream_is_taken(visit, hub, table):
    taken = [hub.stream(None) for _ in range(hub.streams)]
    page = visit()
    table.play("e2")
    expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    for stream in taken:
        stream.close()
    visit.complaints.clear()  # the browser logs the refused stream


def test_lost_connection_is_shown_and_heals_by_itself(visit, app, table):
    passing = serve(app, "127.0.0.1", 0)
    page = visit(at=passing)
    expect(page.locator("#lost")).to_be_hidden()
    passing.close()
    expect(page.locator("#lost")).to_be_visible()
    table.play("e2")
    again = serve(app, "127.0.0.1", passing.port)
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    page.goto("about:blank")
    again.close()
    visit.complaints.clear()  # the browser logs the failed tries


def test_watcher_joins_with_the_code(visit, hub, table):
    app = create_app(hub, table.post, board=BOARD, secret="s", pairing="4711")
    server = serve(app, "127.0.0.1", 0)
    page = visit(at=server)
    expect(page.get_by_role("button", name="Take back")).to_be_hidden()
    page.get_by_label("Code").fill("4711")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    page.goto("about:blank")
    server.close()


def test_page_survives_a_table_that_forgot_its_session(visit, table):
    page = visit()
    page.context.clear_cookies()
    page.locator("#board").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_contain_text("Blinky’s turn")
    visit.complaints.clear()  # the browser logs the first refusal


def test_dragging_a_pawn_lifts_carries_and_puts_it(visit, sim):
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="pacman"]')).to_be_visible()
    page.mouse.move(*point(page, *BOARD.at("e1")))
    page.mouse.down()
    with sent(page, "/api/sim/carry"):
        page.mouse.move(*point(page, *BOARD.at("e2")), steps=6)
    expect(page.locator(".hand.mine")).to_have_count(1)
    expect(page.locator(".may")).to_have_count(3)
    with answered(page, "/api/sim/put"):
        page.mouse.up()
    assert [call[0] for call in sim.calls][:1] == ["lift"]
    assert {call[0] for call in sim.calls[1:-1]} == {"carry"}
    assert sim.calls[-1] == ("put", "pacman", 0.0, -87.0, 0.0)


def test_quick_drags_all_arrive_though_the_table_is_slow(visit, sim):
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="pacman"]')).to_be_visible()
    sim.awake.clear()
    drags = [("e1", "e2"), ("e9", "e8"), ("e2", "e3"), ("e8", "e7")]
    for start, end in drags:
        page.mouse.move(*point(page, *BOARD.at(start)))
        page.mouse.down()
        page.mouse.move(*point(page, *BOARD.at(end)))
        page.mouse.up()
    sim.awake.set()
    wait_for(lambda: [call[0] for call in sim.calls].count("put") == len(drags))
    assert [call[:2] for call in sim.calls if call[0] in ("lift", "put")] == [
        (what, name)
        for name in ("pacman", "blinky", "pacman", "blinky")
        for what in ("lift", "put")
    ]
    for name, spot in (("pacman", "e3"), ("blinky", "e7")):
        assert (sim.bodies[name]["x"], sim.bodies[name]["y"]) == BOARD.at(spot)
    expect(page.locator(".dragging")).to_have_count(0)


def test_quick_fingers_move_pieces_and_not_the_page(visit, sim):
    page = visit("/table", has_touch=True, is_mobile=True)
    expect(page.locator('.body[data-id="pacman"]')).to_be_visible()
    touch = page.context.new_cdp_session(page)
    for number, (start, end) in enumerate([("e1", "e3"), ("e9", "e6"), ("e3", "e5")]):
        for kind, spot in (("touchStart", start), ("touchMove", end)):
            x, y = point(page, *BOARD.at(spot))
            finger = {"x": x, "y": y, "id": number}
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_for(lambda: [call[0] for call in sim.calls].count("put") == 3)
    for name, spot in (("pacman", "e5"), ("blinky", "e6")):
        assert (sim.bodies[name]["x"], sim.bodies[name]["y"]) == BOARD.at(spot)
    assert page.evaluate("scrollY") == 0


def test_fence_turns_to_the_groove_and_by_key(visit, sim):
    page = visit("/table", size=DESK)
    expect(page.locator('.body[data-id="fence1"]')).to_be_visible()
    page.mouse.move(*point(page, -221, 0))
    page.mouse.down()
    x, y = BOARD.at("d4v")
    page.mouse.move(*point(page, x, y + 14), steps=6)
    expect(page.locator(".where")).to_have_count(1)
    with answered(page, "/api/sim/put"):
        page.mouse.up()
    assert sim.calls[-1][4] == 90
    expect(page.locator(".where")).to_have_count(0)  # the first is put down
    page.mouse.move(*point(page, 221, 0))
    page.mouse.down()
    page.mouse.move(*point(page, *BOARD.at("f6h")), steps=6)
    expect(page.locator(".where")).to_have_count(1)
    before = page.locator('.body[data-id="fence2"]').get_attribute("style")
    page.keyboard.press("r")
    expect(page.locator('.body[data-id="fence2"]')).not_to_have_attribute("style", before)
    with answered(page, "/api/sim/put"):
        page.mouse.up()
    assert sim.calls[-1][:2] == ("put", "fence2")


def test_table_is_moved_without_a_mouse(visit, sim):
    page = visit("/table", size=DESK)
    page.locator("#keys-body").select_option("pacman")
    page.get_by_label("Where to").fill("e2")
    with answered(page, "/api/sim/put"):
        page.keyboard.press("Enter")
    assert sim.calls == [("lift", "pacman"), ("put", "pacman", 0.0, -87.0, 0.0)]


def test_buttons_of_the_table(visit, sim):
    page = visit("/table", size=DESK)
    with answered(page, "/api/sim/demo"):
        page.get_by_role("button", name="An illegal jump").click()
    expect(page.locator("#toast")).to_contain_text("Watch the table.")
    with answered(page, "/api/sim/hand"):
        page.get_by_role("button", name="Hold a hand over it").click()
    with answered(page, "/api/sim/no-hand"):
        page.get_by_role("button", name="Take the hand away").click()
    assert [call[0] for call in sim.calls] == ["demo", "hand", "no_hand"]


def test_lights_glow_in_their_colours(visit, hub):
    page = visit("/table", size=DESK)
    leds = [[0, 0, 0]] * BOARD.lights.count
    leds[BOARD.lights.names["S5"]] = [128, 0, 0]
    hub.publish("lights", {"leds": leds})
    glowing = page.locator('.led-core:not([opacity="0"])')
    expect(glowing).to_have_count(1)
    expect(glowing).to_have_attribute("fill", "rgb(255 0 0)")


def test_wide_table_page_shows_the_phone_page_beside(visit):
    page = visit("/table", size=DESK)
    phone = page.frame_locator("#phone")
    expect(phone.locator("#turn")).to_contain_text("Pac-Man’s turn")
    expect(page.locator("#verdict-card")).to_contain_text(re.compile("Pac-Man to move"))


def test_a_phone_held_sideways_shows_the_board_and_the_words_beside_each_other(visit, table):
    page = visit(size={"width": 740, "height": 360})
    for seen in ("#turn", "#verdict-card", "#seats"):
        expect(page.locator(seen)).to_be_in_viewport(ratio=0.6)
    expect(page.locator("#board-svg")).to_be_in_viewport(ratio=0.75)
    assert page.evaluate("document.documentElement.scrollWidth") == 740
