/* Simulate hands of a climbing game quickly, and train the large network on them.
 *
 * A deck has 13 ranks of four cards. A set of cards is 52 bits, lowest card first. Tables contain all combinations,
 * their strengths, and which sorts may be played on which (fast_simulator.py). A hand ends when one player is out.
 * The features of a choice are those of app/bots/network/card_features.py, in the same order; a test compares them.
 *
 * Numbers are always added in the same order, so that a seed gives the same weights on every machine.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t cards;

enum { SEATS = 4, RANKS = 13, SUITS = 4, CARDS = 52, SORTS = 12, STEPS = 16 };
enum { INSIDE = 3000, TRUE = 240, TURNS = 40, WIDEST = 1024 };
/* Limits: combinations of one player, features of a choice, choices of a seat in a hand, units of a layer. */

static const cards PACK = 0xfffffffffffffull;
static const cards LOWEST_OF_RANKS = 0x1111111111111ull;
/* The step (0 to 7) for a number of cards (the index). */
static const int8_t STEP_OF[CARDS + 1] = {
    0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
};

struct known {
    cards mask;
    int32_t level; /* higher is stronger */
    int8_t sort, size;
    int8_t step;  /* height among combinations of its sort */
    int8_t grade; /* height among combinations of the same size */
};

struct rules {
    int32_t count;
    int32_t low_first; /* whether the first play must include the lowest card */
    int32_t bars;      /* whether a player who passes is out of the trick */
    int32_t paid;      /* whether the losers pay the winner */
    int32_t dear;
    uint32_t goes_on[SORTS];            /* by sort, the sorts that may be played on it, as bits */
    int32_t from[SORTS], to[SORTS];     /* range of a sort in `highest` */
    int32_t size[SORTS];                /* number of cards by sort; 0: no such sort */
    float cost[RANKS + 1];              /* penalty by number of cards left */
    const struct known *all;            /* in the order in which the rules list them */
    const int32_t *highest;             /* indexes in `all`, by sort, strongest first */
};

enum {
    HAND = 0,
    HELD = HAND + CARDS,
    UNSEEN = HELD + CARDS,
    LEFT = UNSEEN + CARDS,
    COUNT = LEFT + CARDS,
    MINE = COUNT + 3 * 14,
    ON_SINGLE = MINE + 14,
    ON = ON_SINGLE + CARDS,
    AWAITED = ON + SORTS * STEPS,
    SILENT = AWAITED + 16,
    PASSED = SILENT + 3,
    SKIPPED = PASSED + 3 * 3 * STEPS,
    PAID = SKIPPED + 2 * 3 * RANKS,
    BARS = PAID + 1,
    DEAR = BARS + 1,
    PLAN = DEAR + 3,
    MANY = PLAN + 80,
    FIRST = MANY + 3,
    SECOND = FIRST + SORTS * STEPS,
    SINGLES = SECOND + SORTS,
    PAIRS = SINGLES + 8,
    TRIPLES = PAIRS + 7,
    TOP = TRIPLES + 5,
    BOTTOM = TOP + 5 * 8,
    DOES = BOTTOM + 5 * 8,
    SURE = DOES + SORTS + 1,
    HIGHER = SURE + SORTS,
    THERE = HIGHER + 8,
    WINS = THERE + SORTS,
    FEATURES = WINS + 64
};

int features(void) { return FEATURES; }

static inline int many(cards some) { return __builtin_popcountll(some); }
static inline int lowest(cards some) { return __builtin_ctzll(some); }
static inline int highest(cards some) { return 63 - __builtin_clzll(some); }
static inline int least(int one, int other) { return one < other ? one : other; }
/* One bit for each rank in a set: the bit of its lowest suit. */
static inline cards ranks(cards some) { return (some | some >> 1 | some >> 2 | some >> 3) & LOWEST_OF_RANKS; }

