"""The rules of the card game one by one; each test names the rule or ruling it is about."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.board import Change
from companion.errors import IllegalMove, MalformedMove, OptionError
from companion.games.cards.kinds import Card, CardTable
from companion.games.cards.rules import Cards, CardsGame
from companion.games.cards.standing import ACTIVE, DOWN, OUT
from companion.games.catalogue import find_game
from companion.games.game import CHANCE, Outcome
from companion.games.record import parse

NAMES = ("Ann", "Ben", "Cleo", "Dan")
HERE = Path(__file__).parent


def start(level: str = "bonus", players: int = 3, **options: str) -> Cards:
    state = find_game("cards").start({"level": level, "players": str(players), **options})
    assert isinstance(state, Cards)
    return state


def after(state: Cards, words: str) -> Cards:
    """Play moves; the bare name of a card is drawn, or dealt where it is chance's turn."""
    for word in words.split():
        if word in state.table.index:
            if state.to_act != CHANCE:
                state = state.play("draw")
            state = state.play(f"deal:{word}")
        else:
            state = state.play(word)
    return state


def hand(state: Cards, seat: int) -> dict[str, int]:
    kinds = state.table.cards.kinds
    return {card.name: count for card, count in zip(kinds, state.hands[seat], strict=True) if count}


def holding(state: Cards, *hands: str) -> Cards:
    """Put cards from the deck into the players' hands."""
    deck, dealt = list(state.deck), [list(cards) for cards in state.hands]
    for seat, names in enumerate(hands):
        for name in names.split():
            deck[state.table.index[name]] -= 1
            dealt[seat][state.table.index[name]] += 1
    return replace(state, deck=tuple(deck), hands=tuple(map(tuple, dealt)))


def emptied(state: Cards, keep: str = "") -> Cards:
    """Leave nothing in the deck but the cards named."""
    deck = [0] * len(state.deck)
    for name in keep.split():
        deck[state.table.index[name]] += 1
    return replace(state, deck=tuple(deck))


def inactive(state: Cards, **seats: str) -> Cards:
    """Set what became of seats: ``p2="down"``."""
    status = [seats.get(f"p{n + 1}", ACTIVE) for n in range(state.seats)]
    return replace(state, status=tuple(status))


def refused(state: Cards, move: str) -> tuple[str, str]:
    """Return rule and text of a refusal, and make sure the move is refused everywhere."""
    refusal = state.why_not(move, NAMES)
    assert refusal is not None
    assert move not in state.legal_moves()
    with pytest.raises((IllegalMove, MalformedMove)):
        state.play(move)
    return refusal.rule, refusal.text


# -- the rules


def test_a_level_is_for_two_to_four_and_the_bonus_level_is_both_decks_together() -> None:
    """CG-1"""
    assert [sum(start(level, 2).deck) for level in ("1", "2", "bonus")] == [54, 54, 108]
    assert start("1", 4).seats == 4
    with pytest.raises(OptionError, match="level 2 is for 2 to 4 players, not 5; the bonus level"):
        start("2", 5)


def test_the_bonus_level_takes_two_to_eight() -> None:
    """CG-A28"""
    assert [start("bonus", players).seats for players in (2, 5, 8)] == [2, 5, 8]
    with pytest.raises(OptionError):
        start("bonus", 9)


def test_the_best_impression_starts_and_turns_go_clockwise() -> None:
    """CG-2"""
    state = start(first="3")
    assert state.to_act == 2
    assert after(state, "dot stop").to_act == 0
    assert after(state, "dot stop dot stop").to_act == 1
    with pytest.raises(OptionError, match="expected first from 1 to 3, the players, not 4"):
        start(first="4")


