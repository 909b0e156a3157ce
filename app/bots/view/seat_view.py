"""Read a seat's view for a bot, and complete legal actions that `legal` lists without all their fields.

A view is `{"room": …, "table": …, "you": …, "told": …, "dealt": …}`. It holds exactly the data that the player in the
seat gets and has got in this hand, so a bot can't know more. This module names no game and no option: the worth of
cards comes from the table view.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from app.engine.cards.action_codec import action_to_json
from app.engine.cards.cards import Cards, format_cards
from app.engine.match import views
from app.engine.match.match import Match

View = Mapping[str, Any]
Action = dict[str, Any]

RANKS = "3456789TJQKA2"
"""Ranks from low to high, for table views without `ranks`."""
WILD_CARD_WORTH = 20
"""Worth of jokers and wild cards (`SeatReader.worth`)."""
_FEWEST_CARDS = 30
"""No deck has fewer cards, so a cut below this number is legal in every game."""


def view_of(match: Match, name: str, events: Sequence[Mapping[str, Any]], dealt: Cards) -> View:
    """Build a seat's view for a bot from a match that belongs to no room.

    `events` are those the seat was told in this hand; `dealt` are the cards it was dealt.
    """
    options = match.options
    return {
        "room": {"game": match.game.key, "preset": options.preset, "options": dict(options.values_by_key)},
        "table": views.table_view(match),
        "you": views.seat_view(match, name),
        "told": events,
        "dealt": format_cards(match.game.cards_seen_at_deal(dealt)),
    }


def minimal_view_of(match: Match, name: str, events: Sequence[Mapping[str, Any]], dealt: Cards) -> View:
    """Build only the parts of a seat's view that the project's own bots read in a hand of a climbing game.

    It takes half the time of `view_of`, for simulations of thousands of hands. `events` are those the seat was told in
    this hand. `dealt` are the cards it was dealt, which it must have been allowed to see.
    """
    hand, game = match.current_hand, match.game
    return {
        "room": {"game": game.key, "preset": match.options.preset, "options": dict(match.options.values_by_key)},
        "table": {
            "game": game.key,
            "players": {each: {"cards": len(hand.cards.get(each, ()))} for each in match.shown_seats},
            **game.table_view(hand),
        },
        "you": {
            "name": name,
            "cards": format_cards(hand.cards.get(name, ())),
            "legal": [action_to_json(action) for _, action in islice(match.legal_actions(name), views.LEGAL_LIMIT)],
            **game.private_view(hand, name),
        },
        "told": events,
        "dealt": format_cards(dealt),
    }


class SeatReader:
    """A seat's view, parsed for a bot: its cards, its legal actions, and the worth of cards."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.own_view: Mapping[str, Any] = view["you"]
        self.table: Mapping[str, Any] = view["table"] or {}
        self.name: str = self.own_view["name"]
        self.cards: list[str] = self.own_view.get("cards", "").split()
        self.legal: Sequence[Action] = self.own_view.get("legal", ())
        ranks: str = self.table.get("ranks", RANKS)
        self.ranks = (
            ranks[::-1] if self.table.get("inverted_for_trick") else ranks
        )  # a reversal within this trick does not last
        self.strong = frozenset(self.table.get("strong", "").split())
        self.wild = frozenset(self.table.get("wild", ""))
        self.suits_count: bool = self.table.get("suits_count", False)
        self.forbidden_last_cards = frozenset(self.own_view.get("not_last", "").split())
        self.allowed_last_cards = self._count_allowed_last_cards(self.cards)  # number of such cards
        self.min_control_worth = len(self.ranks) - 2
        """Least worth of a control, a card to keep for later: the two best ranks, jokers and wild cards."""
        self.cards_per_rank = Counter(card[0] for card in self.cards)

    def worth(self, card: str) -> int:
        """Return a card's worth to a bot from the next trick on: higher beats lower; -1 for a card of no known rank.

        Jokers and wild cards are worth most. Cards in `strong`, with a special power to beat, count as the best rank.
        """
        if card[0] == "X" or card[0] in self.wild:
            return WILD_CARD_WORTH
        return len(self.ranks) - 1 if card in self.strong else self.ranks.find(card[0])

    def is_control(self, card: str) -> bool:
        """Return whether a card is a control: one of the two best ranks or better, which a bot keeps for later."""
        return self.worth(card) >= self.min_control_worth

    def leaves_only_forbidden_last_cards(self, cards: Sequence[str]) -> bool:
        """Return whether playing `cards` leaves the seat cards, all of which are forbidden as last cards.

        The player could then not go out without a foul.
        """
        return len(cards) < len(self.cards) and self._count_allowed_last_cards(cards) == self.allowed_last_cards

    def _count_allowed_last_cards(self, cards: Sequence[str]) -> int:
        return sum(card not in self.forbidden_last_cards for card in cards)

    def legal_actions_of_kind(self, *names: str) -> list[Action]:
        """Return the seat's legal actions of the given kinds (`do`), in the listed order."""
        return [action for action in self.legal if action["do"] in names]

    def beats_best_card(self, cards: Sequence[str]) -> bool:
        """Return whether `cards` are one `strong` card that can now be played on a joker or wild card.

        A bot keeps such a card for this use.
        """
        if len(cards) != 1 or cards[0] not in self.strong:
            return False
        plays: Sequence[Mapping[str, Any]] = (self.table.get("trick") or {}).get("plays", ())
        on = plays[-1]["cards"].split() if plays else []
        return any(self.worth(card) == WILD_CARD_WORTH for card in on)

    def suits_on_table(self) -> list[str]:
        """Return the sorted suits of the play to beat, which may lock the trick; empty for a lead."""
        plays: Sequence[Mapping[str, Any]] = (self.table.get("trick") or {}).get("plays", ())
        return sorted(plays[-1]["cards"][1::3]) if plays else []

    def are_equivalent(self, one: Action, other: Action) -> bool:
        """Return whether two actions have the same effect: the same kind and the same cards.

        Where suits don't count, only the ranks must be equal.
        """
        return one["do"] == other["do"] and self.equivalence_key(one) == self.equivalence_key(other)

    def equivalence_key(self, action: Action) -> object:
        """Return a value that is equal for actions with the same cards, in any order, given to the same players.

        Suits are left out where they don't count.
        """
        to, of = action.get("to"), slice(None) if self.suits_count else slice(1)
        if isinstance(to, dict):
            return {name: sorted(card[of] for card in cards.split()) for name, cards in to.items()}
        return sorted(card[of] for card in cards_of_action(action))

    @property
    def is_leading(self) -> bool:
        """Whether the seat leads, because no trick has begun, so that nothing must be beaten."""
        return not self.table.get("trick")

    def fewest_cards_of_opponents(self) -> int:
        """Return the fewest cards that another player still in the hand has, or 99 without such a player."""
        players: Mapping[str, Mapping[str, Any]] = self.table.get("players", {})
        return min((p["cards"] for name, p in players.items() if name != self.name and p["cards"]), default=99)


def cards_of_action(action: Action) -> list[str]:
    """Return every card that an action in its JSON form names, for all receivers; empty if it names none."""
    named: str | None = action.get("cards")
    if named is not None:
        return named.split()
    to = action.get("to")
    return [card for cards in to.values() for card in cards.split()] if isinstance(to, dict) else []


def complete_action(seat: SeatReader, action: Action, rng: random.Random) -> Action:
    """Return the action with the fields that `legal` leaves out: where to cut, which card to offer, what to say.

    They are chosen at random or are the lowest card. Other actions are returned unchanged.
    """
    match action["do"]:
        case "cut" if "at" not in action:
            return {**action, "at": rng.randrange(1, _FEWEST_CARDS)}
        case "offer" if "cards" not in action and seat.cards:
            card = min(seat.cards, key=lambda card: (seat.worth(card), card))
            offer = seat.own_view.get("action_limits", {}).get("offer", {})
            claimed = {"claim": card[0]} if offer.get("claim") else {}
            return {**action, "cards": card, **claimed}
        case "say" if "have" not in action and "want" not in action and seat.cards:
            return {**action, "have": rng.choice(seat.cards)[0]}
        case _:
            return action