static inline uint64_t chance(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static inline float share(uint64_t *state) { return ((chance(state) >> 40) + 0.5f) / 16777216.0f; }

/* A table ------------------------------------------------------------------------------------------------------------ */

struct table {
    cards hand[SEATS], gone;
    int32_t on; /* the combination to beat; -1 for a lead */
    int32_t owner, turn, opened;
    int32_t silent;             /* seats that may not play before the next play or trick, as bits */
    int32_t low[SEATS][3];      /* by seat, lowest grade passed on: single, pair, larger */
    uint32_t skipped[SEATS][2]; /* by seat, ranks skipped with single cards and pairs */
    int32_t inside[SEATS][INSIDE], count[SEATS];
    int32_t best[SEATS][SORTS]; /* first index in `highest` that others might hold; it only grows */
};

size_t size_of_table(void) { return sizeof(struct table); }

void begin(const struct rules *rules, struct table *table, const cards *hands, int turn) {
    for (int seat = 0; seat < SEATS; seat++) {
        table->hand[seat] = hands[seat];
        table->count[seat] = 0;
        for (int slot = 0; slot < 3; slot++) table->low[seat][slot] = STEPS;
        table->skipped[seat][0] = table->skipped[seat][1] = 0;
    }
    for (int seat = 0; seat < SEATS; seat++) memcpy(table->best[seat], rules->from, sizeof rules->from);
    table->gone = 0;
    table->on = -1;
    table->owner = table->turn = turn;
    table->silent = 0;
    table->opened = !rules->low_first;
    for (int at = 0; at < rules->count; at++)
        for (int seat = 0; seat < SEATS; seat++)
            if (!(rules->all[at].mask & ~hands[seat]) && table->count[seat] < INSIDE)
                table->inside[seat][table->count[seat]++] = at;
}

int turn_of(const struct table *table) { return table->turn; }

/* List the plays of the player to act and return their number. Passing is legal as well, except when leading. */
int choices(const struct rules *rules, struct table *table, int32_t *found) {
    int me = table->turn, count = 0, kept = 0;
    const struct known *on = table->on < 0 ? NULL : &rules->all[table->on];
    for (int i = 0; i < table->count[me]; i++) {
        int32_t at = table->inside[me][i];
        const struct known *one = &rules->all[at];
        if (one->mask & ~table->hand[me]) continue;
        table->inside[me][kept++] = at;
        if (on && (!(rules->goes_on[on->sort] >> one->sort & 1) || one->level <= on->level)) continue;
        if (table->opened || one->mask & 1) found[count++] = at;
    }
    table->count[me] = kept;
    return count;
}

/* Return the play of the easy bot (app/bots/simple/easy.py), or -1 to pass. */
int by_thumb(const struct rules *rules, const struct table *table, const int32_t *found, int count) {
    int me = table->turn, best = -1, dear = 0, cost[4] = {99, 99, 99, 99}, few = CARDS;
    cards hand = table->hand[me];
    for (int i = 0; i < count; i++)
        if (rules->all[found[i]].mask == hand) return found[i];
    for (int i = 0; i < count; i++) {
        const struct known *one = &rules->all[found[i]];
        int controls = many(one->mask >> (RANKS - 2) * SUITS), top = highest(one->mask) / SUITS, torn = 0, broken = 0;
        for (cards left = ranks(one->mask); left; left &= left - 1) {
            int held = many(hand >> lowest(left) & 15);
            torn += held > many(one->mask >> lowest(left) & 15);
            broken |= held > one->size + 1;
        }
        int leads = table->on < 0, this[4] = {controls, leads ? 0 : torn, leads ? top - 2 * one->size : top, -one->size};
        int at = 0;
        while (at < 4 && this[at] == cost[at]) at++;
        if (at == 4 || this[at] > cost[at]) continue;
        memcpy(cost, this, sizeof cost);
        best = found[i];
        dear = controls > 1 || (controls == 1 && many(hand) > 8) || broken;
    }
    for (int seat = 0; seat < SEATS; seat++)
        if (seat != me) few = least(few, many(table->hand[seat]));
    return table->on >= 0 && dear && many(hand) > 4 && few > 2 ? -1 : best;
}

/* Let the player to act play a combination, or pass (-1). */
void act(const struct rules *rules, struct table *table, int does) {
    int me = table->turn;
    const struct known *on = table->on < 0 ? NULL : &rules->all[table->on];
    if (does < 0) {
        int slot = least(on->size, 3) - 1;
        table->low[me][slot] = least(table->low[me][slot], on->grade);
        table->silent |= 1 << me;
    } else {
        const struct known *one = &rules->all[does];
        if (one->size < 3 && (!on || on->size == one->size)) {
            int above = on ? lowest(on->mask) / SUITS + 1 : 0;
            table->skipped[me][one->size - 1] |= ((1u << lowest(one->mask) / SUITS) - 1) & ~((1u << above) - 1);
        }
        table->hand[me] &= ~one->mask;
        table->gone |= one->mask;
        table->on = does;
        table->owner = me;
        table->opened = 1;
        if (!rules->bars) table->silent = 0;
    }
    for (int i = 1; i < SEATS; i++) {
        int next = (me + i) % SEATS;
        if (next == table->owner || table->silent >> next & 1) continue;
        table->turn = next;
        return;
    }
    table->turn = table->owner;
    table->on = -1;
    table->silent = 0;
}

/* A seat's view ----------------------------------------------------------------------------------------------------- */

struct sight {
    int seats[3], counts[3]; /* the other seats in turn order, and their numbers of cards */
    cards mine, unseen;
    int32_t best[SORTS];  /* by sort, the highest level that others might hold; -1: none */
    int above[SUITS + 1]; /* by size, the highest rank of a set that others might hold; -1: none */
};

static void look(const struct rules *rules, struct table *table, struct sight *sight) {
    int me = table->turn, most = 0;
    sight->mine = table->hand[me];
    sight->unseen = PACK & ~table->gone & ~sight->mine;
    for (int i = 0; i < 3; i++) {
        sight->seats[i] = (me + 1 + i) % SEATS;
        sight->counts[i] = many(table->hand[sight->seats[i]]);
        if (sight->counts[i] > most) most = sight->counts[i];
    }
    for (int sort = 0; sort < SORTS; sort++) {
        sight->best[sort] = -1;
        if (!rules->size[sort] || rules->size[sort] > most) continue;
        int32_t *at = &table->best[me][sort];
        while (*at < rules->to[sort] && rules->all[rules->highest[*at]].mask & ~sight->unseen) ++*at;
        if (*at < rules->to[sort]) sight->best[sort] = rules->all[rules->highest[*at]].level;
    }
    for (int size = 1; size <= SUITS; size++) {
        sight->above[size] = -1;
        for (int rank = 0; rank < RANKS && size <= most; rank++)
            if (many(sight->unseen >> SUITS * rank & 15) >= size) sight->above[size] = rank;
    }
}

static int beatable(const struct rules *rules, const struct sight *sight, const struct known *one) {
    for (uint32_t sorts = rules->goes_on[one->sort]; sorts; sorts &= sorts - 1)
        if (sight->best[__builtin_ctz(sorts)] > one->level) return 1;
    return 0;
}

static int by_rank(cards some, int first, int16_t *true_) {
    int count = 0;
    for (cards left = ranks(some); left; left &= left - 1)
        true_[count++] = first + lowest(left) + many(some >> lowest(left) & 15) - 1;
    return count;
}

/* List the features that no action changes, and return their number. */
static int moment(const struct rules *rules, const struct table *table, const struct sight *sight, int16_t *true_) {
    int count = by_rank(sight->unseen, LEFT, true_);
    for (cards left = sight->unseen; left; left &= left - 1) true_[count++] = UNSEEN + lowest(left);
    for (int i = 0; i < 3; i++) {
        int seat = sight->seats[i];
        true_[count++] = COUNT + 14 * i + sight->counts[i];
        for (int slot = 0; slot < 2; slot++)
            for (uint32_t left = table->skipped[seat][slot]; left; left &= left - 1)
                true_[count++] = SKIPPED + RANKS * (3 * slot + i) + __builtin_ctz(left);
        for (int slot = 0; slot < 3; slot++)
            if (table->low[seat][slot] < STEPS) true_[count++] = PASSED + STEPS * (3 * slot + i) + table->low[seat][slot];
    }
    for (int sort = 0; sort < SORTS; sort++)
        if (sight->best[sort] >= 0) true_[count++] = THERE + sort;
    if (rules->paid) true_[count++] = PAID;
    if (rules->bars) true_[count++] = BARS;
    true_[count++] = DEAR + rules->dear;
    return count;
}

struct plan {
    int turns, losers, whole, first, second, sets[SUITS + 1];
};

/* Return the plan with the given cards added, one set for each rank. */
static struct plan with_sets(struct plan plan, const struct sight *sight, cards some) {
    for (cards left = ranks(some); left; left &= left - 1) {
        int at = lowest(left), size = many(some >> at & 15);
        plan.turns++;
        plan.sets[size]++;
        plan.losers += size == 1 ? (sight->unseen >> (at + highest(some >> at & 15))) != 0 : sight->above[size] > at / SUITS;
    }
    return plan;
}

static int is_better(const struct plan *one, const struct plan *other) {
    int cost = one->turns + one->losers, than = other->turns + other->losers;
    return cost < than || (cost == than && one->turns < other->turns);
}

/* Return the best plan for the seat's cards: at most two combinations of five or more cards, the rest in sets. */
static struct plan planned(const struct rules *rules, const struct table *table, const struct sight *sight, cards hand) {
    int32_t there[INSIDE];
    int8_t loses[INSIDE];
    int count = 0, me = table->turn;
    struct plan best = with_sets((struct plan){.first = -1, .second = -1}, sight, hand);
    for (int i = 0; i < table->count[me]; i++) {
        const struct known *one = &rules->all[table->inside[me][i]];
        if (one->size < 5 || one->mask & ~hand) continue;
        loses[count] = (int8_t)beatable(rules, sight, one);
        there[count++] = table->inside[me][i];
    }
    for (int i = 0; i < count; i++) {
        const struct known *one = &rules->all[there[i]];
        cards left = hand & ~one->mask;
        struct plan plan = {.turns = 1, .losers = loses[i], .whole = 1, .first = there[i], .second = -1};
        plan = with_sets(plan, sight, left);
        if (is_better(&plan, &best)) best = plan;
        for (int j = 0; j < i && many(left) >= 5; j++) {
            const struct known *other = &rules->all[there[j]];
            if (other->mask & ~left) continue;
            int higher = one->level > other->level;
            struct plan both = {.turns = 2, .losers = loses[i] + loses[j], .whole = 2};
            both.first = there[higher ? i : j];
            both.second = there[higher ? j : i];
            both = with_sets(both, sight, left & ~other->mask);
            if (is_better(&both, &best)) best = both;
        }
    }
    return best;
}

/* List the other features after a play, or a pass (-1), and return their number. */
static int after(
    const struct rules *rules, const struct table *table, const struct sight *sight, int does, int16_t *true_
) {
    const struct known *on = does < 0 ? NULL : &rules->all[does];
    int count = 0, owner = 0, awaited = 0, silent = table->silent;
    cards hand = sight->mine;
    if (on) {
        hand &= ~on->mask;
        silent = rules->bars ? silent : 0;
        for (int i = 0; i < 3; i++) awaited += !(silent >> sight->seats[i] & 1);
        true_[count++] = DOES + on->sort;
        if (!beatable(rules, sight, on)) true_[count++] = SURE + on->sort;
        if (on->size == 1) true_[count++] = HIGHER + STEP_OF[many(sight->unseen >> lowest(on->mask))];
    } else {
        true_[count++] = DOES + SORTS;
        owner = (table->owner - table->turn + SEATS) % SEATS;
        for (int i = 0; i < 3; i++) awaited += i + 1 != owner && !(silent >> sight->seats[i] & 1);
        if (awaited) on = &rules->all[table->on];
    }
    true_[count++] = AWAITED + 4 * owner + awaited;
    if (on) {
        for (int i = 0; i < 3; i++)
            if (silent >> sight->seats[i] & 1) true_[count++] = SILENT + i;
        true_[count++] = ON + STEPS * on->sort + on->step;
        if (on->size == 1) true_[count++] = ON_SINGLE + lowest(on->mask);
    }
    int held = many(hand), place = 0;
    true_[count++] = MINE + held;
    for (cards left = hand; left; left &= left - 1, place++) {
        int card = lowest(left), step = STEP_OF[many(sight->unseen >> card)];
        true_[count++] = HAND + card;
        if (place < 5) true_[count++] = BOTTOM + 8 * place + step;
        if (held - 1 - place < 5) true_[count++] = TOP + 8 * (held - 1 - place) + step;
    }
    count += by_rank(hand, HELD, true_ + count);
    struct plan plan = planned(rules, table, sight, hand);
    true_[count++] = PLAN + 8 * least(plan.turns, 9) + least(plan.losers, 7);
    true_[count++] = WINS + 16 * owner + 4 * least(plan.losers, 3) + awaited;
    true_[count++] = MANY + plan.whole;
    if (plan.first >= 0) true_[count++] = FIRST + STEPS * rules->all[plan.first].sort + rules->all[plan.first].step;
    if (plan.second >= 0) true_[count++] = SECOND + rules->all[plan.second].sort;
    true_[count++] = SINGLES + least(plan.sets[1], 7);
    true_[count++] = PAIRS + least(plan.sets[2], 6);
    true_[count++] = TRIPLES + least(plan.sets[3] + plan.sets[4], 4);
    return count;
}

/* List all features of a choice, for tests, and return their number. */
int survey(const struct rules *rules, struct table *table, int does, int16_t *true_) {
    struct sight sight;
    look(rules, table, &sight);
    int count = moment(rules, table, &sight, true_);
    return count + after(rules, table, &sight, does, true_ + count);
}

/* The network -------------------------------------------------------------------------------------------------------- */

/* The weights of a network, in the order of the weights file. */
struct net {
    int32_t first, second; /* units of the hidden layers, multiples of 8 */
    float *weights;
};

struct parts {
    float *rows, *first, *next, *second, *out, *begin;
};

static struct parts parts_of(const struct net *net) {
    struct parts parts = {.rows = net->weights};
    parts.first = parts.rows + (long)FEATURES * net->first;
    parts.next = parts.first + net->first;
    parts.second = parts.next + (long)net->first * net->second;
    parts.out = parts.second + net->second;
    parts.begin = parts.out + net->second;
    return parts;
}

/* A vector of eight floats, without 32-byte alignment. */
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));