def test_a_turn_is_up_to_three_cards_one_at_a_time_or_a_shut_down() -> None:
    """CG-3"""
    state = start()
    assert state.legal_moves() == ["down", "draw"]
    assert state.play("draw").to_act is CHANCE
    state = after(state, "dot")
    assert state.legal_moves() == ["down", "draw", "stop"]
    state = after(state, "dot dot")
    assert state.legal_moves() == ["down", "stop"]
    assert refused(state, "draw") == (
        "CG-3",
        "Ann has drawn three cards, and now stops or shuts down",
    )
    assert refused(state, "deal:dot")[0] == "CG-3"
    assert refused(start().play("draw"), "stop")[0] == "CG-3"


def test_nobody_ends_a_turn_without_a_card() -> None:
    """CG-A1"""
    assert refused(start(), "stop") == ("CG-A1", "Ann draws a card at least, or shuts down")


def test_dots_and_fruit_are_worth_points_and_ghosts_none() -> None:
    """CG-4"""
    state = after(start(), "dot orange ghost")
    assert hand(state, 0) == {"dot": 1, "orange": 1, "ghost": 1}
    assert state.points(0) == 6


def test_card_values_come_from_the_table_of_cards() -> None:
    """CG-A30"""
    state = tiny_start("gem gem boo")
    assert after(state, "gem").points(0) == 40


def test_three_ghosts_knock_out_and_the_hand_lies_open() -> None:
    """CG-5"""
    state = after(start(), "ghost ghost")
    assert state.status[0] == ACTIVE
    state = after(state, "ghost")
    assert state.status[0] == OUT
    for seat in (None, 1):
        assert state.view(seat)["players"][0]["open"] == {"ghost": 3}  # type: ignore[index]


def test_the_turn_of_one_who_is_knocked_out_ends_at_once() -> None:
    """CG-A32"""
    state = after(start(), "ghost ghost ghost")
    assert state.to_act == 1
    assert state.drawn == 0


def test_no_later_power_up_saves_from_the_third_ghost() -> None:
    """CG-A18: with a GIVE-GHOST next in the deck there is no turn left to draw it in."""
    state = after(start("2"), "ghost ghost stop dot stop dot stop ghost")
    assert state.status[0] == OUT
    assert state.to_act == 1


def test_a_power_up_is_carried_out_before_anything_else() -> None:
    """CG-6"""
    state = after(start(), "swap")
    assert state.to_act == 0
    for move in ("draw", "stop", "down", "skip:2", "deal:dot"):
        assert refused(state, move)[0] == "CG-9"
    assert refused(start(), "swap:1-2") == (
        "CG-6",
        "no power up is in play that lets Ann do that",
    )


def test_who_shuts_down_is_out_of_reach() -> None:
    """CG-7"""
    state = after(start(), "dot down skip")
    assert state.legal_moves() == ["skip:3"]
    state = after(start(), "ghost down passleft")
    assert state.to_act == 1  # nobody holds a card but Ann, and she takes no part
    assert state.legal_moves() == ["down", "draw", "stop"]
    state = after(start(), "dot down alldraw dot dot")
    assert [sum(cards) for cards in state.hands] == [1, 1, 1]
    assert after(start(), "down dot stop dot stop").to_act == 1


def test_points_are_compared_when_all_have_shut_down_or_are_out() -> None:
    """CG-8"""
    state = after(start(), "orange down dot stop dot down")
    assert state.outcome() is None
    state = after(state, "ghost ghost ghost")
    assert state.outcome() == Outcome((0,), "5 points")
    assert state.to_act is None
    assert refused(state, "draw") == ("CG-8", "the game is over: Ann won")


def test_points_of_the_knocked_out_do_not_count_and_ties_share() -> None:
    """CG-8"""
    state = after(start(), "dot down dot down melon ghost stop")
    assert after(state, "ghost ghost").outcome() == Outcome((0, 1), "1 point")


def test_swap_exchanges_two_hands() -> None:
    """CG-9"""
    state = after(holding(start(), "dot", "ghost ghost", "melon"), "swap")
    assert state.legal_moves() == ["swap:1-2", "swap:1-3", "swap:2-3"]
    state = state.play("swap:2-3")
    assert [hand(state, seat) for seat in range(3)] == [{"dot": 1}, {"melon": 1}, {"ghost": 2}]
    alone = after(inactive(start(), p2=DOWN, p3=DOWN), "swap")
    assert alone.legal_moves() == ["down", "draw", "stop"]


