"""The exchange: cards given between high and low after the deal.

Who owes whom, how many and which is a list of `Gift`s that the game makes; here they are chosen, forced where there is
only one choice, and delivered. One giver's gifts are chosen in one action, each from what the earlier ones leave.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.engine.base.errors import RuleError, WouldDo
from app.engine.base.messages import Listed, Said, Sentence, both
from app.engine.cards.actions import Give, cards_of
from app.engine.cards.cards import Card, Cards, check_held, in_words, without
from app.engine.display.events import Event, EventType

from .combinations import choices

Which: TypeAlias = Literal["best", "worst", "any"]
"""Which cards a gift is made of."""
Worth: TypeAlias = Callable[[Card], float]
"""How good a card is when cards are given: higher is better, equal is a free choice."""


class Gift(Struct, frozen=True):
    """Cards that one player owes another. `waits_for`: places of gifts that must be in the giver's hands first."""

    giver: str
    taker: str
    count: int
    which: Which
    rule: str
    """The id of the rule by which it is owed."""
    waits_for: tuple[int, ...] = ()
    chosen: Cards | None = None
    delivered: bool = False


class Exchange(Struct, frozen=True):
    """All gifts of one hand. A gift is delivered when every gift of its `bundle` is chosen."""

    gifts: tuple[Gift, ...]
    bundles: tuple[tuple[int, ...], ...]
    """Places of gifts that change hands together."""
    dealt: Mapping[str, Cards]
    """Cards as dealt: what “worst” is the worst of."""

    @property
    def over(self) -> bool:
        """Whether everything has been delivered."""
        return all(gift.delivered for gift in self.gifts)

    def pending(self, giver: str) -> tuple[int, ...]:
        """Places of the gifts that this player has to choose now."""
        gifts = self.gifts
        return tuple(
            [
                place
                for place, gift in enumerate(gifts)
                if gift.chosen is None and gift.giver == giver and all(gifts[one].delivered for one in gift.waits_for)
            ]
        )

    def unseen(self) -> tuple[int, ...]:
        """Return the places of gifts that are chosen unseen, and not given yet: whether they are chosen is nobody's
        business, for a gift that has only one choice is chosen at once, and so would tell of its giver's cards."""
        return tuple(
            [place for bundle in self.bundles if len(bundle) > 1 for place in bundle if not self.gifts[place].delivered]
        )

    def choosing(self) -> tuple[str, ...]:
        """Return everybody who has to choose a gift now, for all that others may know."""
        unseen = {self.gifts[place].giver for place in self.unseen()}
        owing = self.givers()
        names = dict.fromkeys(gift.giver for gift in self.gifts)
        return tuple(name for name in names if name in unseen or name in owing)

    def givers(self) -> tuple[str, ...]:
        """Everybody who has to choose a gift now."""
        names = dict.fromkeys(gift.giver for gift in self.gifts)
        return tuple(name for name in names if self.pending(name))


def one_of(cards: Cards, count: int, which: str, worth: Worth) -> Iterator[Cards]:
    """Every choice of `count` cards that are the best (worst, any) of these: ties are the giver's to choose among."""
    if which == "any":
        yield from choices(cards, count)
        return
    fixed: Cards = ()
    for _, group in groupby(sorted(cards, key=worth, reverse=which == "best"), key=worth):
        tied = tuple(group)
        if len(fixed) + len(tied) > count:
            for rest in choices(tied, count - len(fixed)):
                yield fixed + rest
            return
        fixed += tied
        if len(fixed) == count:
            yield fixed
            return


def options(exchange: Exchange, giver: str, held: Cards, worth: Worth) -> Iterator[tuple[Cards, ...]]:
    """Every way in which this player may choose the pending gifts, one entry of cards per gift."""
    return _chosen([exchange.gifts[place] for place in exchange.pending(giver)], exchange.dealt[giver], held, worth)


def _chosen(gifts: Sequence[Gift], dealt: Cards, held: Cards, worth: Worth) -> Iterator[tuple[Cards, ...]]:
    """Every way in which these gifts, all of one giver, may be chosen one after the other."""
    if not gifts:
        yield ()
        return
    gift, others = gifts[0], gifts[1:]
    for cards in one_of(dealt if gift.which == "worst" else held, gift.count, gift.which, worth):
        for rest in _chosen(others, dealt, without(held, cards), worth):
            yield (cards, *rest)


def action_for(exchange: Exchange, giver: str, chosen: tuple[Cards, ...]) -> Give:
    """The action that chooses these cards."""
    pending = exchange.pending(giver)
    if len(pending) == 1:
        return Give(chosen[0])
    return Give(to=tuple((exchange.gifts[place].taker, cards) for place, cards in zip(pending, chosen, strict=True)))


OWES_FOR_INSTANCE = Sentence("refused.owes_for_instance", "You owe {owed}, for instance {example}.")
NAME_CARDS_FOR_EACH = Sentence("refused.name_cards_for_each", "You owe {owed}: name the cards for each.")


