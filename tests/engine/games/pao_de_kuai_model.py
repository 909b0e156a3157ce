"""A plain model of Pao De Kuai, written from docs/rules/pao-de-kuai.md alone, to compare the engine with.

It shares no code with the engine and is slow on purpose. Cards are text such as "3s", a play is a frozenset of cards, a
player is a name. Players are listed clockwise.

    match = new_match({"must_beat": False}, ["Ana", "Bob"])
    match.deal({"Ana": ["3s", "9h"], "Bob": ["4s", "5s"]})
    match.hand.legal("Ana")  # [("play", frozenset({"3s"}))]: the lead must contain the 3s
    match.act("Ana", "play", ["3s"])
"""

from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tests.engine.games import model_match

RANKS = "3456789TJQKA2"  # from low

# The values of each option, the default first. Also: bomb_points (0 to 100).
OPTIONS = {
    "deck": ["sixteen", "fifteen", "thirteen"],
    "direction": ["clockwise", "anticlockwise"],
    "first_card": ["spades", "hearts"],
    "starter": ["winner", "low_card"],
    "low_card_lead": ["within", "free"],
    "loose_cards": ["two", "one", "any"],
    "short_last": ["always", "lead", "never"],
    "pair_runs": [2, 3],
    "ace_in_runs": [True, False],
    "fours_with": ["none", "two", "three"],
    "ace_bomb": [False, True],
    "beaten_bombs": ["paid", "nothing"],
    "must_beat": [True, False],
    "last_card_duty": ["highest", "liable", "none"],
    "one_left": ["free", "paid"],
    "spring": ["double", "plain"],
    "heart_ten": ["plain", "double"],
}

PRESETS = {"sixteen": {}, "fifteen": {"deck": "fifteen"}, "four_players": {"deck": "thirteen", "pair_runs": 3}}

DECKS = {"sixteen": (16, "2c 2d 2h As"), "fifteen": (15, "2c 2d 2h As Ac Ad Ks"), "thirteen": (13, "")}


def new_options(given):
    defaults = {key: values[0] for key, values in OPTIONS.items()}
    return model_match.Options(defaults | {"bomb_points": 10}, given)


def new_match(given, players):
    return model_match.Match(Hand, new_options(given), players)


def contradictory(_options):
    """Whether the page forbids these options together: it forbids none."""
    return False


def deck(options, count):
    """The cards of the deck of so many players, and the number of cards that each gets."""
    each, missing = DECKS["thirteen" if count == 4 else options.deck]
    return {rank + suit for rank in RANKS for suit in "cdhs"} - set(missing.split()), each


# Cards and combinations


def rank_of(card):
    return RANKS.index(card[0])


class Combination(NamedTuple):
    """One way to read some cards."""

    kind: str
    size: int
    top: int  # the highest rank without loose cards
    triples: int = 0  # the number of triples


def usual_loose_cards(options):
    """The numbers of loose cards that a triple can have."""
    return {"two": [2], "one": [1], "any": [0, 1, 2]}[options.loose_cards]


def longest_run(options):
    """The number of ranks from the 3 that can be in runs."""
    return RANKS.index("A") + options.ace_in_runs


