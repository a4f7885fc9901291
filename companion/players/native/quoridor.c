/* Quoridor for two, searched fast: what companion/players/native/__init__.py calls. Alpha-beta as
 * principal variation search, iterative deepening, a transposition table; sets of squares are bitboards.
 *
 * The rules are those of companion/games/quoridor/rules.py, and tests compare the two move by move. Squares
 * count from 0 (a1), 1 (b1) to 80 (i9). A move below 81 is a step to that square; above, a fence: 81 plus
 * its square across ("e3h"), 162 plus that upright ("e3v"). Nothing here reads a clock or keeps
 * anything outside a Core; the same calls in the same order get the same answers.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Set; /* one bit a square, or a fence's slot by its square */

#define SIZE 9
#define CELLS 81
#define BIT(n) ((Set)1 << (n))
#define ROW_1 ((Set)0x1ff)
#define FIELD (BIT(CELLS) - 1)
#define NORTH (BIT(CELLS - SIZE) - 1) /* all that can be left northwards */
#define COLUMN_A \
    (BIT(0) | BIT(9) | BIT(18) | BIT(27) | BIT(36) | BIT(45) | BIT(54) | BIT(63) | BIT(72))
#define EAST (FIELD & ~(COLUMN_A << 8))
#define SLOTS (NORTH & EAST)
#define MOVES (3 * CELLS)
#define NO_MOVE MOVES

#define WIN 10000
#define RACE_WON 2000 /* ahead, and nobody has a fence to stop it */
#define LIMIT 20000
#define DEEPEST 64

/* What things are worth, found by regression over positions of its own games: a step in the race, a
 * fence in hand, the turn; in halves, the steps of detour that the other's best fence and the next
 * best bring, and the steps to a way of which no fence of the first one is part. */
#define STEP 10
#define FENCE 13
#define TURN 4
#define DETOUR 9
#define NEXT_DETOUR 9
#define SECOND_WAY 3
#define LONGEST_DETOUR 8
#define LONGEST_SECOND 12
#define MARGIN 25 /* detours hardly ever bring more: they are looked for only within it (lazy evaluation) */

/* From so many plies before the horizon fences beside pawns and other fences are searched too, races
 * are solved whose end is not plain, and late moves get less depth (late move reductions). */
#define WIDE 3
#define SOLVE 2
#define REDUCE 3

static const Set GOAL[2] = {ROW_1 << 72, ROW_1};

/* -- positions */

typedef struct {
    Set north, east;  /* the squares one can leave northwards, eastwards */
    Set free[2];      /* the slots with room for a fence: across, upright */
    Set touched[2];   /* the slots that touch a fence */
    Set cut[2][2];    /* for each seat the slots where a fence cuts the shortest way we know */
    Set closer[2];    /* for each seat the squares nearer to its goal than its pawn */
    uint64_t key;     /* of the whole position, the turn included */
    int at[2], left[2], away[2]; /* pawns, fences in hand, steps to go */
    int turn;
} Place;

