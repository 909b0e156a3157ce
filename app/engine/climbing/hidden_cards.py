"""The knowledge of one seat about hidden cards, from its own cards, the open cards and the events it has seen.

Other players' cards are counted but never looked at. Knowledge that the seat cannot update is dropped. After a player
gives a card away unseen, that player's cards count as unknown.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from msgspec import structs

from app.engine.base.random_source import RandomSource
from app.engine.cards.cards import Card, Cards, parse_card
from app.engine.climbing import exchange as gifts
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.rule_hooks import HandState
from app.engine.match.game import SeatEvent
from app.engine.match.hand import HandKnowledge

_MAX_GIFT_CHOICES = 40
"""Maximum number of gift choices to draw from at random, for gifts that were chosen unseen."""


@dataclass
class SeatMemory:
    """What a seat remembers of a hand: cards gone for good, and cards that other players are known to hold."""

    cards_gone: Counter[Card] = field(default_factory=Counter[Card])
    """Cards that were shown and can't be held by any player now."""
    known_cards: dict[str, Counter[Card]] = field(default_factory=dict[str, Counter[Card]])
    """Cards that other players are known to hold, by name."""


def build_seat_memory(seat_events: Sequence[SeatEvent], player: str) -> SeatMemory:
    """Return what a player can remember of cards from the events they have seen since the deal.

    Bots that search deal the hidden cards at random so that they fit this memory.
    """
    found, trick = SeatMemory(), Counter[Card]()
    known = found.known_cards
    for event in seat_events:
        by, cards = event.get("by", ""), _cards_in_event(event)
        match event["e"]:
            case "played":
                trick += cards
                _record_lost_cards(found, by, cards)
            case "discarded" | "thrown_in":
                _record_lost_cards(found, by, cards)
            case "bombed" if "ranks" in event:
                found.cards_gone += cards
                for name, held in known.items():
                    known[name] = Counter({one: n for one, n in held.items() if one[0] not in event["ranks"]})
            case "trick_over":
                trick = Counter()
            case "restocked":
                found.cards_gone = trick.copy()
            case "gave" | "given" | "swapped" if player not in (by, event["to"]):
                known.pop(by, None)
                if event["e"] == "swapped":
                    known.pop(event["to"], None)
            case "gave_cards" | "given_cards":
                if by in known:
                    known[by] -= cards
                if event["to"] != player:
                    known.setdefault(event["to"], Counter()).update(cards)
            case "exposed":
                found.known_cards = known = {
                    name: Counter((parse_card(up),)) for name, up in event["cards"].items() if name != player
                }
            case "odd_card" if by != player:
                known.setdefault(by, Counter()).update(cards)
            case _:
                pass
    return found


def _cards_in_event(event: SeatEvent) -> Counter[Card]:
    named = event.get("cards", "")
    return Counter(map(parse_card, named.split())) if isinstance(named, str) else Counter()


def _record_lost_cards(found: SeatMemory, by: str, cards: Counter[Card]) -> None:
    found.cards_gone += cards
    if by in found.known_cards:
        found.known_cards[by] -= cards


def build_hand_knowledge(
    hand: HandState, player: str, memory: SeatMemory, deck: Cards, stock: int
) -> HandKnowledge[HandState]:
    """Return the hand as a player knows it, from their memory, the deck and the number of cards in the stock.

    Hidden cards are replaced by placeholders, and known are only their number and which cards they can be.
    """
    left = Counter(deck) - Counter(hand.cards[player]) - memory.cards_gone
    known, held = dict[str, Cards](), list[tuple[str, int]]()
    for name in hand.seats:
        count = len(hand.cards[name])
        if name == player or not count:
            continue
        sure = tuple(sorted(memory.known_cards.get(name, Counter[Card]()).elements()))
        if sure:
            known[name] = sure
            left -= Counter(sure)
        held.append((name, count - len(sure)))
    hidden = tuple(sorted(left.elements()))
    shown = memory.cards_gone.total() - (
        0 if hand.rules.pause_refusal(hand) else sum(one.combination.size for one in hand.trick.plays)
    )
    aside = 0
    if not hand.rules.keeps_pile:
        aside = max(0, len(hand.pile) - shown)
        hand = hand.replace(pile=_publicly_seen_pile(hand, memory))
    placed = HandKnowledge(_without_secret_gifts(hand, player), hidden, tuple(held), known, stock, aside)
    return replace(placed, hand=with_placeholder_cards(placed, player))


