"""The page's sentences about a snapshot: what is broken, what is to be done, what is asked.

The page shows them and writes none of its own, so every phone and the voice say the same.
"""

from collections.abc import Sequence
from typing import Any

from companion.board import FENCE, PELLET, Board, Change, DeviceView, Thing
from companion.games.catalogue import find_kit
from companion.games.game import Actor, Chance, Choice, Move, Seat
from companion.referee.verdict import Kind
from companion.referee.wording import instruction, offered
from companion.service.snapshot import SeatView, Snapshot
from companion.text import capital, inside, listed, sentence, small

Json = dict[str, Any]

SENSORS = ("camera", "hall grid")

#: What stops the game comes first.
URGENT = ("player", "journal", *SENSORS)

HEADINGS = {
    Kind.WAITING: "Watching",
    Kind.ACCEPTED: "Accepted",
    Kind.UNSURE: "Which move was it?",
    Kind.NOT_ALLOWED: "Not allowed",
    Kind.HANDS: "Hand over the board",
    Kind.SET_UP: "Set the board up",
}

#: A board that is not set up lacks more than this; what a move that was taken back left is less.
FEW = 2

#: Things of which there may be several.
MANY = (FENCE, PELLET)

#: What somebody at the simulated table may do while the referee says one of these.
ADVICE = {
    Kind.SET_UP: "Put the pieces as the companion says, or press “Set the board up”.",
    Kind.NOT_ALLOWED: "Put it right as the companion says, then play on.",
    Kind.UNSURE: "Answer the companion’s question, or put the piece straight.",
    Kind.HANDS: "The companion waits until no hand is over the board.",
}

#: While the referee says one of these, something else comes before a move.
ASKED = (Kind.SET_UP, Kind.NOT_ALLOWED, Kind.UNSURE)

#: Where there is more to see.
MORE = {"camera": ("/camera", "Look at the camera")}

# --- devices ------------------------------------------------------------------------------------


def alerts(snapshot: Snapshot) -> list[Json]:
    """Return what is in trouble, the worst first: the sentence with its remedy, what that means
    for the game until then, whether the game hardly minds, and where to see more."""
    troubled = [view for view in snapshot.devices if view.state == "trouble"]
    troubled.sort(key=lambda view: URGENT.index(view.name) if view.name in URGENT else len(URGENT))
    return [_alert(view, snapshot) for view in troubled]


def _alert(view: DeviceView, snapshot: Snapshot) -> Json:
    more, words = MORE.get(view.name, ("", ""))
    return {
        "device": view.name,
        "text": sentence(view.text),
        "meanwhile": _meanwhile(view, snapshot),
        "minor": view.name not in URGENT,
        "more": more,
        "more_text": words,
    }


def _meanwhile(view: DeviceView, snapshot: Snapshot) -> str:
    """Return how the game goes on while a device is in trouble."""
    if view.name in SENSORS:
        return _watched_by(view, snapshot) if snapshot.on_board else "This game needs no sensor."
    return {
        "journal": "Until then no move counts: each must be on disk first.",
        "lights": "The game goes on without them.",
        "panel": "The page has buttons that do the same.",
        "player": "Until then it does not move.",
        "voice": "The game goes on without it.",
        "recorder": "The game goes on.",
    }.get(view.name, "")


def _watched_by(view: DeviceView, snapshot: Snapshot) -> str:
    """Return what sees the board while a sensor is in trouble."""
    if is_blind(snapshot):
        return "Until then nothing sees the board: enter moves on the phone page."
    if view.name == "camera":
        only = "Until then pieces are only felt"
        fences = "fences" in snapshot.tallies
        return f"{only}: enter fences on the phone page." if fences else f"{only}."
    if any(other.name == "camera" and other.state == "ok" for other in snapshot.devices):
        return "The camera watches on."
    return "Until then enter moves on these squares on the phone page."