def test_skip_costs_the_next_turn() -> None:
    """CG-10"""
    state = after(start(), "skip skip:2 stop")
    assert state.to_act == 2
    assert state.skips == (0, 0, 0)
    alone = after(inactive(start(), p2=DOWN, p3=DOWN), "skip")
    assert alone.legal_moves() == ["down", "draw", "stop"]


def test_pass_left_moves_a_card_from_everybody_at_once() -> None:
    """CG-11"""
    state = after(holding(start(), "dot", "cherry orange", ""), "passleft")
    assert state.to_act == 0
    state = state.play("pass:dot")
    assert state.to_act == 1
    assert hand(state, 0) == {"dot": 1}  # nothing has left a hand yet
    state = state.play("pass:orange")  # Cleo has nothing to pass, and only receives
    assert [hand(state, seat) for seat in range(3)] == [{}, {"dot": 1, "cherry": 1}, {"orange": 1}]
    assert state.to_act == 0
    assert state.legal_moves() == ["down", "draw", "stop"]


def test_one_passes_only_what_one_holds() -> None:
    """CG-11"""
    state = after(holding(start(), "dot", "cherry"), "passleft")
    assert refused(state, "pass:ghost") == ("CG-11", "Ann has no ghost to pass")
    assert refused(state, "draw") == ("CG-11", "Ann first chooses a card to pass to the left")


def test_give_ghost_moves_one_ghost_to_another_player() -> None:
    """CG-12"""
    state = after(holding(start(), "ghost ghost"), "giveghost")
    assert state.legal_moves() == ["give:2", "give:3"]
    assert refused(state, "give:1") == ("CG-12", "Ann gives the ghost to somebody else")
    state = state.play("give:3")
    assert [hand(state, seat) for seat in range(3)] == [{"ghost": 1}, {}, {"ghost": 1}]
    assert after(start(), "dot giveghost").legal_moves() == ["down", "draw", "stop"]


def test_choose_draw_sets_a_player_a_number_of_cards() -> None:
    """CG-13"""
    state = after(start(), "choosedraw")
    assert state.legal_moves() == [f"choose:{p}-{n}" for p in (1, 2, 3) for n in (1, 2, 3)]
    assert refused(state, "choose:2-4") == ("CG-13", "a player draws one to three cards, not 4")
    assert state.play("choose:2-3").chosen == (0, 3, 0)


def test_all_draw_goes_round_from_the_drawer_outside_the_limit() -> None:
    """CG-14"""
    state = after(start(), "dot stop alldraw")
    assert state.to_act is CHANCE
    assert refused(state, "stop") == ("CG-14", "Ben first draws a card, as everybody does")
    state = after(state, "cherry skip melon")  # Ben, Cleo and Ann draw; the SKIP does nothing
    assert [hand(state, seat) for seat in range(3)] == [{"dot": 1, "melon": 1}, {"cherry": 1}, {}]
    assert state.skips == (0, 0, 0)
    assert state.drawn == 1
    assert after(state, "dot dot").legal_moves() == ["down", "stop"]


# -- the rulings


def test_a_power_up_counts_among_the_three() -> None:
    """CG-A2"""
    assert after(start(), "skip skip:2 dot skip skip:3").legal_moves() == ["down", "stop"]


def test_a_power_up_as_third_card_is_resolved_first() -> None:
    """CG-A31"""
    state = after(start(), "dot dot skip")
    assert state.legal_moves() == ["skip:2", "skip:3"]
    assert state.play("skip:2").legal_moves() == ["down", "stop"]


