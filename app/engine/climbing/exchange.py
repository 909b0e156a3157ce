"""The exchange: cards given between high and low players after the deal.

The game makes a list of `Gift`s: giver, receiver, number and kind of cards. This file lets givers choose, chooses for
them if only one choice exists, and delivers the cards. All gifts of one giver are chosen in one action, each from the
cards that the earlier gifts leave.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.errors import RuleError, SuggestedActions
from app.engine.base.messages import MessageList, MessageTemplate, join_with_and
from app.engine.cards.actions import Give, cards_in_action
from app.engine.cards.cards import Card, Cards, check_held, describe_cards, remove_cards
from app.engine.display.events import GameEvent, GameEventType

from .combinations import distinct_choices

GiftSelection: TypeAlias = Literal["best", "worst", "any"]
"""Which of the giver's cards a gift must consist of."""
CardValue: TypeAlias = Callable[[Card], float]
"""How good a card is in an exchange: higher is better; among equal cards the giver chooses."""


class Gift(Struct, frozen=True):
    """Cards that one player must give another in the exchange; `which` tells whether the best, worst or any.

    `giver` gives `count` cards to `taker`. `waits_for`: indexes of gifts that must be delivered first. `chosen` are the
    cards; None until the giver has chosen. `delivered`: the taker has the cards.
    """

    giver: str
    taker: str
    count: int
    which: GiftSelection
    rule: str
    """The id of the rule that requires the gift."""
    waits_for: tuple[int, ...] = ()
    chosen: Cards | None = None
    delivered: bool = False


class Exchange(Struct, frozen=True):
    """The exchange of one hand: all gifts that players owe each other after the deal.

    A gift is delivered when every gift of its bundle is chosen.
    """

    gifts: tuple[Gift, ...]
    bundles: tuple[tuple[int, ...], ...]
    """Groups of indexes into `gifts`; the gifts of a group are delivered together."""
    dealt: Mapping[str, Cards]
    """Each player's cards as dealt, from which the “worst” cards are taken."""

    def pending_gifts(self, giver: str) -> tuple[int, ...]:
        """Return the indexes of the gifts that `giver` has to choose now.

        These are not chosen yet and wait for no other gift.
        """
        gifts = self.gifts
        return tuple(
            [
                place
                for place, gift in enumerate(gifts)
                if gift.chosen is None and gift.giver == giver and all(gifts[one].delivered for one in gift.waits_for)
            ]
        )

    def secret_gifts(self) -> tuple[int, ...]:
        """Return the indexes of undelivered gifts whose state must stay hidden: those in bundles of several.

        A gift with only one choice is chosen at once. If other players saw that, they would learn about the giver's
        cards.
        """
        return tuple(
            [place for bundle in self.bundles if len(bundle) > 1 for place in bundle if not self.gifts[place].delivered]
        )

    def publicly_awaited_givers(self) -> tuple[str, ...]:
        """Return the players who may have to choose a gift now, as far as other players can know.

        Givers of secret gifts stay in the list until these are delivered.
        """
        unseen = {self.gifts[place].giver for place in self.secret_gifts()}
        owing = self.awaited_givers()
        names = dict.fromkeys(gift.giver for gift in self.gifts)
        return tuple(name for name in names if name in unseen or name in owing)

    def awaited_givers(self) -> tuple[str, ...]:
        """Return the players who have to choose a gift now; this may be more than other players may know."""
        names = dict.fromkeys(gift.giver for gift in self.gifts)
        return tuple(name for name in names if self.pending_gifts(name))


def gift_choices(cards: Cards, count: int, which: str, worth: CardValue) -> Iterator[Cards]:
    """Yield every choice of `count` cards for a gift that is the best, worst or any of these; ties are free choices.

    `which` is "best", "worst" or "any". `worth` gives a card's value in the exchange; higher is better. Nothing is
    yielded for too few cards.
    """
    if which == "any":
        yield from distinct_choices(cards, count)
        return
    fixed: Cards = ()
    for _, group in groupby(sorted(cards, key=worth, reverse=which == "best"), key=worth):
        tied = tuple(group)
        if len(fixed) + len(tied) > count:
            for rest in distinct_choices(tied, count - len(fixed)):
                yield fixed + rest
            return
        fixed += tied
        if len(fixed) == count:
            yield fixed
            return


