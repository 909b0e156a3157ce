"""What one seat knows of where cards are, in a climbing game: from its own cards, what lies open, and what it was told.

Others' hands are never looked at, only counted. What the seat does not see it does not remember, either: where somebody
gives a card away unseen, nothing is known of their cards any more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from msgspec import structs

from app.engine.base.random_source import Dice
from app.engine.cards.cards import Card, Cards, card
from app.engine.climbing import exchange as gifts
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.rule_hooks import HandState
from app.engine.match.game import Told
from app.engine.match.hand import Unseen

_WAYS = 40
"""To choose gifts that somebody has chosen unseen: chance picks among so many."""


@dataclass
class Heard:
    """What a seat remembers of a hand."""

    laid: Counter[Card] = field(default_factory=Counter[Card])
    """Cards that were laid open and can't be held any more."""
    known: dict[str, Counter[Card]] = field(default_factory=dict[str, Counter[Card]])
    """Cards that others are known to hold, by name."""


def heard(told: Sequence[Told], me: str) -> Heard:
    """What somebody remembers who has been told this since the deal."""
    found, trick = Heard(), Counter[Card]()
    known = found.known
    for event in told:
        by, cards = event.get("by", ""), _cards(event)
        match event["e"]:
            case "played":
                trick += cards
                _lose(found, by, cards)
            case "discarded" | "thrown_in":
                _lose(found, by, cards)
            case "bombed" if "ranks" in event:
                found.laid += cards
                for name, held in known.items():
                    known[name] = Counter({one: n for one, n in held.items() if one[0] not in event["ranks"]})
            case "trick_over":
                trick = Counter()
            case "restocked":
                found.laid = trick.copy()
            case "gave" | "given" | "swapped" if me not in (by, event["to"]):
                known.pop(by, None)
                if event["e"] == "swapped":
                    known.pop(event["to"], None)
            case "gave_cards" | "given_cards":
                if by in known:
                    known[by] -= cards
                if event["to"] != me:
                    known.setdefault(event["to"], Counter()).update(cards)
            case "exposed":
                found.known = known = {name: Counter((card(up),)) for name, up in event["cards"].items() if name != me}
            case "odd_card" if by != me:
                known.setdefault(by, Counter()).update(cards)
            case _:
                pass
    return found


def _cards(event: Told) -> Counter[Card]:
    named = event.get("cards", "")
    return Counter(map(card, named.split())) if isinstance(named, str) else Counter()


def _lose(found: Heard, by: str, cards: Counter[Card]) -> None:
    found.laid += cards
    if by in found.known:
        found.known[by] -= cards


def of(hand: HandState, me: str, memory: Heard, deck: Cards, stock: int) -> Unseen[HandState]:
    """A hand as a player may know it who remembers this, with so many cards in the stock."""
    left = Counter(deck) - Counter(hand.cards[me]) - memory.laid
    known, held = dict[str, Cards](), list[tuple[str, int]]()
    for name in hand.seats:
        count = len(hand.cards[name])
        if name == me or not count:
            continue
        sure = tuple(sorted(memory.known.get(name, Counter[Card]()).elements()))
        if sure:
            known[name] = sure
            left -= Counter(sure)
        held.append((name, count - len(sure)))
    hidden = tuple(sorted(left.elements()))
    shown = memory.laid.total() - (
        0 if hand.rules.pauses(hand) else sum(one.combination.size for one in hand.trick.plays)
    )
    aside = 0
    if not hand.rules.keeps_pile:
        aside = max(0, len(hand.pile) - shown)
        hand = hand.but(pile=_open(hand, memory))
    placed = Unseen(_quiet(hand, me), hidden, tuple(held), known, stock, aside)
    return replace(placed, hand=hand_in_order(placed, me))


def _open(hand: HandState, memory: Heard) -> Cards:
    """The cards of a pile that everybody saw."""
    trick = () if hand.rules.pauses(hand) else hand.trick.plays
    lies = Counter(card for laid in trick for card in laid.combination.cards)
    return tuple(sorted((memory.laid - lies).elements()))


def _quiet(hand: HandState, me: str) -> HandState:
    """Return a hand without gifts that others have chosen or seen. What is chosen and not given yet is no cards at all.

    Whether others have chosen what is chosen unseen can't be known: it is taken for chosen.
    """
    exchange = hand.exchange
    if exchange is None:
        return hand
    hidden = {place for place in exchange.unseen() if exchange.gifts[place].giver != me}
    if hidden:
        hand = hand.but(
            to_act=tuple([name for name in hand.to_act if name == me or not _gives(exchange, hidden, name)])
        )
    made = tuple(
        structs.replace(gift, chosen=())
        if place in hidden
        else gift
        if gift.chosen is None or (gift.giver == me and not gift.delivered)
        else structs.replace(gift, chosen=())
        for place, gift in enumerate(exchange.gifts)
    )
    return hand.but(exchange=structs.replace(exchange, gifts=made, dealt={me: exchange.dealt[me]}))


def _gives(exchange: Exchange, places: Iterable[int], name: str) -> bool:
    return any(exchange.gifts[place].giver == name for place in places)


def hand_in_order(unseen: Unseen[HandState], me: str) -> HandState:
    """With hidden cards dealt as they come."""
    hand, at = unseen.hand, 0
    cards = {me: hand.cards[me]}
    for name, count in unseen.held:
        cards[name] = (*unseen.known.get(name, ()), *unseen.hidden[at : at + count])
        at += count
    return hand.but(cards={name: cards.get(name, ()) for name in hand.seats})


def dealt_so(hand: HandState, held: Mapping[str, Cards], pile: Cards, rng: Dice) -> HandState:
    """A hand as it may be: with these cards, and with gifts that may have been chosen."""
    order = hand.rules.order
    cards = {**hand.cards, **{name: tuple(sorted(some, key=order)) for name, some in held.items()}}
    hand = hand.but(cards=cards, pile=hand.pile + pile)
    if hand.exchange is None:
        return hand
    exchange = structs.replace(hand.exchange, dealt={**cards, **hand.exchange.dealt})
    return hand.but(exchange=_chosen(exchange, cards, hand, rng))


def _chosen(exchange: Exchange, cards: Mapping[str, Cards], hand: HandState, rng: Dice) -> Exchange:
    for giver in dict.fromkeys(gift.giver for gift in exchange.gifts if gift.chosen == () and not gift.delivered):
        mine = [gift.giver == giver and gift.chosen == () and not gift.delivered for gift in exchange.gifts]
        asked = tuple(
            structs.replace(gift, chosen=None) if open_ else gift
            for gift, open_ in zip(exchange.gifts, mine, strict=True)
        )
        before = structs.replace(exchange, gifts=asked)
        ways = list(islice(gifts.options(before, giver, cards[giver], hand.rules.worth), _WAYS))
        exchange = gifts.choose(before, giver, rng.choice(ways))
    return exchange