def test_a_used_power_up_is_discarded_and_never_in_a_hand() -> None:
    """CG-A3"""
    state = after(holding(start(), "dot"), "swap swap:1-2")
    assert state.discard[state.table.index["swap"]] == 1
    assert hand(state, 1) == {"dot": 1}
    state = after(holding(start(), "dot"), "passleft")
    assert refused(state, "pass:swap")[0] == "CG-A3"
    assert state.refuse([Change("cards", "discard", None)]).rule == "CG-A3"


@pytest.mark.parametrize(
    ("power", "move"),
    [
        ("swap", "swap:1-2"),
        ("swap", "swap:2-3"),
        ("skip", "skip:2"),
        ("giveghost", "give:2"),
        ("choosedraw", "choose:2-1"),
    ],
)
@pytest.mark.parametrize("status", [DOWN, OUT])
def test_only_players_in_play_are_reached(power: str, move: str, status: str) -> None:
    """CG-A4"""
    state = after(inactive(holding(start(players=4), "ghost"), p2=status), power)
    why = "has shut down" if status == DOWN else "is knocked out"
    assert refused(state, move) == ("CG-A4", f"Ben {why}, and no power up reaches them")
    assert state.legal_moves()


def test_a_swap_takes_two_different_players_and_knocks_nobody_out() -> None:
    """CG-A5"""
    state = after(holding(start(), "ghost ghost", "ghost ghost"), "swap")
    assert refused(state, "swap:2-2") == (
        "CG-A5",
        "it takes two different players to swap hands",
    )
    assert refused(state, "swap:2-1")[0] == "notation"
    assert state.play("swap:1-2").status == (ACTIVE,) * 3


def test_nobody_skips_their_own_turn_by_choice() -> None:
    """CG-A6"""
    assert refused(after(start(), "skip"), "skip:1")[0] == "CG-A6"


def test_two_skips_cost_two_turns_unless_the_house_says_one() -> None:
    """CG-A7"""
    words = "skip skip:2 skip skip:2 stop dot stop dot stop dot stop"
    assert after(start(), words).to_act == 0  # Ben has skipped twice
    assert after(start(), "skip skip:2 skip skip:2").skips == (0, 2, 0)
    single = after(start(skips="single"), "skip skip:2 skip skip:2")
    assert single.skips == (0, 1, 0)
    assert after(single, "stop dot stop dot stop").to_act == 1


def test_who_is_to_skip_still_passes_and_draws_for_all() -> None:
    """CG-A8"""
    state = after(holding(start(), "", "dot"), "skip skip:2 passleft")
    assert state.to_act == 1
    assert state.legal_moves() == ["pass:dot"]
    state = after(state.play("pass:dot"), "alldraw dot cherry dot")
    assert hand(state, 1) == {"cherry": 1}
    assert state.play("stop").to_act == 2  # Ben had no chance to shut down


def test_a_chosen_number_is_drawn_exactly_before_anything_else() -> None:
    """CG-A9"""
    state = after(start(), "choosedraw choose:2-2 stop")
    assert state.legal_moves() == ["draw"]
    assert refused(state, "down") == (
        "CG-A9",
        "Ben draws exactly 2 this turn, 0 so far, before anything else",
    )
    state = after(state, "dot")
    assert state.legal_moves() == ["draw"]
    assert refused(state, "stop")[0] == "CG-A9"
    state = after(state, "dot")
    assert state.legal_moves() == ["down", "stop"]
    assert refused(state, "draw") == (
        "CG-A9",
        "Ben has drawn the 2 that were chosen, and may draw no more",
    )
    out = after(holding(start(), "", "ghost ghost"), "choosedraw choose:2-3 stop ghost")
    assert out.to_act == 2


def test_choose_draw_may_be_played_on_oneself() -> None:
    """CG-A10"""
    state = after(start(players=2), "choosedraw choose:1-2 stop dot stop")
    assert state.forced == 2
    alone = after(inactive(start(), p2=DOWN, p3=DOWN), "choosedraw")
    assert alone.legal_moves() == ["choose:1-1", "choose:1-2", "choose:1-3"]


