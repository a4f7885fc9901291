"""Games of the studio are legal, and their frames show them as they are told."""

from itertools import pairwise

import pytest

from bench.studio.games import GAMES, MOVES, GamePlan, plan_game
from companion.board import FENCE
from companion.boards import profile
from companion.games.catalogue import find_game
from companion.games.game import replay

BOARD = profile.load("reference")


@pytest.fixture(scope="module", params=range(6))
def game(request) -> GamePlan:
    return plan_game(BOARD, 2, request.param)


def _shown(plan) -> dict[str, str]:
    position = {stand.square: stand.pawn.name for stand in plan.setting.stands}
    position |= dict.fromkeys(plan.setting.pellets, "pellet")
    return position | {fence.slot: FENCE for fence in plan.setting.fences}


def _expected(game: GamePlan, ply: int) -> dict[str, str]:
    facts = game.facts
    moves = [*facts["moves_before"], *facts["moves"][:ply]]
    position = replay(find_game(facts["game"]).start({}), moves).position()
    names = {f"pawn{number}": name for number, name in enumerate(facts["seats"], 1)}
    return {spot: names.get(thing, thing) for spot, thing in position.items()}


def test_all_games_have_their_turn():
    assert {plan_game(BOARD, 2, number).facts["game"] for number in range(3)} == set(GAMES)


def test_a_seed_always_gives_the_same_game(game):
    number = game.frames[0].plan.number
    assert plan_game(BOARD, 2, number) == game


def test_every_move_is_legal_and_changes_the_board(game):
    assert len(game.facts["moves"]) == MOVES >= 10
    shown = [_expected(game, ply) for ply in range(MOVES + 1)]
    assert all(one != other for one, other in pairwise(shown))


def test_each_move_has_four_frames_and_the_last_of_them_is_settled(game):
    notes = [frame.facts["note"] for frame in game.frames]
    assert notes[0] == "initial"
    assert notes[1:] == ["hand before move", "carrying", "hand after move", "settled"] * MOVES
    for number, frame in enumerate(game.frames):
        assert frame.facts["frame"] == number
        assert frame.facts["settled"] == (not frame.plan.hands)


def test_frames_show_what_the_moves_lead_to(game):
    for frame in game.frames:
        facts, shown = frame.facts, _shown(frame.plan)
        expected = _expected(game, facts["ply"])
        if facts["note"] == "carrying":
            missing = {thing for spot, thing in expected.items() if shown.get(spot) != thing}
            move = facts["move"]
            assert missing == (set() if move["type"] == "wall" else {facts["in_hand"]})
            assert set(shown.items()) <= set(expected.items())
            assert frame.plan.hands[0].holds is not None
        else:
            assert shown == expected


def test_a_room_stays_as_it_is_but_for_what_is_moved(game):
    first = game.frames[0].plan
    places: dict[str, tuple[float, float]] = {}
    for frame in game.frames:
        plan = frame.plan
        assert (plan.theme, plan.lens, plan.light, plan.board) == (
            first.theme,
            first.lens,
            first.light,
            first.board,
        )
        if frame.facts["note"] == "hand before move":
            here = {s.pawn.name: (s.x_mm, s.y_mm) for s in plan.setting.stands}
            assert not places or here == places
        if frame.facts["settled"]:
            places = {s.pawn.name: (s.x_mm, s.y_mm) for s in plan.setting.stands}


def test_the_board_of_a_game_is_the_reference_with_all_its_markers_in_view(game):
    plan = game.frames[0].plan
    assert plan.board.markers == BOARD.markers
    assert plan.board.cell_mm == BOARD.cell_mm
    seen = plan.lens.project([(m.x_mm, m.y_mm, 0.0) for m in BOARD.markers])
    assert seen.min() > 0
    assert (seen < (plan.lens.width, plan.lens.height)).all()