def is_blind(snapshot: Snapshot) -> bool:
    """Tell whether this table has sensors and none of them works."""
    sensors = [view for view in snapshot.devices if view.name in SENSORS and snapshot.on_board]
    return bool(sensors) and all(v.state == "trouble" and not v.partly for v in sensors)


# --- whose turn, or what to do ------------------------------------------------------------------


def banner(snapshot: Snapshot, board: Board) -> Json:
    """Return the line on top of the page: what is to be done, else whose turn it is.

    ``piece`` is the one to picture beside it, ``thinking`` what it says while the companion thinks.
    """
    outcome = snapshot.outcome
    if outcome is not None:
        if not outcome.winners:
            return _line(None, "A draw", outcome.reason)
        winner = snapshot.seats[outcome.winners[0]]
        if len(outcome.winners) > 1:
            names = listed([snapshot.seats[number].name for number in outcome.winners])
            return _line(winner, f"{names} win", outcome.reason)
        return _line(winner, f"{winner.name} {_verb(winner.name, 'win')}", outcome.reason)
    seat = snapshot.acting
    if snapshot.setting_up:
        return _line(seat, "Being set up", "moves count again when that is done")
    to_do = _to_do(snapshot, board)
    if to_do:
        return to_do
    if snapshot.chance:
        return _line(None, snapshot.chance, snapshot.last_told or _when(snapshot))
    if seat is None or snapshot.seat_to_act is None:
        return _line(None, "Nobody to move", "")
    if snapshot.verdict.kind is Kind.UNSURE:
        return _line(seat, "A question", heading(snapshot))
    told = (seat_note(snapshot.seat_to_act, seat, snapshot), _when(snapshot))
    note = " · ".join(filter(None, told))
    said = _line(seat, f"{_whose(seat.name)} turn", note)
    said["thinking"] = f"{seat.name} {_verb(seat.name, 'think')}…"
    return said


def _to_do(snapshot: Snapshot, board: Board) -> Json | None:
    """Return what people are to put right before anybody moves; None when all is in its place."""
    repair, seat = _to_put_right(snapshot), snapshot.acting
    if not repair:
        return None
    next_up = f"it is {_whose(inside(seat.name))} turn" if seat else small(snapshot.chance)
    after = f"then {next_up}"
    if not snapshot.moves and len(repair) > FEW:
        return _line(seat, HEADINGS[Kind.SET_UP], after)
    change = repair[0]
    left = len(repair) - 1
    more = f"and {left} more {'thing' if left == 1 else 'things'}, " if left else ""
    said = _line(seat, _short(change, board), f"{more}{after}")
    if change.thing in board.pieces:
        said["piece"] = change.thing
    return said


def _to_put_right(snapshot: Snapshot) -> Sequence[Change]:
    return snapshot.verdict.repair if snapshot.verdict.kind is Kind.SET_UP else ()


def _short(change: Change, board: Board) -> str:
    """Return an instruction without where a piece comes from: the board shows that."""
    titles = _titles(board)
    moves = change.source and change.target and change.source != change.target
    if change.thing in titles and moves:
        return f"Move {titles[change.thing]} to {change.target}"
    return capital(instruction(change, titles))


def _line(seat: SeatView | None, text: str, note: str) -> Json:
    return {"piece": seat.piece if seat else None, "text": text, "note": note, "thinking": ""}


def _when(snapshot: Snapshot) -> str:
    """Return the turn, or the round in games in which one seat moves several pieces."""
    acting = () if snapshot.to_act is None else (snapshot.to_act,)
    several = find_kit(snapshot.game).moves_a_turn > 1
    movers = (*snapshot.movers, *acting)
    number = len(rounds(movers, len(snapshot.seats), snapshot.begins))
    return f"{'round' if several else 'turn'} {max(1, number)}"


def seat_note(number: Seat, seat: SeatView, snapshot: Snapshot) -> str:
    """Return who sits there: a seat is called after its piece, or by a name."""
    if seat.level is not None:
        return f"companion, level {seat.level}"
    if snapshot.places is not None and not snapshot.places.taken[number]:
        return "waits for a phone"
    return f"Player {number + 1}" if snapshot.on_board else ""