def test_the_latest_choice_replaces_unless_the_house_keeps_the_first() -> None:
    """CG-A11"""
    words = "choosedraw choose:2-1 choosedraw choose:2-3"
    assert after(start(), words).chosen == (0, 3, 0)
    assert after(start(chosen="keep"), words).chosen == (0, 1, 0)


def test_a_skip_comes_before_a_chosen_number() -> None:
    """CG-A12"""
    state = after(start(), "choosedraw choose:2-3 skip skip:2 stop dot stop")
    assert state.chosen == (0, 3, 0)  # Cleo has played, Ben has skipped
    state = after(state, "dot stop")
    assert (state.to_act, state.forced) == (1, 3)


def test_pass_left_goes_to_the_next_player_in_play() -> None:
    """CG-A13"""
    state = inactive(holding(start(players=4), "dot", "melon", "cherry"), p2=DOWN)
    state = after(state, "passleft pass:dot pass:cherry")
    assert [hand(state, seat) for seat in range(4)] == [
        {},
        {"melon": 1},
        {"dot": 1},
        {"cherry": 1},
    ]


def test_all_choose_before_all_pass_and_ghosts_are_counted_together() -> None:
    """CG-A14"""
    state = holding(start(players=2), "ghost ghost", "ghost ghost dot")
    state = after(state, "passleft pass:ghost")
    assert state.legal_moves() == ["pass:dot", "pass:ghost"]  # the ghost under way is not his yet
    assert state.play("pass:ghost").status == (ACTIVE, ACTIVE)  # one comes, one goes
    knocked = state.play("pass:dot")
    assert knocked.status == (ACTIVE, OUT)
    assert knocked.outcome() == Outcome((0,), "everybody else was knocked out")


def test_pass_left_alone_is_discarded() -> None:
    """CG-A15"""
    state = after(inactive(holding(start(), "dot"), p2=DOWN, p3=OUT), "passleft")
    assert state.legal_moves() == ["down", "draw", "stop"]
    assert hand(state, 0) == {"dot": 1}


def test_a_ghost_is_given_if_there_is_one_and_somebody_to_give_it_to() -> None:
    """CG-A16"""
    state = after(holding(start(), "ghost"), "giveghost")
    assert refused(state, "draw") == ("CG-12", "Ann first gives a ghost to another player")
    alone = after(inactive(holding(start(), "ghost"), p2=DOWN, p3=OUT), "giveghost")
    assert alone.legal_moves() == ["down", "draw", "stop"]
    assert hand(alone, 0) == {"ghost": 1}


def test_a_given_ghost_knocks_out_at_once_and_the_turn_goes_on() -> None:
    """CG-A17"""
    state = after(holding(start(), "ghost ghost", "ghost ghost"), "giveghost give:2")
    assert state.status == (ACTIVE, OUT, ACTIVE)
    assert state.to_act == 0
    assert hand(state, 0) == {"ghost": 1}
    assert state.legal_moves() == ["down", "draw", "stop"]


def test_all_draw_knocks_out_one_after_the_other() -> None:
    """CG-A19"""
    state = after(holding(start(), "ghost ghost", "ghost ghost"), "alldraw ghost")
    assert state.status == (OUT, ACTIVE, ACTIVE)
    assert state.to_act is CHANCE
    state = state.play("deal:ghost")
    assert state.outcome() == Outcome((2,), "everybody else was knocked out")
    assert hand(state, 2) == {}  # there was no third draw
    state = after(holding(start(), "ghost ghost"), "alldraw ghost dot dot")
    assert state.to_act == 1  # the drawer is out: the turn is over after the others have drawn


def test_with_an_empty_deck_who_must_draw_shuts_down() -> None:
    """CG-A20"""
    state = after(emptied(start(), "dot"), "dot")
    assert state.legal_moves() == ["down", "stop"]
    assert refused(state, "draw") == ("CG-A20", "the deck is empty, there is no card to draw")
    state = state.play("stop")
    assert state.legal_moves() == ["down"]
    assert refused(state, "stop") == ("CG-A20", "the deck is empty, so Ben shuts down")
    chosen = after(emptied(start(), "choosedraw dot"), "choosedraw choose:2-2 stop dot")
    assert chosen.legal_moves() == ["down"]
    assert refused(chosen, "stop")[0] == "CG-A20"