#define EIGHT(at) (*(const eight *)(at))
#define TO_EIGHT(at) (*(eight *)(at))

/* Add rows, in order and multiplied by `times` if given, to `begin`. Blocks of 64 columns stay in registers. */
static inline __attribute__((always_inline)) void sum(
    float *to, const float *begin, const float *rows, const int16_t *which, const float *times, int count, int units
) {
    int at = 0;
    for (; at + 64 <= units; at += 64) {
        eight sums[8];
        for (int k = 0; k < 8; k++) sums[k] = EIGHT(begin + at + 8 * k);
        for (int i = 0; i < count; i++) {
            const float *row = rows + (long)which[i] * units + at;
            if (times)
                for (int k = 0; k < 8; k++) sums[k] += EIGHT(row + 8 * k) * times[i];
            else
                for (int k = 0; k < 8; k++) sums[k] += EIGHT(row + 8 * k);
        }
        for (int k = 0; k < 8; k++) TO_EIGHT(to + at + 8 * k) = sums[k];
    }
    for (; at < units; at += 8) {
        eight sums = EIGHT(begin + at);
        for (int i = 0; i < count; i++) {
            const float *row = rows + (long)which[i] * units + at;
            if (times)
                sums += EIGHT(row) * times[i];
            else
                sums += EIGHT(row);
        }
        TO_EIGHT(to + at) = sums;
    }
}

