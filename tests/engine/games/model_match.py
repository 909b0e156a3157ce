"""What the plain models of two rules pages share: options as attributes, cards and seats of a hand, and a match.

It shares no code with the engine. Cards are text such as "3s", a player is a name.
"""


class Options:
    """The given options as attributes, and the defaults of the others."""

    def __init__(self, defaults, given):
        vars(self).update(defaults)
        vars(self).update(given)


class Hand:
    """The parts of a hand that are alike in both games."""

    def __init__(self, match, cards):
        """Start a hand of a match with the dealt cards by player."""
        self.options = match.options
        self.dealer = match.dealer()
        step = 1 if self.options.direction == "clockwise" else -1
        self.players = match.players[::step]  # in the direction of play
        self.cards = {player: frozenset(cards[player]) for player in match.players}
        self.ledger = dict.fromkeys(match.players, 0)
        self.events = []
        self.standing = []
        self.over = False
        self.table = None  # the last play, a Combination
        self.table_cards = frozenset()
        self.last_player = None

    def after(self, player):
        """The other players in the direction of play, beginning after this player."""
        place = self.players.index(player)
        return self.players[place + 1 :] + self.players[:place]

    def shown_table(self):
        """The kind, cards and player of the last play, if the table has one."""
        return (self.table.kind, self.table_cards, self.last_player) if self.table else (None, frozenset(), None)

    def pay(self, payer, receiver, points):
        self.ledger[payer] -= points
        self.ledger[receiver] += points

    def finish_by_cards(self, winner):
        """End the hand: the others stand by fewer cards, then nearer to the winner."""
        others = self.after(winner)  # sorting keeps this order among equals
        self.standing = [winner, *sorted(others, key=lambda p: len(self.cards[p]))]
        self.over = True


class Match:
    """The hands of a match: dealers, leaders and totals. Players are listed clockwise."""

    def __init__(self, new_hand, options, players):
        """Start a match; `new_hand(match, cards)` starts a hand of the game."""
        self.new_hand = new_hand
        self.options = options
        self.players = list(players)
        self.totals = dict.fromkeys(players, 0)
        self.hands = []

    @property
    def hand(self):
        return self.hands[-1]

    def hierarchy(self):
        """The standing of the hand before, without players who left; new players are last. Empty in the first hand."""
        before = self.hand.standing if self.hands else []
        still_here = [player for player in before if player in self.players]
        return still_here + [player for player in self.players if self.hands and player not in before]

    def dealer(self):
        """The dealer of the next hand."""
        return (self.hierarchy() or self.players)[-1 if self.hands else 0]

    def share_out(self, pack, each):
        """The cards of each player, dealt one at a time, clockwise from the dealer's left."""
        place = self.players.index(self.dealer()) + 1
        order = self.players[place:] + self.players[:place]
        return {player: pack[number :: len(order)][:each] for number, player in enumerate(order)}

    def deal(self, cards):
        """Start the next hand with these cards."""
        self.hands.append(self.new_hand(self, cards))
        self.add_up()

    def act(self, player, action, cards=(), *name):
        """Play, pass or give cards. `name` tells which reading of the cards is meant, if they have several."""
        self.hand.act(player, action, frozenset(cards), *name)
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
