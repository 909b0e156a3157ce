"""A plain model of Tien Len, written from docs/rules/tien-len.md alone, to compare the engine with.

It shares no code with the engine and is slow on purpose. Cards are text such as "3s", a play is a frozenset of cards, a
player is a name. Players are listed clockwise.

    match = new_match({"suits": "follow"}, ["Ana", "Bob"])
    match.deal({"Ana": ["3s", "9h"], "Bob": ["4s", "5s"]})
    match.hand.legal("Ana")  # [("play", frozenset({"3s"}))]: the lead must contain the lowest card
    match.act("Ana", "play", ["3s"])
"""

from functools import cache, lru_cache
from itertools import combinations, product

from tests.engine.games import model_match

RANKS = "3456789TJQKA2"  # from low
SUITS = "scdh"  # from low

INSTANT_WINS = ["dragon", "five_pairs", "six_pairs", "four_twos"]
MORE_INSTANT_WINS = ["three_triples", "four_threes", "one_colour"]

# The values of each option, the default first. Also: instant_wins (any list) and instant_points (0 to 100).
OPTIONS = {
    "direction": ["clockwise", "anticlockwise"],
    "three_deal": [13, 17],
    "starter": ["winner", "low_card"],
    "low_card_lead": ["within", "alone", "free"],
    "exchange": ["none", "one"],
    "suits": ["any", "follow"],
    "suited_runs": ["plain", "lock"],
    "pair_runs": [True, False],
    "four_chops": ["two_twos", "one_two"],
    "triple_chop": [False, True],
    "chops_on_chops": ["always", "after_two", "never"],
    "interruptions": ["four_pairs", "none", "every"],
    "passing": ["out", "free"],
    "no_last_twos": [False, True],
    "play_on": [True, False],
    "payments": ["places", "winner", "cards"],
    "chop_points": ["common", "low", "northern"],
    "chains": ["last_pays", "each"],
    "cards_held": ["to_first", "to_next", "free"],
    "no_play": ["double", "plain"],
}

PRESETS = {
    "southern": {},
    "northern": {
        "suits": "follow",
        "pair_runs": False,
        "four_chops": "one_two",
        "interruptions": "none",
        "instant_wins": ["four_twos", "dragon", "six_pairs"],
        "no_last_twos": True,
        "chop_points": "northern",
    },
    "american": {
        "suited_runs": "lock",
        "four_chops": "one_two",
        "triple_chop": True,
        "chops_on_chops": "never",
        "interruptions": "none",
        "instant_wins": ["four_twos", "dragon"],
        "cards_held": "free",
    },
}

# A black two, a red two, three pairs, four of a kind, four pairs or more.
CHOP_POINTS = {"common": (1, 2, 3, 4, 6), "low": (1, 2, 2, 3, 4), "northern": (1, 2, 3, 4, 4)}


def new_options(given):
    defaults = {key: values[0] for key, values in OPTIONS.items()}
    return model_match.Options(defaults | {"instant_wins": INSTANT_WINS, "instant_points": 2}, given)


def new_match(given, players):
    options = new_options(given)
    assert not contradictory(options)
    return model_match.Match(Hand, options, players)


def contradictory(o):
    """Whether the page forbids these options together (`bad_option`)."""
    return (
        (o.suited_runs == "lock" and o.suits == "follow")
        or (o.triple_chop and not o.pair_runs)
        or (o.payments == "places" and not o.play_on)
        or (o.payments == "cards" and o.play_on)
        or (o.cards_held == "to_next" and not o.play_on)
    )


def deck(options, count):
    """The cards of the deck, and the number of cards that each of so many players gets."""
    return {rank + suit for rank in RANKS for suit in SUITS}, options.three_deal if count == 3 else 13


# Cards and combinations


def strength(card):
    """The order of cards: rank, then suit."""
    return RANKS.index(card[0]), SUITS.index(card[1])


def is_two(card):
    return card[0] == "2"


def suits_of(cards):
    return {card[1] for card in cards}


def colours_of(cards):
    return {"red" if card[1] in "dh" else "black" for card in cards}