/* List the indexes and values of the positive numbers, and return their number. */
static int above_zero(const float *some, int units, int16_t *which, float *times) {
    int count = 0;
    for (int i = 0; i < units; i++) {
        which[count] = (int16_t)i;
        times[count] = some[i];
        count += some[i] > 0;
    }
    return count;
}

/* Return the network's value for the sums of the first layer; store those of the second in `second`. */
static float value(const struct net *net, const struct parts *parts, const float *first, float *second) {
    int16_t which[WIDEST];
    float times[WIDEST], worth = parts->begin[0];
    int count = above_zero(first, net->first, which, times);
    sum(second, parts->second, parts->next, which, times, count, net->second);
    for (int i = 0; i < net->second; i++) worth += second[i] > 0 ? second[i] * parts->out[i] : 0;
    return worth;
}

/* Playing ------------------------------------------------------------------------------------------------------------ */

struct lesson {
    int16_t true_[TRUE];
    int32_t count;
    float worth;
};

struct practice {
    uint64_t seed;
    int32_t hands;
    float heat;      /* exploration noise; 0 plays the action with the highest value */
    float trust;     /* weight of the value of the next choice in a target */
    float others[3]; /* cumulative shares of hands with 0, 1 and 2 seats of the opponent; else 3 */
};

struct result {
    double seats, points, squares, won; /* sums over the seats of the learner */
};

