"""The Hand of Collusion [PRES-38 `collude`]: first and last are a pair, second and last but one, and so on.

The two of a pair see each other's cards and swap as many as they agree on, as often as they like, until both are done.
The pair with most points in the hand has won it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Phrase, Said, Sentence, both
from app.engine.cards.actions import Action, Agree, Done, Offer
from app.engine.cards.cards import Cards, check_held, in_words, show
from app.engine.climbing import hand as loop
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import Event, EventType
from app.engine.display.table_display import OwnFace, Panel, line, listed, own_face, particulars
from app.engine.games.president.house.society.trading import CARDS_OFFERED, SWAP_AGREED, SWITCH, TALK, OfferShown, swap
from app.engine.games.president.house_rule import Part
from app.engine.match.hand import Finish, HandStep

BY_PAIRS = Sentence("president.by_pairs", {"other": "Collusion goes by pairs: an even number of players, not {count}."})


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who collude in this hand."""

    two: tuple[str, str]
    offers: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    agreed: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Whether both are done."""
        return len(self.done) == 2

    def partner(self, name: str) -> str:
        """The other of the two."""
        return self.two[name == self.two[0]]

    def may_agree(self, name: str) -> bool:
        """Whether offers of the same number are on the table that this one has not agreed to."""
        sizes = {len(cards) for cards in self.offers.values()}
        return len(self.offers) == 2 and len(sizes) == 1 and name not in self.agreed

    def to_act(self) -> tuple[str, ...]:
        """Who has something to do: whoever is done may still agree."""
        if self.over:
            return ()
        return tuple(name for name in self.two if name not in self.done or self.may_agree(name))


TITLE = Sentence("pairs.title", "Those who collude")
PAIR = Sentence("pairs.pair", "{names}")
OFFERS = Sentence("pairs.offer", {"one": "{by} offers a card", "other": "{by} offers {count} cards"})
OFFERED = Sentence("pairs.offered", "{offer}: {cards}")
CHOOSING = Sentence("pairs.waits", "choosing …")
NO_MORE = Sentence("pairs.no_more", "no more swaps")
PARTNER = Sentence("pairs.partner", "Your partner {name} holds")
ASKED = Sentence("pairs.asked", "Swap with your partner, or call it done.")

Acted: TypeAlias = tuple[Pair, HandState, tuple[Event, ...]]
"""A pair and its hand after an action, and what is told."""


def even(count: int) -> bool:
    """Whether so many fall into pairs: a match begins with such a number."""
    return count % 2 == 0


def pairs(hierarchy: tuple[str, ...]) -> tuple[Pair, ...]:
    """First with last, second with last but one …; with an odd number there are none in this hand."""
    if not even(len(hierarchy)):
        return ()
    return tuple(Pair((hierarchy[place], hierarchy[-1 - place])) for place in range(len(hierarchy) // 2))


def legal(pair: Pair) -> Iterator[tuple[str, Action]]:
    """What each of the two may do; an offer stands without its cards."""
    for name in pair.to_act():
        if name not in pair.done:
            yield name, Offer()
        if pair.may_agree(name):
            yield name, Agree()
        if name not in pair.done:
            yield name, Done()


DONE_ALREADY = Sentence("president.done_already", "You are done already.")
OFFER_AS_MANY = Sentence("president.offer_as_many", "Offer one card or more, as many as your partner.")
NO_MORE_OFFERS = Sentence("president.no_more_offers", "You are done and make no more offers.")
PARTNERS_OFFER = Sentence("president.partners_offer", "Partners offer, agree or are done.")
PARTNER_HAS_TO_AGREE = Sentence(
    "president.partner_has_to_agree",
    "You are done: your partner has to agree with you or be done too.",
)
PARTNERS_CLAIM_NOTHING = Sentence(
    "president.partners_claim_nothing",
    "Partners see each other’s cards: an offer claims nothing.",
)

OFFERED_CARDS = EventType("offered_cards", "{by} shows what is offered: {cards}.", you="")
"""What the two of them see besides."""
NO_MORE_SWAPS = EventType("done", "{by} wants no more swaps.", you="You want no more swaps.")
COLLUSION_WON = EventType("collusion_won", "The best pair of this hand: {people}.", stood_out="collusion won")


def act(hand: HandState, pair: Pair, by: str, action: Action) -> Acted:
    """The pair and the hand after one action."""
    if isinstance(action, Offer) and action.claim is not None:
        raise RuleError("bad_action", PARTNERS_CLAIM_NOTHING())
    if by not in pair.to_act():
        raise RuleError("not_your_turn", PARTNER_HAS_TO_AGREE())
    match action:
        case Offer(cards):
            if by in pair.done:
                raise RuleError("not_your_turn", NO_MORE_OFFERS())
            check_held(hand.cards[by], cards)
            if not cards:
                raise RuleError("wrong_gift", OFFER_AS_MANY())
            pair = replace(pair, offers={**pair.offers, by: cards}, agreed=frozenset[str]())
            return (
                pair,
                hand,
                (CARDS_OFFERED(by, count=len(cards)), OFFERED_CARDS(by, seen_by=pair.two, cards=" ".join(cards))),
            )
        case Agree():
            return _agree(hand, pair, by)
        case Done():
            if by in pair.done:
                raise RuleError("not_your_turn", DONE_ALREADY())
            pair = replace(pair, done=pair.done | {by})
            # Nobody is left to agree to what still lies there.
            return replace(pair, offers={}) if pair.over else pair, hand, (NO_MORE_SWAPS(by),)
        case _:
            raise RuleError("not_in_this_phase", PARTNERS_OFFER())


AGREE_TO_AS_MANY = Sentence("president.agree_to_as_many", "Agree when both have offered the same number of cards.")


def _agree(hand: HandState, pair: Pair, by: str) -> Acted:
    sizes = {len(cards) for cards in pair.offers.values()}
    if len(pair.offers) < 2 or len(sizes) != 1:
        raise RuleError("wrong_gift", AGREE_TO_AS_MANY())
    pair = replace(pair, agreed=pair.agreed | {by})
    if len(pair.agreed) < 2:
        return pair, hand, (SWAP_AGREED(by),)
    hand, events = swap(hand, pair.two, pair.offers)
    return replace(pair, offers={}, agreed=frozenset[str]()), hand, (SWAP_AGREED(by), *events)


def winners(ledger: Mapping[str, int], found: tuple[Pair, ...]) -> tuple[str, ...]:
    """The pair with most points in the hand; none if pairs are level on top."""
    sums = sorted(((ledger[pair.two[0]] + ledger[pair.two[1]], pair.two) for pair in found), reverse=True)
    if not sums or (len(sums) > 1 and sums[0][0] == sums[1][0]):
        return ()
    return sums[0][1]


def _offer(pair: Pair, by: str) -> Said:
    return OFFERS(by=by, count=len(pair.offers[by]))


def _how_far(pair: Pair) -> Phrase:
    if pair.over:
        return NO_MORE()
    return both(_offer(pair, by) for by in pair.offers) if pair.offers else CHOOSING()


class PairShown(TypedDict):
    """Two who collude."""

    two: Annotated[list[str], "The two."]
    offers: Annotated[dict[str, int], "How many cards each offers, by name."]
    agreed: Annotated[list[str], "Who agrees to the swap."]
    done: Annotated[list[str], "Who wants no other."]


class PairsShown(TypedDict):
    """Who colludes."""

    pairs: Annotated[list[PairShown], "Those who collude; empty where nobody does (PRES-38)."]


class Partner(TypedDict):
    """The one with whom one colludes."""

    name: Annotated[str, "Who it is."]
    cards: Annotated[str, "What they hold."]
    offer: Annotated[str, "What they offer."]


class PartnerShown(OfferShown, total=False):
    """What one sees of one’s partner, and what one has put down."""

    partner: Annotated[Partner, "The partner in collusion, during the exchange."]


class Collusion(Part[tuple[Pair, ...]]):
    """Pairs see each other’s cards and swap. It keeps them from the end of the gifts on."""

    switch = SWITCH
    section = "society"
    at = "collude"
    actions = TALK
    key = "pairs"

    @classmethod
    def table(cls, hand: HandState) -> PairsShown:
        return {
            "pairs": [
                {
                    "two": list(pair.two),
                    "offers": {name: len(offered) for name, offered in pair.offers.items()},
                    "agreed": sorted(pair.agreed),
                    "done": sorted(pair.done),
                }
                for pair in cls.of(hand) or ()
            ]
        }

    @classmethod
    def own(cls, hand: HandState, player: str) -> PartnerShown:
        pairs = cls.of(hand) if hand.phase == "exchange" else None
        pair = next((pair for pair in pairs if player in pair.two), None) if pairs else None
        if pair is None:
            return {}
        partner = pair.partner(player)
        offer = show(pair.offers.get(partner, ()))
        return {
            "offer": show(pair.offers.get(player, ())),
            "partner": {"name": partner, "cards": show(hand.cards[partner]), "offer": offer},
        }

    def wrong_number(self, count: int) -> Said | None:
        return None if even(count) else BY_PAIRS(count=count)

    def known_to(self, hand: HandState, player: str) -> HandState | None:
        return None if hand.phase == "exchange" else hand

    def after_gifts(self, hand: HandState) -> HandState | None:
        return self.keep(hand, pairs(hand.hierarchy)) if self.of(hand) is None else None

    def open_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        kept = self.of(hand) or () if hand.phase == "exchange" else ()
        return tuple(pair.partner(player) for pair in kept if player in pair.two)

    def exchanging(self, hand: HandState) -> tuple[str, ...]:
        return tuple(name for pair in self.of(hand) or () for name in pair.to_act())

    def legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        if hand.phase == "exchange":
            for pair in self.of(hand) or ():
                yield from legal(pair)

    def panels(self, hand: HandState) -> Iterator[Panel]:
        kept = self.of(hand)
        if kept and hand.phase == "exchange":
            lines = (line("+".join(pair.two), PAIR(names=both(pair.two)), _how_far(pair)) for pair in kept)
            yield listed("pairs", TITLE(), [*lines])

    def shows(self, hand: HandState, player: str) -> OwnFace | None:
        pair = next((pair for pair in self.of(hand) or () if player in pair.two), None)
        if pair is None or hand.phase != "exchange":
            return None
        partner = pair.partner(player)
        lines = [line("cards", in_words(hand.cards[partner]))]
        if partner in pair.offers:
            lines.append(line("offer", OFFERED(offer=_offer(pair, partner), cards=in_words(pair.offers[partner]))))
        face = own_face(ASKED() if player not in pair.done else None)
        panel = listed("partner", PARTNER(name=partner), lines)
        return {**face, "panels": [panel], "particulars": {"offer": particulars()}}

    def act(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        kept = self.of(hand)
        if not kept or hand.phase != "exchange" or not isinstance(action, TALK):
            return None
        place, pair = next((place, pair) for place, pair in enumerate(kept) if by in pair.two)
        pair, hand, events = act(hand, pair, by, action)
        return loop.go_on_exchanging(self.keep(hand, (*kept[:place], pair, *kept[place + 1 :])), events)

    def finish(self, hand: HandState, finish: Finish) -> Finish:
        best = winners(finish.result.ledger, self.of(hand) or ())
        if not best:
            return finish
        won = COLLUSION_WON(None, self.switch.id, people=list(best))
        return replace(finish, events=(*finish.events, won))