@lru_cache(maxsize=100_000)  # for speed only
def readings_of_ranks(ranks, options, last):
    """Every combination that cards of these ranks form, as the player's last cards or not."""
    size, low, top = len(ranks), min(ranks), max(ranks)
    if low == top and size == 4:
        return [Combination("four", 4, top)]
    if ranks == (RANKS.index("A"),) * 3 and options.ace_bomb:
        return [Combination("three_aces", 3, top)]
    found = []
    if low == top and size <= 2:
        found.append(Combination(["single", "pair"][size - 1], size, top))
    row = tuple(range(low, min(top + 1, longest_run(options))))
    if ranks == row and len(row) >= 5:
        found.append(Combination("run", size, top))
    if ranks == tuple(sorted(row + row)) and len(row) >= options.pair_runs:
        found.append(Combination("run_of_pairs", size, top))
    usual = usual_loose_cards(options)
    for low in range(len(RANKS)):
        for triples in range(1, size // 3 + 1):
            top, loose = low + triples - 1, size - 3 * triples
            in_row = triples == 1 or top < longest_run(options)
            if in_row and all(ranks.count(rank) >= 3 for rank in range(low, top + 1)):
                name = "triple" if triples == 1 else "run_of_triples"
                endings = [["", "_one", "_two"][number] for number in usual if loose == number * triples]
                if last and loose < max(usual) * triples and options.short_last != "never":
                    endings.append("_short")
                found += [Combination(name + ending, size, top, triples) for ending in endings]
    number = {"none": 0, "two": 2, "three": 3}[options.fours_with]
    if number and size == 4 + number:
        fours = [rank for rank in ranks if ranks.count(rank) == 4]
        found += [Combination("four_" + options.fours_with, size, fours[0])] if fours else []
    return found


def readings(cards, options, last):
    return readings_of_ranks(tuple(sorted(map(rank_of, cards))), options, last)


def is_bomb(combination):
    return combination.kind in ("four", "three_aces")


def beats(new, old, options):
    if is_bomb(new):
        return not is_bomb(old) or new.top > old.top
    if new.top <= old.top:
        return False
    return (new.kind, new.size) == (old.kind, old.size) or (is_short(new) and may_answer(new, old, options))


def is_short(combination):
    return combination.kind.endswith("_short")


def may_answer(short, old, options):
    """Whether a short last play beats this play if it is higher."""
    return options.short_last == "always" and short.triples == old.triples and short.size < old.size


@lru_cache(maxsize=1000)  # for speed only
def possible_plays(hand, options):
    """Every set of cards of this frozenset that is a combination, with its readings."""
    by_rank = [[card for card in hand if card[0] == rank] for rank in RANKS]
    found = {hand}  # perhaps a short last play
    for width, loose_cards in (1, [0]), (2, [0]), (3, [0, *usual_loose_cards(options)]), (4, [0, 2, 3]):
        sets = [list(combinations(cards, width)) for cards in by_rank]
        for low in range(len(RANKS)):
            for end in range(low + 1, len(RANKS) + 1):
                for core in product(*sets[low:end]):
                    core = frozenset().union(*core)
                    for number in loose_cards:
                        for loose in combinations(hand - core, number * (end - low)):
                            found.add(core.union(loose))
    by_cards = {cards: readings(cards, options, cards == hand) for cards in found}
    return {cards: forms for cards, forms in by_cards.items() if forms}


def readings_that_count(forms):
    """The highest reading of each kind, the best first. Cards that need not be short are not."""
    forms = sorted(forms, key=lambda form: (-form.top, -form.triples))
    best = {}
    for form in [form for form in forms if not is_short(form)] or forms[:1]:
        best.setdefault(form.kind, form)
    return [*best.values()]


def names_of(forms):
    """What tells the readings of some cards apart, as a tuple: nothing for the only one."""
    if len(forms) == 1:
        return [()]
    return [(RANKS[forms[0].top],), *((f"{form.kind} {RANKS[form.top]}",) for form in forms[1:])]


# One hand


class Hand(model_match.Hand):
    """A hand from the deal to its end."""

    def __init__(self, match, cards):
        super().__init__(match, cards)
        self.dealt = dict(self.cards)
        self.have_played = set()
        self.bombs = []  # the players of the bombs that are paid
        self.liable = None  # the player who pays for all if the next player wins at once
        self.low_card = None  # the card that the next lead must contain
        if match.hands and self.options.starter == "winner":
            self.start_trick(match.hierarchy()[0])
        else:
            suits = {"spades": "scdh", "hearts": "hdcs"}[self.options.first_card]
            dealt = frozenset().union(*self.cards.values())
            low = min(dealt, key=lambda card: (rank_of(card), suits.index(card[1])))
            self.start_trick(next(player for player in self.players if low in self.cards[player]))
            if self.options.low_card_lead == "within":
                self.low_card = low

    def start_trick(self, leader):
        self.turn = leader
        self.table = None  # the last play, a Combination
        self.table_cards = frozenset()
        self.last_player = None
        self.passes = 0  # since the last play
        self.shown_as_passed = set()  # for the key `passed` of records

    def highest(self, player):
        return max(map(rank_of, self.cards[player]))

    def next_has_one_card(self, duty):
        """Whether the next player has one card and this duty is the option."""
        return self.options.last_card_duty == duty and len(self.cards[self.after(self.turn)[0]]) == 1

    # Legal actions

    def legal(self, player):
        """Every legal action of a player: action, frozenset of cards and, if these have several readings, its name."""
        if self.over or player != self.turn:
            return []
        plays = self.legal_plays()
        named = [("play", cards, *name) for cards, forms in plays.items() for name in names_of(forms)]
        return named + ([("pass", frozenset())] if self.may_pass(plays) else [])

    def legal_plays(self):
        """The legal plays of the player whose turn it is, with the readings that make them legal, the best first."""
        found = {}
        for cards, forms in possible_plays(self.cards[self.turn], self.options).items():
            if self.table is not None:
                forms = [form for form in forms if beats(form, self.table, self.options)]
            if forms and not self.breaks_duty(cards) and not self.lacks_low_card(cards):
                found[cards] = readings_that_count(forms)
        return found

    def possible_sets(self, player):
        """Every set of the player's cards that is a combination."""
        return [*possible_plays(self.cards[player], self.options)]

    def lacks_low_card(self, cards):
        return self.low_card is not None and self.low_card not in cards

    def breaks_duty(self, cards):
        """Whether these cards are a single below the highest rank, and must not be."""
        exempt = cards == {self.low_card}
        return self.next_has_one_card("highest") and self.is_low_single(cards) and not exempt

    def is_low_single(self, cards):
        return len(cards) == 1 and max(map(rank_of, cards)) < self.highest(self.turn)

    def may_pass(self, can_beat):
        if self.table is None or (can_beat and self.options.must_beat):
            return False
        return not (self.next_has_one_card("highest") and self.can_beat_with_highest())

    def can_beat_with_highest(self):
        """Whether the table has a single that the player's highest card beats."""
        return self.table.kind == "single" and self.highest(self.turn) > self.table.top

    def refusal(self, player, cards):
        """The code of the error for an illegal play of cards that the player holds, or (no cards) an illegal pass."""
        if player != self.turn:
            return "not_your_turn"
        if not cards or self.lacks_low_card(cards):
            return "must_play"
        forms = readings(cards, self.options, cards == self.cards[player])
        if self.table is not None:
            forms = [form for form in forms if not is_short(form) or may_answer(form, self.table, self.options)]
        if not forms:
            return "not_a_combination"
        if self.table is not None and not any(beats(form, self.table, self.options) for form in forms):
            return "does_not_beat"
        return "must_play"

    # Actions

    def act(self, player, action, cards, *name):
        assert (action, cards, *name) in self.legal(player), (player, action, cards, name)
        was_liable = self.liable
        self.liable = player if self.risks_all(cards) else None
        if action == "pass":
            self.passes += 1
            self.shown_as_passed.add(player)
        else:
            self.play(player, cards, name)
        if not self.cards[player]:
            self.end(player, was_liable)
        elif self.passes == len(self.players) - 1:
            self.start_trick(self.last_player)
        else:
            self.turn = self.after(player)[0]

    def risks_all(self, cards):
        """Whether the player pays for all if the next player wins at once after this play, or (no cards) pass."""
        if not self.next_has_one_card("liable"):
            return False
        if not cards:
            return self.can_beat_with_highest()
        if len(cards) > 1 or cards == {self.low_card}:
            return False
        had_another_lead = self.table is None and any(len(other) > 1 for other in self.legal_plays())
        return had_another_lead or self.is_low_single(cards)

    def play(self, player, cards, name):
        forms = self.legal_plays()[cards]
        new = forms[names_of(forms).index(name)]
        if is_bomb(new):
            self.events.append("bomb")
            if self.table is not None and is_bomb(self.table) and self.options.beaten_bombs == "nothing":
                self.bombs.pop()
            self.bombs.append(player)
        self.cards[player] -= cards
        if len(self.cards[player]) == 1:
            self.events.append("last_cards")
        self.table, self.table_cards = new, cards
        self.last_player = player
        self.passes = 0
        self.shown_as_passed -= {player}
        self.have_played.add(player)
        self.low_card = None

    # Points and the end

    def end(self, first, liable):
        self.finish_by_cards(first)
        for player in self.after(first):
            self.pay(liable or player, first, self.points_for_cards_left(player, first))
        if liable:
            self.events.append("liable")
        for bomber in self.bombs:
            for player in self.after(bomber):
                self.pay(player, bomber, self.options.bomb_points)

    def points_for_cards_left(self, player, first):
        points = len(self.cards[player])
        if points == 1 and self.options.one_left == "free":
            points = 0
        if player not in self.have_played:
            self.events.append("spring")
            points *= 2 if self.options.spring == "double" else 1
        if self.options.heart_ten == "double" and "Th" in self.dealt[player] | self.dealt[first]:
            points *= 2
        return points


# For test_all_subsets.py


def can_lead(options, cards, held):
    """Whether the page lets a player with these cards lead some of them."""
    return bool(readings(cards, options, len(cards) == len(held)))


def can_answer(options, cards, held, led, kind):
    """Whether the page lets a player beat cards that were led as this kind."""
    old = max(form for form in readings(led, options, last=True) if form.kind == kind)
    return any(beats(new, old, options) for new in readings(cards, options, len(cards) == len(held)))