struct seat {
    int learns, count;
    struct lesson lessons[TURNS];
    float thoughts[TURNS];
};

/* Choose a play (or -1 to pass) by the network, and record the choice in `mine`, if given. */
static int thought(
    const struct rules *rules, const struct net *net, struct table *table, const int32_t *found, int count,
    float heat, uint64_t *state, struct seat *mine
) {
    float base[WIDEST], sums[WIDEST], hidden[WIDEST], most = -INFINITY, opinion = 0;
    int16_t now[TRUE], best[TRUE];
    int does = -1, best_count = 0;
    struct parts parts = parts_of(net);
    struct sight sight;
    look(rules, table, &sight);
    int always = moment(rules, table, &sight, now);
    sum(base, parts.first, parts.rows, now, NULL, always, net->first);
    for (int i = table->on < 0 ? 0 : -1; i < count; i++) {
        int all = always + after(rules, table, &sight, i < 0 ? -1 : found[i], now + always);
        sum(sums, base, parts.rows, now + always, NULL, all - always, net->first);
        float worth = value(net, &parts, sums, hidden), noisy = worth;
        if (heat > 0) noisy -= heat * logf(-logf(share(state)));
        if (noisy <= most) continue;
        most = noisy;
        opinion = worth;
        does = i < 0 ? -1 : found[i];
        best_count = all;
        memcpy(best, now, sizeof best);
    }
    if (mine && mine->count < TURNS) {
        struct lesson *lesson = &mine->lessons[mine->count];
        memcpy(lesson->true_, best, sizeof best);
        lesson->count = best_count;
        mine->thoughts[mine->count++] = opinion;
    }
    return does;
}