def kind_of(cards, options):
    """The kind of combination that these cards form, or None."""
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    low, high = ranks[0], ranks[-1]
    follow = options.suits == "follow"
    mixed_colours = follow and len(colours_of(cards)) > 1
    if low == high:
        if len(cards) == 2 and mixed_colours and RANKS[low] != "2":
            return None
        return {1: "single", 2: "pair", 3: "triple", 4: "four"}[len(cards)]
    row = list(range(low, high + 1))
    if len(row) < 3 or RANKS[high] == "2":
        return None
    if ranks == row:
        return None if follow and len(suits_of(cards)) > 1 else "run"
    if ranks == sorted(row + row) and options.pair_runs:
        return None if mixed_colours else "run_of_pairs"
    return None


class Combination:
    """Cards that can be played together."""

    def __init__(self, kind, cards):
        self.kind = kind
        self.cards = frozenset(cards)
        self.size = len(self.cards)
        self.top = max(map(strength, cards))
        self.suits = suits_of(cards)
        self.colours = colours_of(cards)
        self.has_two = any(map(is_two, cards))
        # The number of twos of a single, a pair or a triple of twos.
        self.twos = self.size if self.has_two and kind != "four" else 0
        # 0 if this is no chop; 1 three pairs, 2 four of a kind, 3 four pairs, 4 five pairs ...
        self.level = 2 if kind == "four" else 0
        if kind == "run_of_pairs":
            self.level = 1 if self.size == 6 else self.size // 2 - 1


@lru_cache(maxsize=1000)  # for speed only
def combinations_in(hand, options):
    """Every combination that a player with this frozenset of cards could play."""
    by_rank = [[card for card in hand if card[0] == rank] for rank in RANKS]
    pairs = [list(combinations(cards, 2)) for cards in by_rank]
    found = []
    for cards in by_rank:
        for size in range(1, len(cards) + 1):
            found += combinations(cards, size)
    for low in range(len(RANKS)):
        for end in range(low + 3, len(RANKS)):
            found += product(*by_rank[low:end])
            found += [sum(choice, ()) for choice in product(*pairs[low:end])]
    kinds = [(kind_of(cards, options), cards) for cards in found]
    return [Combination(kind, cards) for kind, cards in kinds if kind]


# What beats what


def beats_in_kind(new, old, options):
    """Whether `new` beats `old` as the same kind with the same number of cards."""
    if (new.kind, new.size) != (old.kind, old.size) or new.top <= old.top:
        return False
    if new.kind == "run" and options.suited_runs == "lock" and len(old.suits) == 1:
        return len(new.suits) == 1
    if options.suits == "follow" and not new.has_two:
        if new.kind in ("single", "run"):
            return new.suits == old.suits
        if new.kind in ("pair", "run_of_pairs"):
            return new.colours == old.colours
    return True


def beats_as_chop(new, old, options, two_in_trick):
    """Whether `new` is a chop that beats `old`, which is twos or a lower kind of chop."""
    if old.twos == 1:
        return new.level >= 1
    if old.twos == 2:
        return new.level >= 3 or (new.level == 2 and options.four_chops == "two_twos")
    if old.twos == 3:
        return new.level >= 4 and options.triple_chop
    allowed = {"always": True, "after_two": two_in_trick, "never": False}
    return 0 < old.level < new.level and allowed[options.chops_on_chops]


def beats(new, old, options, two_in_trick):
    return beats_in_kind(new, old, options) or beats_as_chop(new, old, options, two_in_trick)


def is_chop(new, old):
    """Whether a play that beats another is a chop."""
    return new.level > 0 and (old.twos > 0 or old.level > 0)


# Points


def two_points(card, options):
    return CHOP_POINTS[options.chop_points][1 if card[1] in "dh" else 0]


def cost(chopped, options):
    """The points for a chopped combination."""
    if chopped.twos:
        return sum(two_points(card, options) for card in chopped.cards)
    return CHOP_POINTS[options.chop_points][min(chopped.level, 3) + 1]


def held_points(hand, options):
    """The points for twos and chops held: the highest sum, where each card counts once."""

    @cache
    def best(cards):
        chops = [c for c in combinations_in(cards, options) if c.level]
        return max((cost(c, options) + best(cards - c.cards) for c in chops), default=0)

    twos = [card for card in hand if is_two(card)]
    return sum(two_points(card, options) for card in twos) + best(frozenset(hand) - set(twos))