static inline int lowest(Set set) {
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static inline int count(Set set) {
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* A number that stands for a fact about a position; keys combine these (Zobrist hashing, by SplitMix64). */
static inline uint64_t mix(uint64_t n) {
    n = (n + 1) * 0x9e3779b97f4a7c15u;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

static inline uint64_t pawn_key(int seat, int square) { return mix(CELLS * seat + square); }
static inline uint64_t fence_key(int move) { return mix(CELLS + move); }
static inline uint64_t hand_key(int seat, int left) { return mix(400 + 32 * seat + left); }
#define TURN_KEY 0x5851f42d4c957f2du

static inline Set neighbours(const Place *p, Set squares) {
    return (squares & p->north) << SIZE | (squares >> SIZE & p->north) |
           (squares & p->east) << 1 | (squares >> 1 & p->east);
}

/* Find a seat's shortest way by flood fill: its length and what cuts it. Tell whether there is one. */
static int find_way(Place *p, int seat) {
    Set nearer[CELLS + 1];
    Set seen = GOAL[seat], here = BIT(p->at[seat]), ups = 0, rights = 0;
    int steps = 0;
    while (!(seen & here)) {
        Set grown = seen | neighbours(p, seen);
        if (grown == seen)
            return 0;
        nearer[steps++] = seen;
        seen = grown;
    }
    p->away[seat] = steps;
    p->closer[seat] = steps ? nearer[steps - 1] : 0;
    while (steps--) {
        Set squares = nearer[steps], there;
        if ((there = (here & p->north) << SIZE & squares))
            ups |= here;
        else if ((there = here >> SIZE & p->north & squares))
            ups |= there;
        else if ((there = (here & p->east) << 1 & squares))
            rights |= here;
        else
            rights |= there = here >> 1 & p->east & squares;
        here = there;
    }
    p->cut[seat][0] = (ups | ups >> 1) & SLOTS;
    p->cut[seat][1] = (rights | rights >> SIZE) & SLOTS;
    return 1;
}

static inline Set blocked_by(int way, int square) {
    return BIT(square) | BIT(square + (way ? SIZE : 1));
}

/* The slots that touch a fence's three crossings, in one of the two ways. */
static Set touching(int fence_way, int square, int way) {
    int column = square % SIZE, row = square / SIZE;
    int beside = way == fence_way ? (way ? 0 : 2) : 1, along = way == fence_way ? (way ? 2 : 0) : 1;
    Set found = 0;
    for (int r = row - along; r <= row + along; r++)
        for (int c = column - beside; c <= column + beside; c++)
            if (r >= 0 && r < SIZE - 1 && c >= 0 && c < SIZE - 1)
                found |= BIT(r * SIZE + c);
    return found;
}

static Set TOUCHES[2][CELLS][2]; /* filled in once, always with the same */

static void fill_tables(void) {
    for (int way = 0; way < 2; way++)
        for (int square = 0; square < CELLS; square++)
            for (int other = 0; other < 2; other++)
                TOUCHES[way][square][other] = touching(way, square, other);
}

/* Put a fence on the board, whoever owns it; ways are not searched again. */
static void put_fence(Place *p, int move) {
    int way = move >= 2 * CELLS, square = move - CELLS - way * CELLS;
    Set slot = BIT(square);
    if (way)
        p->east &= ~blocked_by(1, square);
    else
        p->north &= ~blocked_by(0, square);
    p->free[way] &= ~(slot | slot << (way ? SIZE : 1) | slot >> (way ? SIZE : 1));
    p->free[!way] &= ~slot;
    p->touched[0] |= TOUCHES[way][square][0];
    p->touched[1] |= TOUCHES[way][square][1];
    p->key ^= fence_key(move);
}

/* Play a move for which there is room; tell whether it leaves both a way. */
static int play(Place *p, int move) {
    int turn = p->turn;
    if (move < CELLS) {
        p->key ^= pawn_key(turn, p->at[turn]) ^ pawn_key(turn, move);
        p->at[turn] = move;
        find_way(p, turn); /* whoever could go there can go on from there */
    } else {
        int way = move >= 2 * CELLS;
        Set slot = BIT(move - CELLS - way * CELLS);
        put_fence(p, move);
        p->key ^= hand_key(turn, p->left[turn]) ^ hand_key(turn, p->left[turn] - 1);
        p->left[turn]--;
        for (int seat = 0; seat < 2; seat++)
            if (p->cut[seat][way] & slot && !find_way(p, seat))
                return 0;
    }
    p->key ^= TURN_KEY;
    p->turn = !turn;
    return 1;
}

/* The squares where the pawn to move may go. */
static Set targets(const Place *p) {
    int mine = p->at[p->turn], other = p->at[!p->turn], ahead = other - mine;
    Set found = neighbours(p, BIT(mine)), theirs = BIT(other), behind, sides;
    if (!(found & theirs))
        return found;
    if (ahead == SIZE || ahead == -SIZE) {
        behind = ahead > 0 ? (theirs & p->north) << SIZE : theirs >> SIZE & p->north;
        sides = (theirs & p->east) << 1 | (theirs >> 1 & p->east);
    } else {
        behind = ahead > 0 ? (theirs & p->east) << 1 : theirs >> 1 & p->east;
        sides = (theirs & p->north) << SIZE | (theirs >> SIZE & p->north);
    }
    return (found & ~theirs) | (behind ? behind : sides); /* Q-10; else Q-11 and Q-A1 */
}

/* Set a position up; tell whether both have a way. */
static int set_up(Place *p, const int *at, const int *left, int turn, const int *fences, int number) {
    memset(p, 0, sizeof *p);
    p->north = NORTH;
    p->east = EAST;
    p->free[0] = p->free[1] = SLOTS;
    p->turn = turn;
    p->key = turn ? TURN_KEY : 0;
    for (int i = 0; i < number; i++)
        put_fence(p, fences[i]);
    for (int seat = 0; seat < 2; seat++) {
        p->at[seat] = at[seat];
        p->left[seat] = left[seat];
        p->key ^= pawn_key(seat, at[seat]) ^ hand_key(seat, left[seat]);
        if (!find_way(p, seat))
            return 0;
    }
    return 1;
}

/* -- the race without fences */

#define OPEN 255
#define RACES 64

/* The result of every position of a race, by turn and both pawns, the mover's first: plies to the
 * end, odd when the mover wins, OPEN when nobody can force it. */
typedef struct {
    uint64_t fences; /* the key of what stands on the board */
    uint8_t plies[2][CELLS][CELLS];
} Race;

typedef struct {
    uint8_t turn, mine, other;
} Runners;

/* The squares from which the pawn that has just moved to `other` may have come. */
static Set origins(Place *p, Runners to) {
    Set found = neighbours(p, BIT(to.other)) & ~BIT(to.mine), left;
    if (!(neighbours(p, BIT(to.mine)) & BIT(to.other)))
        return found;
    p->turn = !to.turn;
    p->at[to.turn] = to.mine;
    for (left = neighbours(p, BIT(to.mine)) & ~BIT(to.other); left; left &= left - 1) {
        p->at[!to.turn] = lowest(left); /* did it jump over the other pawn? */
        if (targets(p) & BIT(to.other))
            found |= left & -left;
    }
    return found;
}

/* Decide every position backwards from the wins, the shortest first (retrograde analysis). */
static void solve_race(Race *race, const Place *from) {
    Place p = *from;
    Runners queue[2 * CELLS * CELLS];
    uint8_t untold[2][CELLS][CELLS]; /* moves that do not lose yet, 0 for not counted */
    int first = 0, last = 0;
    memset(race->plies, OPEN, sizeof race->plies);
    memset(untold, 0, sizeof untold);
    for (int turn = 0; turn < 2; turn++)
        for (Set left = GOAL[!turn]; left; left &= left - 1)
            for (int mine = 0; mine < CELLS; mine++) {
                Runners over = {(uint8_t)turn, (uint8_t)mine, (uint8_t)lowest(left)};
                if (over.mine == over.other || BIT(mine) & GOAL[turn])
                    continue;
                race->plies[turn][mine][over.other] = 0;
                queue[last++] = over;
            }
    while (first < last) {
        Runners to = queue[first++];
        int plies = race->plies[to.turn][to.mine][to.other];
        for (Set left = origins(&p, to); left; left &= left - 1) {
            Runners here = {!to.turn, (uint8_t)lowest(left), to.mine};
            uint8_t *known = &race->plies[here.turn][here.mine][here.other];
            uint8_t *moves = &untold[here.turn][here.mine][here.other];
            if (*known != OPEN || BIT(here.mine) & GOAL[here.turn])
                continue;
            if (!*moves) {
                p.turn = here.turn;
                p.at[here.turn] = here.mine;
                p.at[!here.turn] = here.other;
                *moves = (uint8_t)count(targets(&p));
            }
            if (plies % 2 == 0 || !--*moves) {
                *known = (uint8_t)(plies + 1);
                queue[last++] = here;
            }
        }
    }
}

/* -- searching */

enum { EXACT = 1, LEAST, MOST };

/* An entry of the transposition table: a value or a bound of it, the depth searched, the best move. */
typedef struct {
    uint64_t key;
    short value;
    uint16_t move;
    uint8_t depth, kind, age, unused;
} Known;

typedef struct {
    int rank, move;
} Choice;

typedef struct Core {
    Known *known;
    uint64_t mask;
    Race *races;
    /* one search */
    uint64_t nodes, most, ask;
    int (*stop)(void);
    int over, may_stop, age;
    uint64_t path[DEEPEST + 2], seen[256];
    int seen_count;
    int killers[DEEPEST + 2][2];
    int history[2][MOVES];
} Core;

typedef struct {
    int move, value, depth;
    uint64_t nodes;
} Answer;

/* Tell whether the one in front arrives first whatever the other pawn does: neither fences nor the
 * other pawn, who has none, can come near its way. Pawns that meet could jump or be in the way. */
static int runs_free(const Place *p, int runner) {
    Set nearer[CELLS + 1], here = BIT(p->at[runner]), reach = BIT(p->at[!runner]);
    int steps = 0;
    for (Set seen = GOAL[runner]; !(seen & here); seen |= neighbours(p, seen))
        nearer[steps++] = seen;
    if (p->turn != runner) {
        if (neighbours(p, here) & reach)
            return 0;
        reach |= neighbours(p, reach);
    }
    while (steps--) {
        here = neighbours(p, here) & nearer[steps];
        here &= -here;
        if (reach & (steps ? here | neighbours(p, here) : here))
            return 0;
        reach |= neighbours(p, reach);
    }
    return 1;
}

#define UNKNOWN LIMIT
#define RACE_NODES 400 /* what solving a race counts for: about as many positions take that long */

/* The result of the race for the mover, when nobody can place a fence any more. */
static int race_value(Core *core, const Place *p, int depth, int ply) {
    int runner = p->away[p->turn] <= p->away[!p->turn] ? p->turn : !p->turn;
    if (p->left[!runner])
        return UNKNOWN;
    if (runs_free(p, runner))
        return runner == p->turn ? WIN - ply - 2 * p->away[runner] + 1
                                 : -(WIN - ply - 2 * p->away[runner]);
    if (p->left[runner])
        return UNKNOWN;
    uint64_t fences = p->key ^ pawn_key(0, p->at[0]) ^ pawn_key(1, p->at[1]);
    fences ^= p->turn ? TURN_KEY : 0;
    Race *race = &core->races[fences % RACES];
    if (race->fences != fences) {
        if (depth < SOLVE)
            return UNKNOWN;
        core->nodes += RACE_NODES;
        race->fences = fences;
        solve_race(race, p);
    }
    int plies = race->plies[p->turn][p->at[p->turn]][p->at[!p->turn]];
    return plies == OPEN ? 0 : plies % 2 ? WIN - ply - plies : -(WIN - ply - plies);
}

/* How many steps a seat is from its goal when fences stand in these slots too, at most `most`;
 * from `seen`, the squares up to `steps` away, which they do not touch. */
static int steps_around(const Place *p, int seat, Set across, Set upright, Set seen, int steps,
                        int most) {
    Place there;
    there.north = p->north & ~(across | across << 1);
    there.east = p->east & ~(upright | upright << SIZE);
    while (!(seen >> p->at[seat] & 1) && steps < most) {
        Set grown = seen | neighbours(&there, seen);
        if (grown == seen)
            return -1;
        seen = grown;
        steps++;
    }
    return steps;
}

/* How much a seat has to fear from the other's fences, in halves of points. A fence that would shut
 * it in is not to be feared, nor is one on a way that has no second: it may not be closed. */
static int danger(const Place *p, int seat) {
    Set nearer[CELLS + 1], seen = GOAL[seat];
    Set slots[2] = {p->cut[seat][0] & p->free[0], p->cut[seat][1] & p->free[1]};
    int away = 0, worst = 0, next = 0;
    for (; !(seen >> p->at[seat] & 1); seen |= neighbours(p, seen))
        nearer[away++] = seen;
    for (int way = 0; way < 2; way++)
        for (Set left = slots[way]; left; left &= left - 1) {
            Set slot = left & -left, beside = way ? slot | slot << SIZE : slot | slot << 1;
            int same = 0, more;
            beside |= beside << (way ? 1 : SIZE);
            while (same < away - 1 && !(nearer[same] & beside))
                same++; /* up to the fence nothing changes */
            more = steps_around(p, seat, way ? 0 : slot, way ? slot : 0, nearer[same], same,
                                away + LONGEST_DETOUR) - away;
            if (more > worst) {
                next = worst;
                worst = more;
            } else if (more > next)
                next = more;
        }
    int most = away + LONGEST_SECOND;
    int second = steps_around(p, seat, slots[0], slots[1], GOAL[seat], 0, most);
    return DETOUR * worst + NEXT_DETOUR * next - SECOND_WAY * ((second < 0 ? most : second) - away);
}

/* The static evaluation of a position for the mover; exact only if it may be between the bounds. */
static int look(const Place *p, int low, int high) {
    int me = p->turn, you = !me;
    int value = STEP * (p->away[you] - p->away[me]) + FENCE * (p->left[me] - p->left[you]) + TURN;
    if (!p->left[you] && p->away[me] <= p->away[you])
        value += RACE_WON;
    else if (!p->left[me] && p->away[you] < p->away[me])
        value -= RACE_WON;
    if (value > low - MARGIN && value < high + MARGIN) {
        if (p->left[you])
            value -= danger(p, me) / 2;
        if (p->left[me])
            value += danger(p, you) / 2;
    }
    return value;
}

static int ask(Core *core) {
    core->ask = core->nodes + 1024;
    return core->stop();
}

static int enough(Core *core) {
    if (core->may_stop && !core->over)
        core->over = core->nodes >= core->most || (core->nodes >= core->ask && ask(core));
    return core->over;
}

static inline void add(Choice *list, int *number, int move, int rank) {
    list[*number].move = move;
    list[(*number)++].rank = rank;
}

#define FIRST (1 << 30)
#define AHEAD (1 << 20)
#define KILLER (1 << 19)
#define GAIN (1 << 14)
#define CUTS (1 << 12)

/* How promising a fence is that cuts the other's way: by the steps it costs them, and us. */
static int promise(const Place *p, int move) {
    Place there = *p;
    int me = p->turn, you = !me, gain;
    if (!play(&there, move))
        return 0;
    gain = there.away[you] - p->away[you] - (there.away[me] - p->away[me]);
    return gain > 0 ? CUTS + gain * GAIN : 0;
}

/* The slots beside both pawns, the same in both ways. */
static Set beside_pawns(const Place *p) {
    Set pawns = BIT(p->at[0]) | BIT(p->at[1]);
    return pawns | pawns >> 1 | pawns >> SIZE | pawns >> (SIZE + 1);
}

/* List the moves worth searching: at the root all, near the horizon those that lengthen a way. */
static int gather(const Core *core, const Place *p, int depth, int ply, int first, Choice *list) {
    int number = 0, me = p->turn, you = !me;
    const int *history = core->history[me], *killers = core->killers[ply];
    for (Set left = targets(p); left; left &= left - 1) {
        int move = lowest(left);
        add(list, &number, move, BIT(move) & p->closer[me] ? AHEAD : history[move]);
    }
    for (int way = 0; way < 2 && p->left[me]; way++) {
        Set slots = p->cut[you][way];
        if (!ply)
            slots = SLOTS;
        else if (depth >= WIDE)
            slots |= p->touched[way] | beside_pawns(p);
        for (slots &= p->free[way]; slots; slots &= slots - 1) {
            int square = lowest(slots), move = CELLS + way * CELLS + square, rank = history[move];
            if (p->cut[you][way] >> square & 1)
                rank += depth >= WIDE ? promise(p, move) : CUTS;
            add(list, &number, move, rank);
        }
    }
    for (int i = 0; i < number; i++)
        if (list[i].move == first)
            list[i].rank = FIRST;
        else if (list[i].move == killers[0] || list[i].move == killers[1])
            list[i].rank += KILLER;
    return number;
}

/* Bring the best of what is left to the front. */
static int pick(Choice *list, int from, int number) {
    int best = from;
    for (int i = from + 1; i < number; i++)
        if (list[i].rank > list[best].rank)
            best = i;
    Choice chosen = list[best];
    list[best] = list[from];
    list[from] = chosen;
    return chosen.move;
}

static Known *find_known(const Core *core, uint64_t key) {
    Known *pair = &core->known[key & core->mask & ~(uint64_t)1];
    return pair[0].key == key ? pair : pair[1].key == key ? pair + 1 : NULL;
}

static void remember(Core *core, const Place *p, int depth, int ply, int kind, int value, int move) {
    Known *pair = &core->known[p->key & core->mask & ~(uint64_t)1], *into = pair;
    if (pair[0].key != p->key &&
        (pair[1].key == p->key || (pair[0].age == core->age && pair[0].depth > depth)))
        into = pair + 1;
    if (value > WIN / 2)
        value += ply;
    else if (value < -WIN / 2)
        value -= ply;
    *into = (Known){p->key, (short)value, (uint16_t)move, (uint8_t)depth, (uint8_t)kind,
                    (uint8_t)core->age, 0};
}

static int was_there(const Core *core, uint64_t key, int ply) {
    for (int i = ply - 4; i >= 0; i -= 2)
        if (core->path[i] == key)
            return 1;
    for (int i = 0; i < core->seen_count; i++)
        if (core->seen[i] == key)
            return 1;
    return 0;
}

static void note_good(Core *core, int turn, int move, int depth, int ply) {
    int *killers = core->killers[ply], *history = core->history[turn];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    history[move] += depth * depth;
    if (history[move] > 1 << 16)
        for (int i = 0; i < MOVES; i++)
            history[i] /= 2;
}

/* What a position is worth to the mover, by alpha-beta between two bounds: the first move with the full
 * window, the others with a null window, and again with the full one where they turn out better. */
static int value_of(Core *core, const Place *p, int depth, int low, int high, int ply) {
    core->nodes++;
    if (targets(p) & GOAL[p->turn])
        return WIN - ply - 1;
    core->path[ply] = p->key;
    if (was_there(core, p->key, ply))
        return 0;
    if (!p->left[0] || !p->left[1]) {
        int value = race_value(core, p, depth, ply);
        if (value != UNKNOWN)
            return value;
    }
    if (depth <= 0 || ply >= DEEPEST)
        return look(p, low, high);
    if (enough(core))
        return 0;
    int first = NO_MOVE;
    const Known *known = find_known(core, p->key);
    if (known) {
        int value = known->value;
        value = value > WIN / 2 ? value - ply : value < -WIN / 2 ? value + ply : value;
        first = known->move;
        if (known->depth >= depth &&
            (known->kind == EXACT || (known->kind == LEAST && value >= high) ||
             (known->kind == MOST && value <= low)))
            return value;
    }
    Choice list[MOVES];
    int number = gather(core, p, depth, ply, first, list);
    int best = -LIMIT, best_move = NO_MOVE, least = low, tried = 0;
    for (int i = 0; i < number; i++) {
        int move = pick(list, i, number), value, less = 0;
        Place there = *p;
        if (!play(&there, move))
            continue;
        if (depth >= REDUCE && tried >= 2)
            less = 1 + (tried >= 6) + (tried >= 12 && depth >= 6);
        if (!tried++)
            value = -value_of(core, &there, depth - 1, -high, -low, ply + 1);
        else {
            value = -value_of(core, &there, depth - 1 - less, -low - 1, -low, ply + 1);
            if (less && value > low)
                value = -value_of(core, &there, depth - 1, -low - 1, -low, ply + 1);
            if (value > low && value < high)
                value = -value_of(core, &there, depth - 1, -high, -low, ply + 1);
        }
        if (core->over)
            return 0;
        if (value > best) {
            best = value;
            best_move = move;
        }
        if (best > low)
            low = best;
        if (low >= high) {
            note_good(core, p->turn, move, depth, ply);
            break;
        }
    }
    remember(core, p, depth, ply, best >= high ? LEAST : best <= least ? MOST : EXACT, best,
             best_move);
    return best;
}

/* Search all moves of the root once more, the best so far first; keep the order found. */
static void score_root(Core *core, const Place *p, Choice *list, int number, int depth, Answer *answer) {
    int low = -LIMIT;
    for (int i = 0; i < number; i++) {
        Place there = *p;
        int value, less = depth >= 4 && i >= 12;
        play(&there, list[i].move);
        if (!i)
            value = -value_of(core, &there, depth - 1, -LIMIT, LIMIT, 1);
        else {
            value = -value_of(core, &there, depth - 1 - less, -low - 1, -low, 1);
            if (value > low)
                value = -value_of(core, &there, depth - 1, -LIMIT, -low, 1);
        }
        if (core->over)
            return;
        if (value > low) {
            Choice best = list[i];
            memmove(list + 1, list, (size_t)i * sizeof *list);
            list[0] = best;
            low = answer->value = value;
            answer->move = best.move;
        }
    }
    answer->depth = depth;
}

/* -- what is called from outside */

Core *core_new(int bits) {
    Core *core = calloc(1, sizeof *core);
    fill_tables();
    if (core) {
        core->mask = ((uint64_t)1 << bits) - 1;
        core->known = calloc((size_t)core->mask + 1, sizeof *core->known);
        core->races = calloc(RACES, sizeof *core->races);
    }
    return core;
}

void core_free(Core *core) {
    free(core->known);
    free(core->races);
    free(core);
}

/* Find the best move by iterative deepening. The first iteration is always finished; `stop` is asked
 * every thousand positions. `seen` has pairs of pawns of earlier positions, after the mover's moves. */
void core_search(Core *core, const int *at, const int *left, int turn, const int *fences, int number,
                 const int *seen, int seen_count, uint64_t seed, int depth, uint64_t most,
                 int (*stop)(void), Answer *answer) {
    Place p;
    Choice list[MOVES];
    int moves = 0;
    *answer = (Answer){NO_MOVE, 0, 0, 0};
    if (!set_up(&p, at, left, turn, fences, number))
        return;
    core->nodes = core->may_stop = core->over = 0;
    core->most = most;
    core->ask = 1024;
    core->stop = stop;
    core->age = (core->age + 1) & 0xff;
    core->seen_count = 0;
    for (int i = 0; i < seen_count && i < 256; i++)
        core->seen[core->seen_count++] = p.key ^ TURN_KEY ^ pawn_key(0, p.at[0]) ^
            pawn_key(1, p.at[1]) ^ pawn_key(0, seen[2 * i]) ^ pawn_key(1, seen[2 * i + 1]);
    memset(core->killers, 0xff, sizeof core->killers);
    for (int seat = 0; seat < 2; seat++)
        for (int i = 0; i < MOVES; i++)
            core->history[seat][i] /= 8;
    core->path[0] = p.key;
    Set wins = targets(&p) & GOAL[turn];
    if (wins) {
        *answer = (Answer){lowest(wins), WIN - 1, 1, 1};
        return;
    }
    int all = gather(core, &p, depth, 0, NO_MOVE, list);
    for (int i = 0; i < all; i++) {
        Place there = p;
        if (play(&there, list[i].move))
            list[moves++] = list[i];
    }
    for (int i = moves - 1; i > 0; i--) {
        int other = (int)(mix(seed + (uint64_t)i) % (uint64_t)(i + 1));
        Choice kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
    for (int ahead = 1; ahead <= depth && ahead < DEEPEST && !core->over; ahead++) {
        score_root(core, &p, list, moves, ahead, answer);
        core->may_stop = 1;
        if (moves == 1 || answer->value > WIN / 2 || answer->value < -WIN / 2)
            break;
    }
    answer->nodes = core->nodes;
}

/* List every legal move; return how many. */
int core_moves(const int *at, const int *left, int turn, const int *fences, int number, int *moves) {
    Place p;
    int found = 0;
    fill_tables();
    if (!set_up(&p, at, left, turn, fences, number))
        return 0;
    for (Set rest = targets(&p); rest; rest &= rest - 1)
        moves[found++] = lowest(rest);
    for (int move = CELLS; move < MOVES && left[turn]; move++) {
        Place there = p;
        if (p.free[move >= 2 * CELLS] & BIT(move % CELLS) && play(&there, move))
            moves[found++] = move;
    }
    return found;
}

/* Count the steps of both pawns to their goals; tell whether both can get there. */
int core_distances(const int *at, const int *left, int turn, const int *fences, int number, int *steps) {
    Place p;
    fill_tables();
    if (!set_up(&p, at, left, turn, fences, number))
        return 0;
    steps[0] = p.away[0];
    steps[1] = p.away[1];
    return 1;
}

/* Count the plies of a race without fences; tell whether somebody can force its end. */
int core_race(const int *at, const int *left, int turn, const int *fences, int number, int *plies) {
    Place p;
    Race race;
    fill_tables();
    if (!set_up(&p, at, left, turn, fences, number))
        return 0;
    solve_race(&race, &p);
    *plies = race.plies[turn][at[turn]][at[!turn]];
    return *plies != OPEN;
}