def _publicly_seen_pile(hand: HandState, memory: SeatMemory) -> Cards:
    """Return the cards of the pile that everybody has seen, without those of the running trick."""
    trick = () if hand.rules.pause_refusal(hand) else hand.trick.plays
    lies = Counter(card for laid in trick for card in laid.combination.cards)
    return tuple(sorted((memory.cards_gone - lies).elements()))


def _without_secret_gifts(hand: HandState, me: str) -> HandState:
    """Return a hand without the cards of gifts that players other than `me` have chosen; they are replaced by `()`.

    Whether another player has already chosen a secret gift can't be known, so it counts as chosen.
    """
    exchange = hand.exchange
    if exchange is None:
        return hand
    hidden = {place for place in exchange.secret_gifts() if exchange.gifts[place].giver != me}
    if hidden:
        hand = hand.replace(
            to_act=tuple([name for name in hand.to_act if name == me or not _is_giver_of_any(exchange, hidden, name)])
        )
    gifts = tuple(
        structs.replace(gift, chosen=())
        if place in hidden
        else gift
        if gift.chosen is None or (gift.giver == me and not gift.delivered)
        else structs.replace(gift, chosen=())
        for place, gift in enumerate(exchange.gifts)
    )
    return hand.replace(exchange=structs.replace(exchange, gifts=gifts, dealt={me: exchange.dealt[me]}))


def _is_giver_of_any(exchange: Exchange, places: Iterable[int], name: str) -> bool:
    return any(exchange.gifts[place].giver == name for place in places)


def with_placeholder_cards(unseen: HandKnowledge[HandState], player: str) -> HandState:
    """Return the hand with the hidden cards dealt to other players in sorted order, as placeholders.

    `unseen` tells which cards are hidden from the player. Cards that others are known to hold are theirs. The order
    tells nothing about the real deal.
    """
    hand, at = unseen.hand, 0
    cards = {player: hand.cards[player]}
    for name, count in unseen.held:
        cards[name] = (*unseen.known.get(name, ()), *unseen.hidden[at : at + count])
        at += count
    return hand.replace(cards={name: cards.get(name, ()) for name in hand.seats})


def fill_hidden_cards(hand: HandState, held: Mapping[str, Cards], pile: Cards, rng: RandomSource) -> HandState:
    """Return a hand as it might be: with these cards, and with other players' gifts chosen at random.

    `pile` is added to the discarded cards. Bots that search sample deals with it.
    """
    order = hand.rules.card_sort_key
    cards = {**hand.cards, **{name: tuple(sorted(some, key=order)) for name, some in held.items()}}
    hand = hand.replace(cards=cards, pile=hand.pile + pile)
    if hand.exchange is None:
        return hand
    exchange = structs.replace(hand.exchange, dealt={**cards, **hand.exchange.dealt})
    return hand.replace(exchange=_sample_gift_choices(exchange, cards, hand, rng))


def _sample_gift_choices(
    exchange: Exchange, cards: Mapping[str, Cards], hand: HandState, rng: RandomSource
) -> Exchange:
    for giver in dict.fromkeys(gift.giver for gift in exchange.gifts if gift.chosen == () and not gift.delivered):
        open_gifts = [gift.giver == giver and gift.chosen == () and not gift.delivered for gift in exchange.gifts]
        requested = tuple(
            structs.replace(gift, chosen=None) if open_ else gift
            for gift, open_ in zip(exchange.gifts, open_gifts, strict=True)
        )
        before = structs.replace(exchange, gifts=requested)
        ways = list(
            islice(
                gifts.pending_gift_choices(before, giver, cards[giver], hand.rules.exchange_value), _MAX_GIFT_CHOICES
            )
        )
        exchange = gifts.record_gift_choice(before, giver, rng.choice(ways))
    return exchange