static void deal(const struct rules *rules, struct table *table, uint64_t *state) {
    int8_t pack[CARDS];
    cards hands[SEATS] = {0};
    int turn = 0;
    for (int i = 0; i < CARDS; i++) pack[i] = (int8_t)i;
    for (int i = CARDS - 1; i > 0; i--) {
        int other = (int)(chance(state) % (uint64_t)(i + 1));
        int8_t card = pack[i];
        pack[i] = pack[other];
        pack[other] = card;
    }
    for (int i = 0; i < CARDS; i++) hands[i % SEATS] |= 1ull << pack[i];
    while (!(hands[turn] & 1)) turn++;
    begin(rules, table, hands, turn);
}

/* Play hands, write the samples of the learner's choices to `lessons`, and return their number.
 * The opponent is the network `rival`, or the easy bot without one. */
long practise(
    const struct rules *rules, const struct net *net, const struct net *rival, const struct practice *practice,
    struct lesson *lessons, long room, struct result *result
) {
    struct table *table = malloc(sizeof *table);
    struct seat *seats = malloc(SEATS * sizeof *seats);
    int32_t found[INSIDE];
    long kept = 0;
    for (int hand = 0; hand < practice->hands; hand++) {
        uint64_t state = practice->seed * 0xd1342543de82ef95ull + (uint64_t)hand * 0x9e3779b97f4a7c15ull;
        deal(rules, table, &state);
        float drawn = share(&state);
        int others = 0, first = (int)(chance(&state) % SEATS), winner = -1;
        while (others < 3 && drawn >= practice->others[others]) others++;
        for (int seat = 0; seat < SEATS; seat++) {
            seats[seat].count = 0;
            seats[seat].learns = (seat - first + SEATS) % SEATS >= others;
        }
        while (winner < 0) {
            int me = table->turn, count = choices(rules, table, found), does = -1;
            for (int i = 0; i < count; i++)
                if (rules->all[found[i]].mask == table->hand[me]) winner = me, does = found[i];
            if (winner >= 0 || !count) {
            } else if (!seats[me].learns && !rival)
                does = by_thumb(rules, table, found, count);
            else if (count == 1 && table->on < 0)
                does = found[0];
            else if (!seats[me].learns)
                does = thought(rules, rival, table, found, count, 0, &state, NULL);
            else
                does = thought(rules, net, table, found, count, practice->heat, &state, &seats[me]);
            act(rules, table, does);
        }
        float paid[SEATS], sum = 0;
        for (int seat = 0; seat < SEATS; seat++) {
            paid[seat] = -rules->cost[many(table->hand[seat])];
            sum -= paid[seat];
        }
        if (rules->paid) paid[winner] = sum;
        for (int seat = 0; seat < SEATS; seat++) {
            struct seat *one = &seats[seat];
            float worth = paid[seat] / rules->cost[RANKS]; /* in units of the penalty for a full hand */
            if (!one->learns) continue;
            result->seats++;
            result->points += paid[seat];
            result->squares += paid[seat] * paid[seat];
            result->won += seat == winner;
            for (int i = one->count - 1; i >= 0 && kept < room; i--) {
                lessons[kept] = one->lessons[i];
                lessons[kept++].worth = worth;
                worth = practice->trust * one->thoughts[i] + (1 - practice->trust) * worth;
            }
        }
    }
    free(table);
    free(seats);
    return kept;
}

