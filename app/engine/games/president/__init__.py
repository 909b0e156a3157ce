"""President: pagat's basic game and all its variations, Board Game Arena's President, Kings and Bastards.

The files have the headings of the rules page: cards, beating, trick, opening, society, scoring, presets; and one for
each long house rule: ordering, merchants, collusion, scum, faults. `rules.py` puts them together for the loop,
`shown.py` says what is seen.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.actions import (
    Action,
    Agree,
    BreakOff,
    Clear,
    Cut,
    DealOut,
    Decree,
    Defy,
    Done,
    Give,
    Join,
    Leave,
    Obey,
    Offer,
    OfferCut,
    Pass,
    Play,
    Say,
    Shuffle,
    Touch,
)
from app.engine.cards import Cards
from app.engine.climbing.game import ClimbingGame, joined, left
from app.engine.climbing.moments import HandState
from app.engine.climbing.state import State
from app.engine.errors import RuleError
from app.engine.events import Event, notable
from app.engine.hands import Deal, Finish, HandResult, HandStep
from app.engine.options import Declared, Options
from app.engine.society import AnySociety, Society

from . import beating, cards, collusion, faults, merchants, opening, scoring, shown, society, titles, trick
from .contradictions import CONFLICTS
from .memory import Memory
from .presets import BASICS, PRESETS
from .rules import PresidentRules, rules_of
from .shown import PresidentOwn, PresidentTable

FEWEST = 3
MOST_WITH_ONE_PACK = 8


class President(ClimbingGame):
    """The game `president`."""

    key = "president"
    name = "President"
    declared = Declared(
        (cards.SECTION, beating.SECTION, trick.SECTION, opening.SECTION, society.SECTION, scoring.SECTION),
        PRESETS,
        CONFLICTS,
        BASICS,
    )
    actions = frozenset(
        (
            *(Play, Pass, Give, Say, Offer, Agree, BreakOff, Done, Clear, Touch, Shuffle, OfferCut, Cut, DealOut),
            *(Decree, Obey, Defy, Join, Leave),
        )
    )
    decrees = society.ORDERS

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """3 to 8 with one pack, 3 to 16 with two; a preset, or a match that begins with a trade, may ask for more."""
        preset = self.declared.preset(options.preset)
        fewest = preset.players[0] if preset is not None and preset.players is not None else FEWEST
        if options.middle == "trade" and not begun:
            fewest = max(fewest, merchants.FEWEST)
        return fewest, MOST_WITH_ONE_PACK * options.packs

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """`bad_player_count` if so many can't play, collude (when a match begins) or pay the exchange."""
        super().check_players(options, count, begun=begun)
        if options.middle == "collude" and not begun and not collusion.even(count):
            raise RuleError("bad_player_count", f"Collusion goes by pairs: an even number of players, not {count}.")
        smallest = len(self.deck(options, count)) // count
        largest = max((max(pair) for pair in society.amounts(options, count)), default=0)
        if largest > smallest:
            raise RuleError(
                "bad_player_count",
                f"With {count} players somebody gets only {smallest} cards and could not give {largest}: "
                "fewer players, more cards or a smaller exchange.",
            )

    def deck(self, options: Options, count: int) -> Cards:
        """The pack or packs, less what is taken out, with jokers."""
        return rules_of(options).faces.deck()

    def titles(self, match: Society) -> Mapping[str, str]:
        """By the hierarchy as it stands: people come and go, and landlords fall."""
        return titles.titles(match.options.titles, match.hierarchy)

    def first_points(self, options: Options) -> int:
        """The starting credit (PRES-46)."""
        return int(options.start_points)

    def newcomer_points(self, match: Society) -> int:
        """By PRES-92."""
        return scoring.NEWCOMERS[match.options.newcomer_points](match, self.first_points(match.options))

    def dealer(self, match: Society) -> str:
        """Who deals the next hand (PRES-33)."""
        heir = match.memory.get("heir")
        return society.dealer(match.options, match.seats, match.hierarchy, match.dealer, heir)

    def begin(self, match: Society, deal: Deal) -> HandStep:
        """Deal, and go on to the exchange or the first lead."""
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        kept = match.memory
        hand = State(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards=dict(deal.cards) if match.hierarchy else _sorted(rules, deal),
            hierarchy=match.hierarchy,
            memory=Memory(
                faults=kept.get("faults", 0),
                unchanged=kept.get("unchanged", 0),
                came_or_went=kept.get("came_or_went", False),
            ),
        )
        return rules.begin(hand)

    def set_aside(self, hand: HandState) -> Cards:
        """The piles while they are dealt by hand."""
        return tuple(card for pile in hand.memory.piles.values() for card in pile)

    def unlisted(self, match: Society) -> tuple[Action, ...]:
        """Touching the pile, where somebody minds (PRES-40)."""
        return (Touch(),) if match.options.only_bottom_clears and match.running else ()

    def finish(self, match: Society, hand: HandState) -> Finish:
        """Points, the new hierarchy and seats, and whether the match is over."""
        options, memory = match.options, hand.memory
        standing = hand.rules.standing(hand)
        ledger = scoring.points(options, standing)
        events = list[Event]()
        winners = collusion.winners(ledger, memory.pairs)
        if winners:
            events.append(notable("collusion_won", None, "PRES-38", people=list(winners)))
        same = bool(hand.hierarchy) and standing == hand.hierarchy and not memory.came_or_went
        unchanged, hierarchy, count = memory.unchanged + 1 if same else 0, standing, memory.faults
        if options.faults and unchanged >= faults.UNCHANGED_TO_FALL:
            events.append(notable("landlord_falls", standing[0], "PRES-41"))
            hierarchy, unchanged, count = faults.fallen(standing), 0, 0
        totals = {name: match.totals[name] + ledger[name] for name in hand.seats}
        over = scoring.is_over(options, totals)
        if over:
            best = max(totals.values())
            events.append(notable("match_won", people=[name for name in hand.seats if totals[name] == best]))
        return Finish(
            HandResult(hand.dealer, standing, titles.titles(options.titles, standing), ledger),
            society.seats_after(options, hand.seats, hierarchy),
            hierarchy,
            over,
            {"faults": count, "unchanged": unchanged},
            tuple(events),
        )

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """People come in where PRES-42 says, and go (PRES-44)."""
        match action:
            case Join():
                place = society.newcomer_place(match.options, len(match.hierarchy))
                hierarchy = (*match.hierarchy[:place], by, *match.hierarchy[place:])
                changed, events = joined(match, by, match.seats, hierarchy, self.newcomer_points(match))
            case Leave():
                changed, events = left(match, by)
                if by in (match.dealer, match.memory.get("heir")):
                    following = match.seats[(match.seats.index(by) + 1) % len(match.seats)]
                    changed = replace(changed, memory={**changed.memory, "heir": following})
            case _:
                raise RuleError("not_in_this_phase", "That belongs to a hand: wait for the deal.")
        seats = society.seats_after(match.options, changed.seats, changed.hierarchy)
        return replace(changed, seats=seats, memory={**changed.memory, "came_or_went": True}), events

    def table(self, hand: HandState) -> PresidentTable:
        """Besides what all climbing games show: the kept pile, talk in the middle, the deal by hand."""
        return shown.table(hand)

    def own(self, hand: HandState, player: str) -> PresidentOwn:
        """Besides what is owed: one's own offer, and a partner's cards and offer in collusion."""
        return shown.own(hand, player)


def _rules(hand: HandState) -> PresidentRules:
    assert isinstance(hand.rules, PresidentRules)
    return hand.rules


def _sorted(rules: PresidentRules, deal: Deal) -> dict[str, Cards]:
    return {name: tuple(sorted(held, key=rules.order)) for name, held in deal.cards.items()}
