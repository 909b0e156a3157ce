"""The Hand of Collusion [PRES-38 `collude`]: first and last form a pair, second and last but one, and so on.

The two players of a pair see each other's cards. They may swap equal numbers of cards repeatedly until both are done.
The pair with the most points in the hand wins the collusion.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeAlias, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage, TranslatableText, join_with_and
from app.engine.cards.actions import AcceptOffers, Action, EndSwaps, Offer
from app.engine.cards.cards import Cards, check_held, describe_cards, format_cards
from app.engine.climbing import hand as loop
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent, GameEventType
from app.engine.display.table_display import OwnFace, Panel, action_limits, panel_line, player_display, text_panel
from app.engine.games.president.house.society.trading import (
    CARDS_OFFERED,
    SWAP_AGREED,
    SWITCH,
    TRADE_ACTIONS,
    OfferView,
    swap_cards,
)
from app.engine.games.president.house_rule import HouseRule
from app.engine.match.hand import HandConclusion, HandTransition

BY_PAIRS = MessageTemplate("president.by_pairs", {"other": "Collusion needs an even number of players, not {count}."})


@dataclass(frozen=True, slots=True)
class ColludingPair:
    """Two players of President who collude: they see each other's cards and may swap before play.

    `offers`: cards put down by player; `agreed`: players who accept the swap; `done`: players who want no more swaps.
    """

    players: tuple[str, str]
    offers: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    agreed: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()

    @property
    def over(self) -> bool:
        """Return whether both players of the pair are done with swapping."""
        return len(self.done) == 2

    def partner(self, name: str) -> str:
        """Return the other player of the colluding pair."""
        return self.players[name == self.players[0]]

    def may_agree(self, name: str) -> bool:
        """Return whether a player of the pair may agree to the swap that is offered.

        Both offers must have the same number of cards, and the player must not have agreed yet.
        """
        sizes = {len(cards) for cards in self.offers.values()}
        return len(self.offers) == 2 and len(sizes) == 1 and name not in self.agreed

    def players_to_act(self) -> tuple[str, ...]:
        """Return the players of the pair who may still act; a player who is done may still agree to a swap."""
        if self.over:
            return ()
        return tuple(name for name in self.players if name not in self.done or self.may_agree(name))


TITLE = MessageTemplate("pairs.title", "Partners")
PAIR = MessageTemplate("pairs.pair", "{names}")
OFFERS = MessageTemplate("pairs.offer", {"one": "{by} offers a card", "other": "{by} offers {count} cards"})
OFFERED = MessageTemplate("pairs.offered", "{offer}: {cards}")
CHOOSING = MessageTemplate("pairs.waits", "choosing …")
NO_MORE = MessageTemplate("pairs.no_more", "done swapping")
PARTNER = MessageTemplate("pairs.partner", "Cards of your partner {name}")
ASKED = MessageTemplate("pairs.asked", "Swap with your partner, or finish swapping.")

PairStep: TypeAlias = tuple[ColludingPair, HandState, tuple[GameEvent, ...]]
"""The pair, the hand and the events after an action."""


def can_form_pairs(count: int) -> bool:
    """Return whether this number of players can form colluding pairs: an even one, required when a match begins."""
    return count % 2 == 0


def build_pairs(hierarchy: tuple[str, ...]) -> tuple[ColludingPair, ...]:
    """Return the colluding pairs: first with last, second with last but one, and so on; none for an odd number.

    `hierarchy` is best first.
    """
    if not can_form_pairs(len(hierarchy)):
        return ()
    return tuple(ColludingPair((hierarchy[place], hierarchy[-1 - place])) for place in range(len(hierarchy) // 2))


def legal_pair_actions(pair: ColludingPair) -> Iterator[tuple[str, Action]]:
    """Yield the legal actions of both players of a colluding pair, each with its player.

    Offers are listed without cards, which the player chooses.
    """
    for name in pair.players_to_act():
        if name not in pair.done:
            yield name, Offer()
        if pair.may_agree(name):
            yield name, AcceptOffers()
        if name not in pair.done:
            yield name, EndSwaps()


DONE_ALREADY = MessageTemplate("president.done_already", "You are done already.")
OFFER_AS_MANY = MessageTemplate(
    "president.offer_as_many", "Offer at least one card, and the same number as your partner."
)
NO_MORE_OFFERS = MessageTemplate("president.no_more_offers", "You are done and can’t make more offers.")
PARTNERS_OFFER = MessageTemplate("president.partners_offer", "Partners can offer, agree or finish swapping.")
PARTNER_HAS_TO_AGREE = MessageTemplate(
    "president.partner_has_to_agree",
    "You are done. Wait for your partner.",
)
PARTNERS_CLAIM_NOTHING = MessageTemplate(
    "president.partners_claim_nothing",
    "Partners see each other’s cards: offer without a claim.",
)

OFFERED_CARDS = GameEventType("offered_cards", "{by} offers {cards}.", you="")
"""Additional event for the two players of the pair, who may see the cards."""
NO_MORE_SWAPS = GameEventType("done", "{by} wants no more swaps.", you="You want no more swaps.")
COLLUSION_WON = GameEventType("collusion_won", "{people} are the best pair of this hand.", stood_out="collusion won")


def apply_pair_action(hand: HandState, pair: ColludingPair, by: str, action: Action) -> PairStep:
    """Return a colluding pair, the hand and the events after an action: an offer, an agreement, or being done.

    Raises `RuleError` if the action is illegal. When both have agreed, the cards are swapped.
    """
    if isinstance(action, Offer) and action.claim is not None:
        raise RuleError("bad_action", PARTNERS_CLAIM_NOTHING())
    if by not in pair.players_to_act():
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
                (CARDS_OFFERED(by, count=len(cards)), OFFERED_CARDS(by, seen_by=pair.players, cards=" ".join(cards))),
            )
        case AcceptOffers():
            return _agree_to_swap(hand, pair, by)
        case EndSwaps():
            if by in pair.done:
                raise RuleError("not_your_turn", DONE_ALREADY())
            pair = replace(pair, done=pair.done | {by})
            # Both are done: nobody can agree to the remaining offers.
            return replace(pair, offers={}) if pair.over else pair, hand, (NO_MORE_SWAPS(by),)
        case _:
            raise RuleError("not_in_this_phase", PARTNERS_OFFER())


AGREE_TO_AS_MANY = MessageTemplate(
    "president.agree_to_as_many", "You can agree when both have offered the same number of cards."
)


def _agree_to_swap(hand: HandState, pair: ColludingPair, by: str) -> PairStep:
    sizes = {len(cards) for cards in pair.offers.values()}
    if len(pair.offers) < 2 or len(sizes) != 1:
        raise RuleError("wrong_gift", AGREE_TO_AS_MANY())
    pair = replace(pair, agreed=pair.agreed | {by})
    if len(pair.agreed) < 2:
        return pair, hand, (SWAP_AGREED(by),)
    hand, events = swap_cards(hand, pair.players, pair.offers)
    return replace(pair, offers={}, agreed=frozenset[str]()), hand, (SWAP_AGREED(by), *events)


def best_pair(points: Mapping[str, int], pairs: tuple[ColludingPair, ...]) -> tuple[str, ...]:
    """Return the colluding pair with the most points in the hand, or () if several pairs tie."""
    sums = sorted(((points[pair.players[0]] + points[pair.players[1]], pair.players) for pair in pairs), reverse=True)
    if not sums or (len(sums) > 1 and sums[0][0] == sums[1][0]):
        return ()
    return sums[0][1]


def _offer_text(pair: ColludingPair, by: str) -> TranslatableMessage:
    return OFFERS(by=by, count=len(pair.offers[by]))


def _pair_status_text(pair: ColludingPair) -> TranslatableText:
    if pair.over:
        return NO_MORE()
    return join_with_and(_offer_text(pair, by) for by in pair.offers) if pair.offers else CHOOSING()


class PairView(TypedDict):
    """The public view of two players who may swap cards by the house rule Collusion."""

    two: Annotated[list[str], "The two players."]
    offers: Annotated[dict[str, int], "Number of cards that each offers, by name."]
    agreed: Annotated[list[str], "Players who agree to the swap."]
    done: Annotated[list[str], "Players who want no other swap."]


class PairsView(TypedDict):
    """All colluding pairs."""

    pairs: Annotated[list[PairView], "Pairs that collude; empty: none (PRES-38)."]


class Partner(TypedDict):
    """Your partner in collusion."""

    name: Annotated[str, "The name of the partner."]
    cards: Annotated[str, "The cards of the partner."]
    offer: Annotated[str, "The cards that the partner offers."]


class PartnerView(OfferView, total=False):
    """Your partner and your own offer."""

    partner: Annotated[Partner, "The partner in collusion, during the exchange."]


class Collusion(HouseRule[tuple[ColludingPair, ...]]):
    """A house rule of President: pairs of players see each other's cards and may swap before play.

    First and last form a pair, second and last but one, and so on. The rule's memory holds the pairs once the gifts are
    given.
    """

    switch = SWITCH
    section = "society"
    active_value = "collude"
    actions = TRADE_ACTIONS
    memory_key = "pairs"

    @classmethod
    def table(cls, hand: HandState) -> PairsView:
        return {
            "pairs": [
                {
                    "two": list(pair.players),
                    "offers": {name: len(offered) for name, offered in pair.offers.items()},
                    "agreed": sorted(pair.agreed),
                    "done": sorted(pair.done),
                }
                for pair in cls.read_memory(hand) or ()
            ]
        }

    @classmethod
    def own(cls, hand: HandState, player: str) -> PartnerView:
        pairs = cls.read_memory(hand) if hand.phase == "exchange" else None
        pair = next((pair for pair in pairs if player in pair.players), None) if pairs else None
        if pair is None:
            return {}
        partner = pair.partner(player)
        offer = format_cards(pair.offers.get(partner, ()))
        return {
            "offer": format_cards(pair.offers.get(player, ())),
            "partner": {"name": partner, "cards": format_cards(hand.cards[partner]), "offer": offer},
        }

    def player_count_error(self, count: int) -> TranslatableMessage | None:
        return None if can_form_pairs(count) else BY_PAIRS(count=count)

    def redact_for_player(self, hand: HandState, player: str) -> HandState | None:
        return None if hand.phase == "exchange" else hand

    def continue_exchange(self, hand: HandState) -> HandState | None:
        return self.with_memory(hand, build_pairs(hand.hierarchy)) if self.read_memory(hand) is None else None

    def players_visible_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        memory = self.read_memory(hand) or () if hand.phase == "exchange" else ()
        return tuple(pair.partner(player) for pair in memory if player in pair.players)

    def players_still_trading(self, hand: HandState) -> tuple[str, ...]:
        return tuple(name for pair in self.read_memory(hand) or () for name in pair.players_to_act())

    def legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        if hand.phase == "exchange":
            for pair in self.read_memory(hand) or ():
                yield from legal_pair_actions(pair)

    def panels(self, hand: HandState) -> Iterator[Panel]:
        memory = self.read_memory(hand)
        if memory and hand.phase == "exchange":
            lines = (
                panel_line("+".join(pair.players), PAIR(names=join_with_and(pair.players)), _pair_status_text(pair))
                for pair in memory
            )
            yield text_panel("pairs", TITLE(), [*lines])

    def player_prompt(self, hand: HandState, player: str) -> OwnFace | None:
        pair = next((pair for pair in self.read_memory(hand) or () if player in pair.players), None)
        if pair is None or hand.phase != "exchange":
            return None
        partner = pair.partner(player)
        lines = [panel_line("cards", describe_cards(hand.cards[partner]))]
        if partner in pair.offers:
            lines.append(
                panel_line(
                    "offer", OFFERED(offer=_offer_text(pair, partner), cards=describe_cards(pair.offers[partner]))
                )
            )
        face = player_display(ASKED() if player not in pair.done else None)
        panel = text_panel("partner", PARTNER(name=partner), lines)
        return {**face, "panels": [panel], "action_limits": {"offer": action_limits()}}

    def apply_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState] | None:
        memory = self.read_memory(hand)
        if not memory or hand.phase != "exchange" or not isinstance(action, TRADE_ACTIONS):
            return None
        place, pair = next((place, pair) for place, pair in enumerate(memory) if by in pair.players)
        pair, hand, events = apply_pair_action(hand, pair, by, action)
        return loop.continue_exchange(self.with_memory(hand, (*memory[:place], pair, *memory[place + 1 :])), events)

    def adjust_finish(self, hand: HandState, finish: HandConclusion) -> HandConclusion:
        best = best_pair(finish.result.ledger, self.read_memory(hand) or ())
        if not best:
            return finish
        won = COLLUSION_WON(None, self.switch.id, people=list(best))
        return replace(finish, events=(*finish.events, won))