def test_an_all_draw_stops_with_the_deck() -> None:
    """CG-A20"""
    state = after(emptied(start(), "alldraw dot dot"), "alldraw dot dot")
    assert [sum(cards) for cards in state.hands] == [1, 1, 0]
    assert state.to_act == 0


def test_the_house_may_shuffle_the_discards_again() -> None:
    """CG-A20"""
    state = after(emptied(start(emptyDeck="reshuffle"), "skip dot"), "skip skip:2 dot")
    assert state.legal_moves() == ["down", "draw", "stop"]
    state = state.play("draw")
    assert state.legal_moves() == ["deal:skip"]
    assert not any(state.discard)


def test_the_last_one_left_wins_while_still_drawing() -> None:
    """CG-A21"""
    state = inactive(holding(start(), "ghost", "ghost ghost"), p3=OUT)
    assert after(state, "giveghost give:2").outcome() == Outcome(
        (0,), "everybody else was knocked out"
    )


def test_one_shut_down_and_all_others_out_wins() -> None:
    """CG-A22"""
    state = after(start(players=2), "down ghost ghost ghost")
    assert state.outcome() == Outcome((0,), "everybody else was knocked out")


def test_everybody_out_has_no_winner() -> None:
    """CG-A23"""
    state = inactive(start(), p1=OUT, p2=OUT, p3=OUT)
    assert state.outcome() == Outcome((), "everybody was knocked out")


def test_the_last_in_play_goes_on_alone() -> None:
    """CG-A24"""
    state = after(start(), "dot down dot down dot dot dot stop")
    assert state.to_act == 2
    assert state.legal_moves() == ["down", "draw"]
    state = after(state, "skip stop dot")
    assert state.to_act == 2


def test_what_waits_for_a_player_is_void_when_they_leave() -> None:
    """CG-A25"""
    state = holding(start(), "", "ghost ghost")
    state = after(state, "skip skip:2 choosedraw choose:2-2 alldraw dot ghost dot")
    assert (state.skips, state.chosen) == ((0, 0, 0), (0, 0, 0))
    own = after(start(), "choosedraw choose:1-2 down")
    assert own.chosen == (0, 0, 0)


def test_a_knocked_out_hand_stays_out_of_play() -> None:
    """CG-A26"""
    state = emptied(holding(start(emptyDeck="reshuffle"), "dot ghost ghost"), "ghost dot")
    state = after(state, "ghost dot")
    assert hand(state, 0) == {"dot": 1, "ghost": 3}
    assert state.legal_moves() == ["down", "stop"]  # nothing to shuffle


def test_shutting_down_with_no_cards_scores_nothing_and_takes_part() -> None:
    """CG-A27"""
    state = after(start(players=2), "down down")
    assert state.outcome() == Outcome((0, 1), "0 points")


def test_hands_and_deck_are_secret() -> None:
    """CG-A29"""
    state = after(start(), "melon ghost stop cherry stop dot down")
    for seat in (None, 1, 2):
        text = str(state.view(seat))
        assert "melon" not in text
        assert "ghost" not in text.replace("giveghost", "")
    assert state.view(0)["hand"] == {"melon": 1, "ghost": 1}
    assert state.view(0)["points"] == 10
    assert state.view(None)["deck"] == 108 - 4
    assert "dot" not in str(state.view(0)["players"])  # shut down: face down
    assert "melon" not in state.draw()


def test_a_card_under_way_is_known_to_the_one_who_chose_it() -> None:
    """CG-A29, CG-A14"""
    state = after(holding(start(), "melon dot", "cherry"), "passleft pass:melon")
    assert state.view(0)["passing"] == ["melon"]
    for seat in (None, 1, 2):
        assert "melon" not in str(state.view(seat))
    assert "melon" in str(state.play("pass:cherry").view(1)["hand"])