def read_gift(exchange: Exchange, giver: str, held: Cards, action: Give, worth: Worth) -> tuple[Cards, ...]:
    """The cards for each pending gift that an action names; `wrong_gift` with what is owed."""
    pending = exchange.pending(giver)
    gifts = [exchange.gifts[place] for place in pending]
    owed = _owed([GIFT_TO(what=_amount(gift), taker=gift.taker) for gift in gifts])
    named = dict(action.to) if action.to else {gifts[0].taker: action.cards} if len(gifts) == 1 else {}
    check_held(held, cards_of(action))
    if set(named) != {gift.taker for gift in gifts}:
        would_do, _ = _example(exchange, giver, held, worth)
        raise RuleError("wrong_gift", NAME_CARDS_FOR_EACH(owed=owed), gifts[0].rule, would_do)
    rest, chosen = held, []
    for gift in gifts:
        cards = named[gift.taker]
        pool = exchange.dealt[giver] if gift.which == "worst" else rest
        good = len(cards) == gift.count and (
            gift.which == "any" or sorted(cards) in (sorted(c) for c in one_of(pool, gift.count, gift.which, worth))
        )
        if not good:
            would_do, example = _example(exchange, giver, held, worth)
            raise RuleError("wrong_gift", OWES_FOR_INSTANCE(owed=owed, example=example), gift.rule, would_do)
        chosen.append(cards)
        rest = without(rest, cards)
    return tuple(chosen)


def _owed(gifts: Sequence[Said]) -> Said:
    """One gift after the other, each from what the earlier ones leave."""
    first, *rest = gifts
    return OF_THE_REST(first=first, then=_owed(rest)) if rest else first


def _example(exchange: Exchange, giver: str, held: Cards, worth: Worth) -> tuple[WouldDo, Listed]:
    """All that this player has to choose, as it may be: the action, and in words."""
    chosen = next(options(exchange, giver, held, worth))
    takers = (exchange.gifts[place].taker for place in exchange.pending(giver))
    words = both(GIFT_TO(what=in_words(cards), taker=taker) for cards, taker in zip(chosen, takers, strict=True))
    return (action_for(exchange, giver, chosen),), words


GIFT_TO = Sentence("gift.to", "{what} to {taker}")
OF_THE_REST = Sentence("gift.of_the_rest", "{first}, and of the rest {then}")
AMOUNTS: dict[Which, Sentence] = {
    "best": Sentence("gift.best", {"one": "your best card", "other": "your best {count} cards"}),
    "worst": Sentence("gift.worst", {"one": "your worst card", "other": "your worst {count} cards"}),
    "any": Sentence("gift.any", {"one": "any card", "other": "any {count} cards"}),
}


def _amount(gift: Gift) -> Said:
    return AMOUNTS[gift.which](count=gift.count)


def choose(exchange: Exchange, giver: str, chosen: tuple[Cards, ...]) -> Exchange:
    """Note what a giver has chosen; nothing moves yet."""
    gifts = list(exchange.gifts)
    for place, cards in zip(exchange.pending(giver), chosen, strict=True):
        gifts[place] = replace(gifts[place], chosen=cards)
    return replace(exchange, gifts=tuple(gifts))


def settle(
    exchange: Exchange, held: Mapping[str, Cards], worth: Worth
) -> tuple[Exchange, dict[str, Cards], tuple[Event, ...]]:
    """Deliver what is complete and make the gifts that have only one choice, until somebody has to choose."""
    cards, events = dict(held), list[Event]()
    forced = True
    while forced:
        exchange, forced = _deliver(exchange, cards, events), False
        for giver in exchange.givers():
            ways = options(exchange, giver, cards[giver], worth)
            only, another = next(ways), next(ways, None)
            if another is None:
                exchange, forced = choose(exchange, giver, only), True
    return exchange, cards, tuple(events)


GAVE = EventType(
    "gave",
    {"one": "{by} gives {to} a card.", "other": "{by} gives {to} {count} cards."},
    you="",
    to_you="",
    tone="quiet",
    ways=(("by", "to"),),
)
GAVE_CARDS = EventType(
    "gave_cards",
    "{by} gives {to} {cards}.",
    you="You give {to} {cards}.",
    to_you="{by} gives you {cards}.",
    details=GAVE,
    ways=(("by", "to"),),
)
"""What the two of them learn besides."""


def _deliver(exchange: Exchange, cards: dict[str, Cards], events: list[Event]) -> Exchange:
    gifts = list(exchange.gifts)
    for bundle in exchange.bundles:
        ready = [place for place in bundle if not gifts[place].delivered]
        if not ready or any(gifts[place].chosen is None for place in ready):
            continue
        for place in ready:
            gift = gifts[place]
            assert gift.chosen is not None
            cards[gift.giver] = without(cards[gift.giver], gift.chosen)
        for place in ready:
            gift = gifts[place]
            assert gift.chosen is not None
            cards[gift.taker] += gift.chosen
            gifts[place] = replace(gift, delivered=True)
            events.append(GAVE(gift.giver, to=gift.taker, count=gift.count))
            both = (gift.giver, gift.taker)
            events.append(GAVE_CARDS(gift.giver, seen_by=both, to=gift.taker, cards=" ".join(gift.chosen)))
    return replace(exchange, gifts=tuple(gifts))