def pending_gift_choices(exchange: Exchange, giver: str, held: Cards, worth: CardValue) -> Iterator[tuple[Cards, ...]]:
    """Yield every way in which `giver` may choose the pending gifts of the exchange: one tuple of cards per gift.

    `held` are the giver's cards now, and `worth` gives the value that orders them.
    """
    return _choices_for_gifts(
        [exchange.gifts[place] for place in exchange.pending_gifts(giver)], exchange.dealt[giver], held, worth
    )


def _choices_for_gifts(
    gifts: Sequence[Gift], dealt: Cards, held: Cards, worth: CardValue
) -> Iterator[tuple[Cards, ...]]:
    """Yield every way to choose one giver's gifts one after the other: one tuple of cards per gift.

    The worst cards are taken from those dealt, others from those held. `worth` gives a card's value in the exchange.
    """
    if not gifts:
        yield ()
        return
    gift, others = gifts[0], gifts[1:]
    for cards in gift_choices(dealt if gift.which == "worst" else held, gift.count, gift.which, worth):
        for rest in _choices_for_gifts(others, dealt, remove_cards(held, cards), worth):
            yield (cards, *rest)


def build_give_action(exchange: Exchange, giver: str, chosen: tuple[Cards, ...]) -> Give:
    """Return the action by which the giver makes this choice: `chosen` has the cards of each pending gift."""
    pending = exchange.pending_gifts(giver)
    if len(pending) == 1:
        return Give(chosen[0])
    return Give(to=tuple((exchange.gifts[place].taker, cards) for place, cards in zip(pending, chosen, strict=True)))


GIVE_SUCH_AS = MessageTemplate("refused.owes_for_instance", "Give {owed}, such as {example}.")
GIVE_TO_EACH = MessageTemplate("refused.name_cards_for_each", "Give {owed}. Choose the cards for each player.")


def parse_gift_choice(exchange: Exchange, giver: str, held: Cards, action: Give, worth: CardValue) -> tuple[Cards, ...]:
    """Return the cards that a player's action names for each pending gift of the exchange, after checking them.

    `giver` is the player, `held` their cards, and `worth` gives a card's value. Raises `RuleError`: `wrong_gift` with
    the gifts owed if the action does not fit, or an error for cards that the player lacks.
    """
    pending = exchange.pending_gifts(giver)
    gifts = [exchange.gifts[place] for place in pending]
    owed = join_with_and([GIFTS[gift.which](count=gift.count, taker=gift.taker) for gift in gifts])
    named = dict(action.to) if action.to else {gifts[0].taker: action.cards} if len(gifts) == 1 else {}
    check_held(held, cards_in_action(action))
    if set(named) != {gift.taker for gift in gifts}:
        would_do, _ = _example_gift_choice(exchange, giver, held, worth)
        raise RuleError("wrong_gift", GIVE_TO_EACH(owed=owed), gifts[0].rule, would_do)
    rest, chosen = held, []
    for gift in gifts:
        cards = named[gift.taker]
        pool = exchange.dealt[giver] if gift.which == "worst" else rest
        good = len(cards) == gift.count and (
            gift.which == "any"
            or sorted(cards) in (sorted(c) for c in gift_choices(pool, gift.count, gift.which, worth))
        )
        if not good:
            would_do, example = _example_gift_choice(exchange, giver, held, worth)
            raise RuleError("wrong_gift", GIVE_SUCH_AS(owed=owed, example=example), gift.rule, would_do)
        chosen.append(cards)
        rest = remove_cards(rest, cards)
    return tuple(chosen)


def _example_gift_choice(
    exchange: Exchange, giver: str, held: Cards, worth: CardValue
) -> tuple[SuggestedActions, MessageList]:
    """Return one valid choice of a player's pending gifts, as an action and as text, for an error message.

    `giver` is the player, `held` their cards, and `worth` gives a card's value in the exchange.
    """
    chosen = next(pending_gift_choices(exchange, giver, held, worth))
    takers = [exchange.gifts[place].taker for place in exchange.pending_gifts(giver)]
    words = (
        describe_cards(chosen[0])
        if len(takers) == 1
        else join_with_and(
            CARDS_TO(cards=describe_cards(cards), taker=taker) for cards, taker in zip(chosen, takers, strict=True)
        )
    )
    return (build_give_action(exchange, giver, chosen),), words