def test_hands_are_turned_over_when_points_are_compared() -> None:
    """CG-8, CG-A29"""
    state = after(start(players=2), "melon down")
    assert "melon" not in str(state.view(1))
    assert "melon" in str(state.play("down").view(1)["players"])
    won = after(start(players=2), "melon stop ghost ghost ghost")
    assert won.to_act is None
    assert "melon" not in str(won.view(1))  # a ghost knock-out compares nothing


# -- refusals, piles, playthroughs


def tiny_start(deck: str, players: int = 2) -> Cards:
    """Return a game with a deck of gems (40 points) and boos (ghosts)."""
    kinds = (Card("gem", "gem", "fruit", 40), Card("boo", "boo", "ghost"))
    counts = tuple(deck.split().count(card.name) for card in kinds)
    table = CardTable("tiny", "tiny", kinds, {"1": counts, "2": counts})
    return CardsGame(lambda name: table).start({"players": str(players)})


@pytest.mark.parametrize(
    ("words", "move", "rule"),
    [
        ("", "hello", "notation"),
        ("", "deal:joker", "notation"),
        ("", "draw ", "notation"),
        ("", "deal:dot", "CG-3"),
        ("draw", "draw", "CG-3"),
        ("skip", "skip:9", "CG-1"),
        ("skip", "skip:0", "CG-1"),
        ("skip", "draw", "CG-10"),
        ("choosedraw", "choose:2-0", "CG-13"),
        ("choosedraw", "stop", "CG-13"),
        ("choosedraw", "choose:4-1", "CG-1"),
        ("swap", "swap:1-4", "CG-1"),
        ("swap", "swap:1", "notation"),
    ],
)
def test_a_refusal_names_its_rule(words: str, move: str, rule: str) -> None:
    assert refused(after(start(), words), move)[0] == rule


def test_a_kind_that_is_used_up_cannot_be_dealt() -> None:
    state = tiny_start("gem boo boo boo")
    state = after(state, "gem").play("draw")
    assert state.legal_moves() == ["deal:boo"]
    assert state.weights() == [3]
    assert refused(state, "deal:gem") == ("CG-1", "no gem is left in the deck")


def test_the_piles_lie_on_the_table() -> None:
    assert start().position() == {"deck": "cards"}
    assert after(start(), "swap swap:1-2").position() == {"deck": "cards", "discard": "cards"}
    assert start().refuse([Change("cards", "deck", None)], NAMES).text == (
        "Ann says draw first, and takes one card at a time"
    )
    over = after(start(players=2), "down down")
    assert over.refuse([Change("cards", "deck", None)]).rule == "CG-8"


RECORDS = {
    "passed-ghost": "9 points",
    "two-out-at-once": "everybody else was knocked out",
    "all-draw": "16 points",
    "skip-and-choose": "3 points",
    "empty-deck": "29 points",
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_playthrough_ends_as_told(name: str) -> None:
    text = (HERE.parents[1] / "records" / f"cards-{name}.txt").read_text(encoding="utf-8")
    record = parse(text)
    outcome = record.replay()[-1].outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.result(len(record.players))) == (RECORDS[name], record.result)
    assert {path.stem for path in (HERE.parents[1] / "records").glob("cards-*.txt")} == {
        f"cards-{each}" for each in RECORDS
    }


def test_every_rule_of_the_document_has_a_test() -> None:
    text = (HERE.parents[2] / "docs/games/cards.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (CG-A?\d+) ", text, re.M)
    assert listed == [f"CG-{n}" for n in range(1, 15)] + [f"CG-A{n}" for n in range(1, 33)]
    docstrings = re.findall(r'    """(.*)', Path(__file__).read_text(encoding="utf-8"))
    named = {rule for line in docstrings for rule in re.findall(r"CG-A?\d+", line)}
    assert set(listed) == named