def has_instant_win(name, hand, first_hand):
    """Whether these dealt cards are the named instant win."""
    counts = [sum(card[0] == rank for card in hand) for rank in RANKS]
    if len(hand) > 13:
        return False
    if name == "dragon":
        return all(counts[:12])
    if name == "five_pairs":
        return any(all(n >= 2 for n in counts[low : low + 5]) for low in range(8))
    if name == "six_pairs":
        return sum(n // 2 for n in counts) >= 6
    if name == "four_twos":
        return counts[12] == 4
    if name == "three_triples":
        return any(all(n >= 3 for n in counts[low : low + 3]) for low in range(10))
    if name == "four_threes":
        return first_hand and counts[0] == 4
    if name == "one_colour":
        return len(hand) == 13 and len(colours_of(hand)) == 1
    raise ValueError(name)


# One hand


class Hand(model_match.Hand):
    """A hand from the deal to its end."""

    def __init__(self, match, cards):
        super().__init__(match, cards)
        # The standing that counts: none in the first hand and after an instant win.
        self.before = match.hierarchy() if match.hands and not match.hand.won_at_once else []
        self.won_at_once = False
        self.phase = "play"
        self.have_played = set()
        self.no_play = set()  # without a play when the first player was out
        self.last_two_banned = self.options.no_last_twos
        self.passed_leads = 0
        self.low_card = None  # the card that the next lead must respect
        self.start_trick(None)

        if self.find_instant_win(not match.hands):
            return
        if self.options.exchange == "one" and self.before:
            self.phase = "exchange"
            first, last = self.before[0], self.before[-1]
            card = {max(self.cards[last], key=strength)}
            self.cards[last] -= card
            self.cards[first] |= card
            self.turn = first
        else:
            self.find_lead()

    def find_instant_win(self, first_hand):
        for name in self.options.instant_wins:
            for player in [*self.after(self.dealer), self.dealer]:
                if has_instant_win(name, self.cards[player], first_hand):
                    self.events.append("instant_" + name)
                    self.won_at_once = True
                    self.finish_by_cards(player)
                    self.cards[player] = frozenset()  # a winner is out
                    for other in self.standing[1:]:
                        self.pay(other, player, self.options.instant_points)
                    return True
        return False

    def find_lead(self):
        self.phase = "play"
        if self.before and self.options.starter == "winner":
            self.start_trick(self.before[0])
        else:
            low = min(set().union(*self.cards.values()), key=strength)
            self.start_trick(next(p for p in self.players if low in self.cards[p]))
            if self.options.low_card_lead != "free":
                self.low_card = low

    def start_trick(self, leader):
        self.turn = leader
        self.table = None  # the last play, a Combination
        self.last_player = None
        self.passed = set()  # out of the trick; with `free`, the passes since the last play
        self.shown_as_passed = set()  # for the key `passed` of records
        self.two_in_trick = False
        self.chain = []  # the chops of this trick: chopped player, chopper, points

    def with_cards(self):
        return [player for player in self.players if self.cards[player]]

    # Legal actions

    def legal(self, player):
        """Every legal action of a player, in or out of turn, as pairs of action and frozenset of cards."""
        if self.over:
            return []
        in_turn = player == self.turn
        if self.phase == "exchange":
            return [("give", frozenset([card])) for card in self.cards[player]] if in_turn else []
        plays = [("play", cards) for cards in self.legal_plays(player)]
        passes = [("pass", frozenset())] if in_turn and (self.table is not None or not plays) else []
        return plays + passes

    def possible_sets(self, player):
        """Every set of the player's cards that is a combination."""
        return [c.cards for c in combinations_in(self.cards[player], self.options)]

    def legal_plays(self, player):
        plays = combinations_in(self.cards[player], self.options)
        if player != self.turn:
            plays = [c for c in plays if self.may_interrupt(player, c)]
        if self.table is None:
            plays = [c for c in plays if self.lead_allowed(c)]
        else:
            plays = [c for c in plays if beats(c, self.table, self.options, self.two_in_trick)]
        if self.last_two_banned:
            plays = [c for c in plays if not (c.has_two and c.size == len(self.cards[player]))]
        return [c.cards for c in plays]

    def may_interrupt(self, player, play):
        """Whether a player may make this play out of turn, if it beats the table."""
        least_level = {"every": 1, "four_pairs": 3, "none": 99}
        chop = play.level >= least_level[self.options.interruptions]
        return chop and self.table is not None and player != self.last_player

    def lead_allowed(self, play):
        if self.low_card is None:
            return True
        if self.options.low_card_lead == "alone":
            return play.cards == {self.low_card}
        return self.low_card in play.cards

    def refusal(self, player, cards):
        """The code of the error for an illegal play of cards that the player holds, or (no cards) an illegal pass."""
        kind = kind_of(cards, self.options) if cards else None
        play = Combination(kind, cards) if kind else None
        if player != self.turn and not (play and self.may_interrupt(player, play)):
            return "barred" if player in self.passed and self.options.passing == "out" else "not_your_turn"
        if not cards:
            return "must_play"
        if self.table is None and self.low_card is not None and self.low_card not in cards:
            return "must_play"
        if play is None:
            return "not_a_combination"
        return "must_play" if self.table is None else "does_not_beat"

    # Actions

    def act(self, player, action, cards):
        assert (action, cards) in self.legal(player), (player, action, cards)
        if action == "give":
            self.cards[player] -= cards
            self.cards[self.before[-1]] |= cards
            self.find_lead()
        elif action == "pass" and self.table is None:
            self.pass_lead(player)
        elif action == "pass":
            self.passed.add(player)
            self.shown_as_passed.add(player)
            self.next_turn(player)
        else:
            self.play(player, cards)

    def pass_lead(self, player):
        """A leader passes whose only play would be a last two."""
        self.low_card = None
        self.passed_leads += 1
        if self.passed_leads == len(self.with_cards()):
            self.last_two_banned = False
        self.start_trick(next(p for p in self.after(player) if self.cards[p]))

    def play(self, player, cards):
        play = Combination(kind_of(cards, self.options), cards)
        if self.table is not None and is_chop(play, self.table):
            self.events.append("chop")
            self.chain.append((self.last_player, player, cost(self.table, self.options)))
        self.low_card = None
        self.passed_leads = 0
        self.have_played.add(player)
        self.shown_as_passed = set() if player != self.turn else self.shown_as_passed - {player}
        self.cards[player] -= cards
        self.table, self.table_cards = play, cards
        self.last_player = player
        self.two_in_trick = self.two_in_trick or play.has_two
        if self.options.passing == "free":
            self.passed = set()
        if not self.cards[player]:
            if not self.standing:
                self.no_play = set(self.players) - self.have_played
            self.standing.append(player)
        left = self.with_cards()
        if len(left) <= 1 or (self.standing and not self.options.play_on):
            self.pay_chain()
            self.end()
        else:
            self.next_turn(player)

    def next_turn(self, player):
        """Move the turn to the next player, or end the trick."""
        for other in self.after(player):
            if self.cards[other] and other not in self.passed and other != self.last_player:
                self.turn = other
                return
        self.pay_chain()
        order = [self.last_player, *self.after(self.last_player)]
        self.start_trick(next(p for p in order if self.cards[p]))

    # Points and the end

    def pay_chain(self):
        """Pay for the chops of the trick. Only a chop beats a chop, so they form one chain."""
        if self.chain and self.options.chains == "last_pays":
            total = sum(points for _, _, points in self.chain)
            self.chain = [(self.chain[-1][0], self.chain[-1][1], total)]
        for chopped, chopper, points in self.chain:
            self.pay(chopped, chopper, points)
        self.chain = []

    def end(self):
        first = self.standing[0]
        if self.options.play_on:
            self.standing += self.with_cards()
            self.over = True
        else:
            self.finish_by_cards(first)
        for player in self.standing[1:]:
            self.pay(player, *self.place_payment(player))
        if self.options.cards_held != "free":
            for player in self.with_cards():
                above = self.standing[self.standing.index(player) - 1]
                receiver = first if self.options.cards_held == "to_first" else above
                points = held_points(self.cards[player], self.options)
                self.pay(player, receiver, points * self.factor(player))

    def place_payment(self, player):
        """The receiver and the points of the payment for a place."""
        first, factor = self.standing[0], self.factor(player)
        if self.options.payments == "winner":
            return first, factor
        if self.options.payments == "cards":
            return first, factor * len(self.cards[player])
        if player == self.standing[-1]:
            return first, 2 * factor
        if len(self.standing) == 4 and player == self.standing[2]:
            return self.standing[1], factor
        return first, 0

    def factor(self, player):
        return 2 if player in self.no_play and self.options.no_play == "double" else 1


# For test_all_subsets.py


def can_lead(options, cards, _held):
    """Whether the page lets a player lead these cards."""
    return kind_of(cards, options) is not None


def can_answer(options, cards, _held, led, kind):
    """Whether the page lets a player beat cards that were led as this kind."""
    new, old = kind_of(cards, options), Combination(kind, led)
    return new is not None and beats(Combination(new, cards), old, options, old.has_two)