def _whose(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def _verb(name: str, word: str) -> str:
    return word if name.endswith("s") else f"{word}s"


# --- questions ----------------------------------------------------------------------------------


def heading(snapshot: Snapshot) -> str:
    """Return what stands over the referee's sentence."""
    kind = snapshot.verdict.kind
    if kind is Kind.WAITING and snapshot.outcome is not None:
        return "Game over"
    if kind is Kind.WAITING and is_blind(snapshot):
        return "Not watching"
    if kind is Kind.UNSURE and len(snapshot.verdict.moves) == 1:
        return "Was this the move?"
    if kind is Kind.SET_UP and snapshot.verdict.moves and not snapshot.verdict.repair:
        return "The companion’s move"
    return HEADINGS[kind]


def answers(snapshot: Snapshot, board: Board) -> list[Json]:
    """Return the answers to the referee's question: each with its move, the last with none."""
    verdict = snapshot.verdict
    if verdict.kind is not Kind.UNSURE:
        return []
    named = {choice.move: choice_words(choice, snapshot, board) for choice in snapshot.choices}
    moves = [(move, named.get(move, move)) for move in verdict.moves]
    if len(moves) == 1:
        return [_answer(moves[0][0], "Yes", moves[0][1]), _answer("", "No", "")]
    choices = [_answer(move, str(n), words) for n, (move, words) in enumerate(moves, 1)]
    return [*choices, _answer("", "None of these", "")]


def _answer(move: Move, text: str, note: str) -> Json:
    return {"move": move, "text": text, "note": note}


def choice_words(choice: Choice, snapshot: Snapshot, board: Board) -> str:
    """Return a legal move as people say it: ``Blinky over e8 to e7``."""
    thing, acting = choice.effect.thing, snapshot.acting
    name = acting.name if acting else ""
    if thing in find_kit(snapshot.game).others:
        name = board.pieces[thing].title
    start = next((spot for spot, there in snapshot.position.items() if there == thing), None)
    return offered(choice.effect, name, start)


# --- entering a move ----------------------------------------------------------------------------


def tap(snapshot: Snapshot, board: Board) -> str:
    """Return how a move is entered on the page; nothing while it is not the time for one."""
    acting = snapshot.acting
    if acting is None or acting.level is not None:
        return ""
    if len(snapshot.choices) == 1 and not snapshot.choices[0].effect.spots:
        return "No move is possible: pass"
    if snapshot.verdict.kind in ASKED:
        return ""
    if not snapshot.on_board:
        return "Cards are played on the players’ own phones."
    if find_kit(snapshot.game).entry == "spot":
        return "Move the real pieces, or tap the board."
    pawns = [board.pieces[thing].title for thing in _things(snapshot) if thing in board.pieces]
    fences = any(choice.effect.fence and not choice.effect.thing for choice in snapshot.choices)
    fence = "Put a real fence into a groove, or tap the groove."
    if FENCE in _things(snapshot):
        return "Move the real fence, or tap it and the groove where it goes."
    if not pawns:
        return fence
    if _things(snapshot)[0] not in snapshot.position.values():
        said = f"Put the real {pawns[0]} down, or tap where to."
    elif len(pawns) == 1:
        said = f"Move the real {pawns[0]}, or tap the squares to walk over."
    else:
        said = "Move a real piece, or tap it and the squares to walk over."
    return f"{said} {fence}" if fences else said


def unsaid(snapshot: Snapshot, board: Board) -> Json | None:
    """Return what whoever is to act may say that the board does not show: the move, how it is
    called, and what says it besides; None while there is nothing."""
    acting = snapshot.acting
    if not snapshot.unsaid or acting is None or acting.level is not None:
        return None
    if snapshot.verdict.kind in ASKED:
        return None
    named = {c.move: choice_words(c, snapshot, board) for c in snapshot.choices}
    said = "The confirm button says it too"
    people = all(seat.level is None for seat in snapshot.seats)
    said += ", and so does whoever goes on." if people else "."
    ends = {(c.effect.thing, c.effect.end) for c in snapshot.then if c.effect.path}
    text = capital(named[snapshot.unsaid])
    return {"move": snapshot.unsaid, "text": text, "said": said, "then": sorted(ends)}


def keys(snapshot: Snapshot, board: Board) -> str:
    """Return how a move is entered with the keyboard."""
    if not snapshot.on_board:
        return ""
    if find_kit(snapshot.game).entry == "spot":
        told = ["Arrow keys move a cursor over the squares."]
    else:
        told = ["Arrow keys walk square by square, Backspace goes a step back."]
    if any(choice.effect.fence for choice in snapshot.choices):
        told.append("H and V turn it into a fence and rotate it, P makes it a pawn again.")
    if len(things := [thing for thing in _things(snapshot) if thing in board.pieces]) > 1:
        letters = sorted(board.pieces[thing].title[0] for thing in things)
        told.append(f"{listed(letters)} choose a piece.")
    return " ".join([*told, "Enter plays, Escape leaves."])


def _things(snapshot: Snapshot) -> list[Thing]:
    """Return the pieces of which one moves next."""
    things = (choice.effect.thing for choice in snapshot.choices)
    return list(dict.fromkeys(thing for thing in things if thing))


# --- what to do next, one thing at a time -------------------------------------------------------


def guide(snapshot: Snapshot, board: Board) -> Json | None:
    """Return how the next thing to do is told: what it is about, what happened, what to do, how
    much comes after it, and which move of the turn it is; None when nothing is to be done."""
    repair = _to_put_right(snapshot)
    if not repair:
        return None
    change, left = repair[0], len(repair) - 1
    last = any(c.thing == change.thing and c.target == change.target for c in snapshot.last_changes)
    more = f"{left} more things" if left > 1 else "One more thing"
    return {
        "heading": _guide_heading(change, last, snapshot, board),
        "said": f"{snapshot.last_told}." if last and len(snapshot.last_changes) > 1 else "",
        "text": repair_words(change, board),
        "then": f"{more} after that." if left else "",
        "progress": _progress(snapshot) if last else "",
    }


def _guide_heading(change: Change, last: bool, snapshot: Snapshot, board: Board) -> str:
    if change.source == change.target:
        return "Put it straight"
    mover = snapshot.last_mover
    if not last or mover is None:
        return heading(snapshot)
    went = [c.thing for c in snapshot.last_changes if c.target and c.thing in board.pieces]
    if len(went) > 1:  # nothing else moves more than one piece
        return "All go back to the start"
    if mover.level is None:
        return "Finish the move"
    if len(snapshot.last_changes) > 1 or change.thing not in board.pieces:
        return "Carry out the companion’s move"
    return f"{_whose(board.pieces[change.thing].title)} move"


def _progress(snapshot: Snapshot) -> str:
    """Return which of the companion's moves is carried out, where several make one turn."""
    mover = snapshot.last_mover
    if mover is None or mover.level is None:
        return ""
    if "fences" in snapshot.tallies:
        return ""  # nobody knows who of them will put one
    latest = [cell for cell in rounds(snapshot.movers, len(snapshot.seats))[-1] if cell]
    done, goes_on = len(latest[-1]), snapshot.to_act == snapshot.movers[-1]
    total = done + (len(_things(snapshot)) if goes_on else 0)
    several = find_kit(snapshot.game).moves_a_turn > 1 and total > 1
    return f"move {done} of {total}" if several else ""


def repair_words(change: Change, board: Board) -> str:
    """Return a sentence that says how to put one thing right."""
    return sentence(instruction(change, _titles(board)))


def _titles(board: Board) -> dict[Thing, str]:
    return {name: piece.title for name, piece in board.pieces.items()}


# --- the whole board, and what was played -------------------------------------------------------


def described(snapshot: Snapshot, board: Board) -> str:
    """Return the agreed position in words, for who does not see the picture."""
    if not snapshot.on_board:
        return _laid_out(snapshot)
    titles = _titles(board)
    here = {thing: spot for spot, thing in snapshot.position.items()}
    lying = {thing: sorted(s for s, t in snapshot.position.items() if t == thing) for thing in MANY}
    kit = find_kit(snapshot.game)
    told = [", ".join(f"{titles.get(t, t)} on {s}" for t, s in here.items() if t not in MANY)]
    if "pellets" in snapshot.tallies:
        told.append(f"Pellets: {', '.join(lying[PELLET])}" if lying[PELLET] else "No pellets left")
    if away := [titles[thing] for thing in kit.others if thing not in here]:
        told.append(f"Beside the board: {', '.join(away)}")
    if seen := [titles[ghost] for ghost in snapshot.sight]:
        told.append(f"{titles[kit.seen]} is seen by {', '.join(seen)}")
    told.append(f"Fences: {', '.join(lying[FENCE])}" if lying[FENCE] else "No fences yet")
    return f"{'. '.join(filter(None, told))}."


def _laid_out(snapshot: Snapshot) -> str:
    """Return what lies open in a game of hidden hands."""
    shown: Json = dict(snapshot.shown)
    seats = [
        f"{seat['name']}: {', '.join(filter(None, (seat['text'], seat['status'])))}"
        for seat in shown["seats"]
    ]
    return " ".join(map(sentence, [shown["deck_text"], shown["discard_text"], *seats]))


def coach(snapshot: Snapshot) -> str:
    """Return what somebody at the simulated table may do now."""
    seat, kind = snapshot.acting, snapshot.verdict.kind
    if kind in ADVICE:
        return ADVICE[kind]
    if snapshot.outcome is not None:
        return "The game is over. Start another one on the phone page."
    if not snapshot.on_board:
        return "This game is played on phones; nothing lies on the board."
    if seat is None:
        return f"{snapshot.chance}: on the phone page."
    if seat.level is not None:
        return f"{seat.name} {_verb(seat.name, 'think')}. Wait for the companion’s move."
    return f"It is {_whose(inside(seat.name))} turn: {snapshot.advice}."


def rounds(
    movers: Sequence[Actor], seats: int, begins: Sequence[bool] = ()
) -> list[list[list[int]]]:
    """Return the numbers of the moves by rounds, in each by seats, who began first.

    Moves that a seat makes in a row belong together, but the first seat begins a round with each
    that ``begins`` a turn; what was rolled or drawn goes with the move that follows it.
    """
    first = next((mover for mover in movers if not isinstance(mover, Chance)), 0)
    rows: list[list[list[int]]] = []
    before, rolled = seats, list[int]()
    for number, mover in enumerate(movers):
        if isinstance(mover, Chance):
            rolled.append(number)
            continue
        column = (mover - first) % seats
        again = column == before == 0 and (not begins or begins[number])
        if column < before or again:
            rows.append([[] for _ in range(seats)])
        rows[-1][column] += [*rolled, number]
        before, rolled = column, []
    if rolled:
        rows = rows or [[[] for _ in range(seats)]]
        rows[-1][before % seats] += rolled
    return rows


def history(snapshot: Snapshot) -> Json:
    """Return the moves as a table: who has a column, and the moves of each round by column."""
    if not snapshot.on_board:
        return {"columns": [], "rows": [], "called": ""}  # its story is told in words
    seats = len(snapshot.seats)
    movers, moves, acting = snapshot.movers, snapshot.moves, snapshot.seat_to_act
    if movers and isinstance(movers[-1], Chance) and acting is not None:
        movers = (*movers, acting)  # what was rolled is for the move to come
    first = next((mover for mover in movers if not isinstance(mover, Chance)), 0)
    return {
        "columns": [(first + number) % seats for number in range(seats)],
        "rows": [
            [[moves[number] for number in cell if number < len(moves)] for cell in row]
            for row in rounds(movers, seats, snapshot.begins)
        ],
        "called": "Round" if find_kit(snapshot.game).moves_a_turn > 1 else "Turn",
    }
