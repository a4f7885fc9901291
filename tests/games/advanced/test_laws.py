"""What must hold in every position of the advanced variant."""

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.advanced.ground import RESPAWN, ground
from companion.games.advanced.rules import Advanced
from companion.games.bits import BIT, SLOT_BIT, SQUARES, each_bit, slot_names, square_name
from tests.games.advanced.tables import start

CHAMBERS = ["d4", "e4", "d5", "e5", "pinwheel"]
WORDS = ["end", "=", "wait", "pass", *(letter + "=" for letter in "BIPC")]
SLOTS = [square + way for square in SQUARES for way in "hv"]


def wander(chamber: str, respawn: str, seed: int, plies: int) -> list[Advanced]:
    """Return the states of a random game that prefers walking to building."""
    rng = Random(seed)
    states = [start(chamber=chamber, respawnConsumesMove=respawn)]
    while len(states) <= plies and states[-1].to_act is not None:
        legal = states[-1].legal_moves()
        walks = [move for move in legal if move not in SLOT_BIT]
        states.append(states[-1].play(rng.choice(walks if walks and rng.random() < 0.7 else legal)))
    return states


def scatter(seed: int, hunting: bool) -> Advanced:
    """Return a position from late in a game, put together at random."""
    rng = Random(seed)
    fenced = 0
    for _ in range(rng.randrange(4, 20)):
        fenced |= rng.choice(list(each_bit(ground(fenced).slots)))
    pellets = rng.sample(["a1", "a9", "i1", "i9"], rng.randrange(1, 5))
    free = [square for square in SQUARES if square not in pellets]
    middle = rng.choice(free)
    # Close together, so that they meet; far apart they would hardly ever.
    free.sort(key=lambda square: _apart(square, middle) + rng.random() * 3)
    near = [BIT[square] for square in free[:12]]
    rng.shuffle(near)
    pacman = 0 if hunting and rng.random() < 0.2 else near[0]
    ghosts = tuple(bit if rng.random() < 0.8 else 0 for bit in near[1:5])
    alive = sum(1 << ghost for ghost, bit in enumerate(ghosts) if bit)
    hunting = hunting and alive > 0
    return start()._replace(
        fenced=fenced,
        chamber=0,
        pellets=sum(BIT[square] for square in pellets),
        pacman=pacman if hunting or pacman else near[0],
        previous=rng.choice([0, *near]) if pacman else 0,
        ghosts=ghosts,
        memory=tuple(rng.choice([0, *near]) if bit else 0 for bit in ghosts),
        reserve=rng.randrange(0, 5 - len(pellets)),
        round=5 if hunting else rng.choice([4, 5]),
        phase="hunt" if hunting else "walk",
        turn=int(hunting),
        waiting=alive if hunting else 0,
        fences_left=(rng.choice([0, 3]), rng.choice([0, 2])),
    )


def _apart(one: str, other: str) -> int:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))


games = st.builds(
    wander,
    st.sampled_from(CHAMBERS),
    st.sampled_from(["no", "yes"]),
    st.integers(0, 2**32),
    st.integers(0, 150),
)
scattered = st.builds(scatter, st.integers(0, 2**32), st.booleans())


def conceivable(state: Advanced) -> set[str]:
    """Return every text that could be a move somewhere near: walks, fences, words."""
    bare = ground(0)
    texts = {*WORDS, *SLOTS, *("@" + square for square in RESPAWN), "@d4"}
    for letter, at in (("", state.pacman), *zip("BIPC", state.ghosts, strict=True)):
        ways: list[list[str]] = [[square_name(at)]] if at else []
        for _ in range(3):
            ways = [[*way, name] for way in ways for _, name in bare.near(BIT[way[-1]])]
            texts |= {letter + "-".join(way[1:]) for way in ways}
            if not letter:
                texts |= {"+" + "+".join(way[1:]) for way in ways}
    chamber = [*slot_names(state.chamber), "a1h"]
    return texts | {f"{source}>{target}" for source in chamber for target in SLOTS}


def pieces(fenced: int) -> int:
    """Return into how many parts fences divide the board, found by walking, square by square."""
    here = ground(fenced)
    left = set(BIT.values())
    count = 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            around = {bit for bit, _ in here.near(edge.pop())} & left
            left -= around
            edge.extend(around)
    return count