/* Training ----------------------------------------------------------------------------------------------------------- */

struct step {
    float rate;
    float first, second; /* bias corrections of Adam's two means */
};

/* Adam's two running means for each weight, in the order of the weights. */
struct memory {
    float *drift, *size;
};

/* Make an Adam step for `many` weights from `at` on, against their gradients. */
static void against(float *weights, const float *slopes, struct memory memory, const struct step *step, long at, int many) {
    float *drift = memory.drift + at, *size = memory.size + at;
    for (int i = 0; i < many; i++) {
        float slope = slopes[i];
        /* The last terms avoid denormal numbers, which are slow on most processors. */
        drift[i] = 0.9f * drift[i] + 0.1f * slope + 1e-20f;
        size[i] = 0.999f * size[i] + 0.001f * slope * slope + 1e-30f;
        weights[at + i] -= step->rate * (drift[i] / step->first) / (sqrtf(size[i] / step->second) + 1e-7f);
    }
}

/* Make an Adam step on a batch, and return the sum of squared errors before the step. */
double learn(
    const struct net *net, const struct lesson *lessons, const int32_t *which, int batch, struct memory memory,
    const struct step *step
) {
    static const float zero[WIDEST];
    int units = net->first, second = net->second;
    struct parts parts = parts_of(net);
    float *first = malloc((size_t)batch * units * sizeof *first), *to_first = calloc((size_t)batch * units, sizeof *first);
    float *to_second = malloc((size_t)batch * second * sizeof *first), *times = malloc((size_t)batch * sizeof *times);
    int16_t *those = malloc((size_t)batch * TRUE * sizeof *those), active[WIDEST];
    int32_t from[FEATURES + 1] = {0}, to[FEATURES];
    float hidden[WIDEST], how[WIDEST], by_second[WIDEST] = {0}, by_out[WIDEST] = {0}, by_begin = 0, slopes[WIDEST];
    double error = 0;
    /* For each sample: the value, and the gradient of the error for each unit. */
    for (int at = 0; at < batch; at++) {
        const struct lesson *lesson = &lessons[which[at]];
        float *now = first + (long)at * units, *back = to_first + (long)at * units, *slope = to_second + (long)at * second;
        sum(now, parts.first, parts.rows, lesson->true_, NULL, lesson->count, units);
        float wrong = value(net, &parts, now, hidden) - lesson->worth, share = 2 * wrong / (float)batch;
        error += wrong * wrong;
        by_begin += share;
        for (int i = 0; i < second; i++) {
            slope[i] = hidden[i] > 0 ? share * parts.out[i] : 0;
            by_second[i] += slope[i];
            by_out[i] += hidden[i] > 0 ? share * hidden[i] : 0;
        }
        int count = above_zero(now, units, active, how);
        for (int i = 0; i < count; i++) {
            const float *row = parts.next + (long)active[i] * second;
            eight some = {0};
            for (int j = 0; j < second; j += 8) some += EIGHT(row + j) * EIGHT(slope + j);
            for (int k = 0; k < 8; k++) back[active[i]] += some[k];
        }
        for (int i = 0; i < lesson->count; i++) from[lesson->true_[i] + 1]++;
    }
    /* For each feature: the samples in which it is on. */
    for (int feature = 0; feature < FEATURES; feature++) to[feature] = from[feature + 1] += from[feature];
    for (int feature = FEATURES - 1; feature > 0; feature--) to[feature] = from[feature];
    to[0] = 0;
    for (int at = 0; at < batch; at++) {
        const struct lesson *lesson = &lessons[which[at]];
        for (int i = 0; i < lesson->count; i++) those[to[lesson->true_[i]]++] = (int16_t)at;
    }
    /* Update the weights layer by layer, from the first to the last. */
    for (int feature = 0; feature < FEATURES; feature++) {
        sum(slopes, zero, to_first, those + from[feature], NULL, from[feature + 1] - from[feature], units);
        against(net->weights, slopes, memory, step, (long)feature * units, units);
    }
    memset(slopes, 0, sizeof slopes);
    for (int at = 0; at < batch; at++)
        for (int i = 0; i < units; i++) slopes[i] += to_first[(long)at * units + i];
    against(net->weights, slopes, memory, step, parts.first - net->weights, units);
    for (int unit = 0; unit < units; unit++) {
        int count = 0;
        for (int at = 0; at < batch; at++) {
            those[count] = (int16_t)at;
            times[count] = first[(long)at * units + unit];
            count += times[count] > 0;
        }
        sum(slopes, zero, to_second, those, times, count, second);
        against(net->weights, slopes, memory, step, parts.next - net->weights + (long)unit * second, second);
    }
    against(net->weights, by_second, memory, step, parts.second - net->weights, second);
    against(net->weights, by_out, memory, step, parts.out - net->weights, second);
    against(net->weights, &by_begin, memory, step, parts.begin - net->weights, 1);
    free(first), free(to_first), free(to_second), free(times), free(those);
    return error;
}