CARDS_TO = MessageTemplate("gift.to", "{cards} to {taker}")
GIFTS: dict[GiftSelection, MessageTemplate] = {
    "best": MessageTemplate(
        "gift.best", {"one": "your best card to {taker}", "other": "your best {count} cards to {taker}"}
    ),
    "worst": MessageTemplate(
        "gift.worst", {"one": "your worst card to {taker}", "other": "your worst {count} cards to {taker}"}
    ),
    "any": MessageTemplate("gift.any", {"one": "any card to {taker}", "other": "any {count} cards to {taker}"}),
}


def record_gift_choice(exchange: Exchange, giver: str, chosen: tuple[Cards, ...]) -> Exchange:
    """Return the exchange with the cards that the giver has chosen noted; no cards move yet."""
    gifts = list(exchange.gifts)
    for place, cards in zip(exchange.pending_gifts(giver), chosen, strict=True):
        gifts[place] = replace(gifts[place], chosen=cards)
    return replace(exchange, gifts=tuple(gifts))


def deliver_and_force_gifts(
    exchange: Exchange, held: Mapping[str, Cards], worth: CardValue
) -> tuple[Exchange, dict[str, Cards], tuple[GameEvent, ...]]:
    """Deliver complete bundles of gifts and choose for givers with only one choice, until a player must choose.

    A gift with only one choice is made at once, so all players see that the giver had none. A delay would hide this
    from nobody who knows the rules, and cost everybody time.

    Returns the exchange, the players' cards and the events.
    """
    cards, events = dict(held), list[GameEvent]()
    forced = True
    while forced:
        exchange, forced = _deliver_complete_bundles(exchange, cards, events), False
        for giver in exchange.awaited_givers():
            ways = pending_gift_choices(exchange, giver, cards[giver], worth)
            only, another = next(ways), next(ways, None)
            if another is None:
                exchange, forced = record_gift_choice(exchange, giver, only), True
    return exchange, cards, tuple(events)


GAVE = GameEventType(
    "gave",
    {"one": "{by} gives {to} a card.", "other": "{by} gives {to} {count} cards."},
    you="",
    to_you="",
    tone="quiet",
    ways=(("by", "to"),),
    celebrated="exchange",
)
GAVE_CARDS = GameEventType(
    "gave_cards",
    "{by} gives {to} {cards}.",
    you="You give {to} {cards}.",
    to_you="{by} gives you {cards}.",
    details=GAVE,
    ways=(("by", "to"),),
    celebrated="exchange",
)
"""Additional event for giver and receiver, who may see the cards."""


WILL_EXCHANGE = GameEventType(
    "will_exchange",
    {
        "one": "{to} gets the best card of {by} and gives {back} back.",
        "other": "{to} gets the {count} best cards of {by} and gives {back} back.",
    },
    you={
        "one": "You give {to} your best card and get {back} back.",
        "other": "You give {to} your {count} best cards and get {back} back.",
    },
    to_you={
        "one": "You get the best card of {by} and give {back} back.",
        "other": "You get the {count} best cards of {by} and give {back} back.",
    },
    tone="quiet",
)


def announce_gifts(gifts: Sequence[Gift]) -> tuple[GameEvent, ...]:
    """Return an event for each gift of best cards in the next hand, with the number of cards that the giver gets back.

    Gifts depend only on the last hand's result, so these events tell nothing about cards.
    """
    counts = {(gift.giver, gift.taker): gift.count for gift in gifts}
    return tuple(
        WILL_EXCHANGE(gift.giver, to=gift.taker, count=gift.count, back=counts[gift.taker, gift.giver])
        for gift in gifts
        if gift.which == "best"
    )


def _deliver_complete_bundles(exchange: Exchange, cards: dict[str, Cards], events: list[GameEvent]) -> Exchange:
    gifts = list(exchange.gifts)
    for bundle in exchange.bundles:
        ready = [place for place in bundle if not gifts[place].delivered]
        if not ready or any(gifts[place].chosen is None for place in ready):
            continue
        for place in ready:
            gift = gifts[place]
            assert gift.chosen is not None
            cards[gift.giver] = remove_cards(cards[gift.giver], gift.chosen)
        for place in ready:
            gift = gifts[place]
            assert gift.chosen is not None
            cards[gift.taker] += gift.chosen
            gifts[place] = replace(gift, delivered=True)
            events.append(GAVE(gift.giver, to=gift.taker, count=gift.count))
            both = (gift.giver, gift.taker)
            events.append(GAVE_CARDS(gift.giver, seen_by=both, to=gift.taker, cards=" ".join(gift.chosen)))
    return replace(exchange, gifts=tuple(gifts))