def check_refusals(state: Advanced) -> None:
    texts = conceivable(state)
    allowed = sorted(text for text in texts if state.why_not(text) is None)
    assert allowed == state.legal_moves()
    for text in Random(7).sample(allowed, min(12, len(allowed))):
        assert state.play(text) != state


@given(games)
@settings(max_examples=15, deadline=None)
def test_exactly_the_legal_moves_have_no_refusal(states: list[Advanced]) -> None:
    check_refusals(states[-1])


@given(scattered)
@settings(max_examples=60, deadline=None)
def test_nor_in_positions_where_everybody_is_near(state: Advanced) -> None:
    check_refusals(state)


@given(scattered, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_every_walk_can_be_brought_to_an_end(state: Advanced, rng: Random) -> None:
    """However Pac-Man starts his move, the turn passes on within a few moves (to himself in the
    next round, when no ghost is left: AV-A29)."""
    begun = state.round
    for _ in range(20):
        if state.to_act != 0 or state.round > begun:
            return
        legal = state.legal_moves()
        assert legal
        state = state.play(rng.choice(legal))
    raise AssertionError("Pac-Man's turn does not end")


@given(games)
@settings(max_examples=15, deadline=None)
def test_fences_pellets_and_lives_are_never_lost(states: list[Advanced]) -> None:
    for state in states:
        assert len(state.fences) + sum(state.fences_left) == 20
        assert state.chamber & ~state.fenced == 0
        things = list(state.position().values())
        assert things.count("pellet") + state.collected == 4
        assert 0 <= state.reserve <= state.collected
        assert things.count("pacman") == bool(state.pacman)
    for before, now in pairwise(states):
        caught = bool(before.pacman and not now.pacman)
        assert before.lives - now.lives == caught
        assert not any(
            there and not here for here, there in zip(before.ghosts, now.ghosts, strict=True)
        )


@given(games)
@settings(max_examples=15, deadline=None)
def test_four_rounds_empty_the_chamber(states: list[Advanced]) -> None:
    for state in states:
        assert state.chamber.bit_count() == max(0, 5 - state.round)
        if state.round <= 4:
            assert state.ghosts == states[0].ghosts
        assert (state.phase == "shift") <= (state.round <= 4)


@given(games)
@settings(max_examples=15, deadline=None)
def test_nobody_rests_where_it_began_or_was_before(states: list[Advanced]) -> None:
    for before, now in pairwise(states):
        for at, memory, now_at in zip(before.ghosts, before.memory, now.ghosts, strict=True):
            if now_at and now_at != at:
                assert now_at != memory
                assert not now_at & now.pellets
        standing = [bit for bit in (now.pacman, *now.ghosts) if bit]
        assert len(set(standing)) == len(standing)
        if before.to_act == 0 and now.to_act == 1 and now.pacman:
            assert now.pacman != now.previous or not now.previous


@given(games)
@settings(max_examples=10, deadline=None)
def test_the_board_hangs_together_once_the_chamber_is_open(states: list[Advanced]) -> None:
    whole = 1 if states[0].table.chamber == "pinwheel" else 2
    for state in states:
        assert pieces(state.fenced) <= (whole if state.round == 1 else 1)


@given(scattered)
@settings(max_examples=15, deadline=None)
def test_exactly_fences_that_part_nothing_are_open(state: Advanced) -> None:
    """AV-20, found out the slow way: the number of parts may not rise."""
    parts = pieces(state.fenced)
    here = ground(state.fenced)
    taken = [SLOT_BIT[slot] for slot in state.fences]
    for slot, bit in SLOT_BIT.items():
        fits = not any(_clash(slot, other) for other in state.fences)
        legal = fits and bit not in taken and pieces(state.fenced | bit) <= parts
        assert bool(bit & here.slots) == legal, slot


def _clash(slot: str, other: str) -> bool:
    """Tell whether two fences lie in one slot, cross or overlap."""
    across, up = ord(slot[0]) - ord(other[0]), int(slot[1]) - int(other[1])
    if slot[2] != other[2]:
        return across == up == 0
    along, aside = (across, up) if slot[2] == "h" else (up, across)
    return aside == 0 and abs(along) < 2
