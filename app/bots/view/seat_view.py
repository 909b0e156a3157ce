"""What a bot reads in a seat's view, and how it completes what `legal` lists without particulars.

A view is `{"room": …, "table": …, "you": …, "told": …, "dealt": …}`: exactly what the seat's person gets and got in
this hand, so a bot can't know more. Nothing here knows a game or a switch by name: cards are worth what the table says.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from app.engine.cards.action_codec import action_json
from app.engine.cards.cards import Cards, show
from app.engine.match import views
from app.engine.match.match import Match

View = Mapping[str, Any]
Action = dict[str, Any]

RANKS = "3456789TJQKA2"
"""From low to high, where a table does not say otherwise."""
BEST = 20
"""What jokers and wild cards are worth."""
_FEWEST_CARDS = 30
"""No pack has fewer, so a cut below is good in every game."""


def view_of(match: Match, name: str, told: Sequence[Mapping[str, Any]], dealt: Cards) -> View:
    """What a bot gets for a seat, where there is a match and no room around it."""
    options = match.options
    return {
        "room": {"game": match.game.key, "preset": options.preset, "options": dict(options.by_key)},
        "table": views.table(match),
        "you": views.seat(match, name),
        "told": told,
        "dealt": show(match.game.saw(dealt)),
    }


def glance_of(match: Match, name: str, told: Sequence[Mapping[str, Any]], dealt: Cards) -> View:
    """As much of a seat's view as a bot of ours looks at in a hand of a climbing game: made in half the time, for who
    plays many thousands of hands."""
    hand, game = match.the_hand, match.game
    return {
        "room": {"game": game.key, "preset": match.options.preset, "options": dict(match.options.by_key)},
        "table": {
            "game": game.key,
            "players": {each: {"cards": len(hand.cards.get(each, ()))} for each in match.at_table},
            **game.table(hand),
        },
        "you": {
            "name": name,
            "cards": show(hand.cards.get(name, ())),
            "legal": [action_json(action) for _, action in islice(match.legal(name), views.LEGAL_LIMIT)],
            **game.own(hand, name),
        },
        "told": told,
        "dealt": show(dealt),
    }


class SeatReader:
    """A view, read."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.you: Mapping[str, Any] = view["you"]
        self.table: Mapping[str, Any] = view["table"] or {}
        self.name: str = self.you["name"]
        self.cards: list[str] = self.you.get("cards", "").split()
        self.legal: Sequence[Action] = self.you.get("legal", ())
        ranks: str = self.table.get("ranks", RANKS)
        self.ranks = ranks[::-1] if self.table.get("turned") else ranks  # what lasts longer than this trick
        self.strong = frozenset(self.table.get("strong", "").split())
        self.wild = frozenset(self.table.get("wild", ""))
        self.not_last = frozenset(self.you.get("not_last", "").split())
        self.fair = self._fair(self.cards)  # how many may be
        self.controls = len(self.ranks) - 2
        """What the worst of the cards is worth that one keeps for later: the two best ranks, jokers and wild cards."""
        self.counts = Counter(card[0] for card in self.cards)

    def worth(self, card: str) -> int:
        """How much power a card has from the next trick on: higher beats lower, jokers and wild cards are best, and
        what beats by a power of its own is as good as the best rank."""
        if card[0] == "X" or card[0] in self.wild:
            return BEST
        return len(self.ranks) - 1 if card in self.strong else self.ranks.find(card[0])

    def is_control(self, card: str) -> bool:
        """Whether a card is worth keeping for later."""
        return self.worth(card) >= self.controls

    def strands(self, cards: Sequence[str]) -> bool:
        """Whether without these there would be nothing left but cards that may not be the last ones."""
        return len(cards) < len(self.cards) and self._fair(cards) == self.fair

    def _fair(self, cards: Sequence[str]) -> int:
        return sum(card not in self.not_last for card in cards)

    def doing(self, *names: str) -> list[Action]:
        """The legal actions of these kinds."""
        return [action for action in self.legal if action["do"] in names]

    def fells(self, cards: Sequence[str]) -> bool:
        """Whether these are what is kept for this: a card that beats the very best by a power of its own."""
        if len(cards) != 1 or cards[0] not in self.strong:
            return False
        plays: Sequence[Mapping[str, Any]] = (self.table.get("trick") or {}).get("plays", ())
        on = plays[-1]["cards"].split() if plays else []
        return any(self.worth(card) == BEST for card in on)

    def alike(self, one: Action, other: Action) -> bool:
        """Whether two actions come to the same: cards of the same ranks do, where suits don't count."""
        return one["do"] == other["do"] and self._named(one) == self._named(other)

    def _named(self, action: Action) -> object:
        """What an action names, as far as it counts."""
        to, of = action.get("to"), slice(None) if "suits" in self.table else slice(1)
        if isinstance(to, dict):
            return {name: sorted(card[of] for card in cards.split()) for name, cards in to.items()}
        return sorted(card[of] for card in cards_in(action))

    @property
    def leads(self) -> bool:
        """Whether there is nothing to beat."""
        return not self.table.get("trick")

    def fewest_of_others(self) -> int:
        """How many cards the one closest to going out still has."""
        players: Mapping[str, Mapping[str, Any]] = self.table.get("players", {})
        return min((p["cards"] for name, p in players.items() if name != self.name and p["cards"]), default=99)


def cards_in(action: Action) -> list[str]:
    """Every card that an action names."""
    named: str | None = action.get("cards")
    if named is not None:
        return named.split()
    to = action.get("to")
    return [card for cards in to.values() for card in cards.split()] if isinstance(to, dict) else []


def completed(seat: SeatReader, action: Action, rng: random.Random) -> Action:
    """An action with the particulars that `legal` leaves out."""
    match action["do"]:
        case "cut" if "at" not in action:
            return {**action, "at": rng.randrange(1, _FEWEST_CARDS)}
        case "offer" if "cards" not in action and seat.cards:
            card = min(seat.cards, key=lambda card: (seat.worth(card), card))
            asked = seat.you.get("particulars", {}).get("offer", {})
            claimed = {"claim": card[0]} if asked.get("claim") else {}
            return {**action, "cards": card, **claimed}
        case "say" if "have" not in action and "want" not in action and seat.cards:
            return {**action, "have": rng.choice(seat.cards)[0]}
        case _:
            return action
