"""What the plain models of two rules pages share: options as attributes, and the hands of a match.

It shares no code with the engine. Cards are text such as "3s", a player is a name. Players are listed clockwise.
"""


class Options:
    """The given options as attributes, and the defaults of the others."""

    def __init__(self, defaults, given):
        vars(self).update(defaults)
        vars(self).update(given)


class Match:
    """The hands of a match: dealers, leaders and totals."""

    def __init__(self, new_hand, options, players):
        """Start a match. `new_hand` takes options, players, cards, dealer and the standing before."""
        self.new_hand = new_hand
        self.options = options
        self.players = list(players)
        self.totals = dict.fromkeys(players, 0)
        self.hands = []

    @property
    def hand(self):
        return self.hands[-1]

    def hierarchy(self):
        """The standing of the hand before, without players who left; new players are last."""
        before = self.hand.standing if self.hands else []
        still_here = [player for player in before if player in self.players]
        return still_here + [player for player in self.players if self.hands and player not in before]

    def dealer(self):
        """The dealer of the next hand."""
        return (self.hierarchy() or self.players)[-1 if self.hands else 0]

    def deal(self, cards):
        """Start the next hand with these cards."""
        self.hands.append(self.new_hand(self.options, self.players, cards, self.dealer(), self.hierarchy()))
        self.add_up()

    def act(self, player, action, cards=()):
        self.hand.act(player, action, frozenset(cards))
        self.add_up()

    def add_up(self):
        if self.hand.over:
            for player, points in self.hand.ledger.items():
                self.totals[player] += points

    def leave(self, player):
        """A player leaves between two hands."""
        self.players.remove(player)

    def join(self, player):
        """A player joins between two hands, at the right of the first seat."""
        self.players.append(player)
        self.totals.setdefault(player, 0)
