"""President as a match plays it: who may play, deals, what a hand leaves behind, coming and going."""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.base.options import Declared, Options
from app.engine.cards.actions import Action, Bomb, Decree, Defy, Discard, Give, JoinMatch, LeaveMatch, Obey, Pass, Play
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.game import ClimbingGame, joined, left, with_ranks
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import State
from app.engine.display.events import MATCH_WON, Event
from app.engine.games.president import (
    forbidden_finish,
    house,
    opening,
    rank_powers,
    scoring,
    society,
    titles,
    trick,
    two_players,
    views,
)
from app.engine.games.president.combinations import beats, cards
from app.engine.games.president.views import PresidentOwn, PresidentTable
from app.engine.match.context import AnySociety, Society
from app.engine.match.hand import Deal, Finish, HandResult, HandStep

from .presets import BASICS, PRESETS
from .rules import PresidentRules, rules_of

MOST_WITH_ONE_PACK = 8


WAIT_FOR_THE_DEAL = Sentence("president.wait_for_the_deal", "That belongs to a hand: wait for the deal.")
TOO_FEW_TO_GIVE = Sentence(
    "president.too_few_to_give",
    "With {count} players somebody gets only {smallest} cards and could not give {largest}: "
    "fewer players, more cards or a smaller exchange.",
)


class President(ClimbingGame):
    """The game `president`."""

    key = "president"
    name = "President"
    sentence = "Get rid of your cards. First out is President, last out serves."
    also = (
        "Asshole, Arsehole, Scum, Bum, Capitalism, Janitor, Warlords and Scumbags, Rich Man Poor Man, Trouduc, "
        "Trou du cul, Arschloch, 大富豪, 大貧民, 大贫民"
    )
    declared = Declared(
        house.with_house_rules(
            (
                cards.SECTION,
                rank_powers.SECTION,
                beats.SECTION,
                trick.SECTION,
                opening.SECTION,
                forbidden_finish.SECTION,
                two_players.SECTION,
                society.SECTION,
                scoring.SECTION,
            )
        ),
        PRESETS,
        (*cards.CONFLICTS, *beats.CONFLICTS, *house.CONFLICTS, *scoring.CONFLICTS),
        scoring.ZERO_SUM,
        BASICS,
    )
    actions = frozenset((Play, Pass, Give, Discard, Bomb, *house.ACTIONS, Decree, Obey, Defy, JoinMatch, LeaveMatch))
    decrees = society.ORDERS

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """3 (or 2) to 8, with two packs to 16; a preset, or a house rule as a match begins, may ask for more."""
        preset, rules, fewest = self.declared.preset(options.preset), rules_of(options), two_players.fewest(options)
        if preset is not None and preset.players is not None:
            fewest = max(fewest, preset.players[0])
        if not begun:
            fewest = max([fewest, *(part.fewest for part in rules.parts)])
        return fewest, MOST_WITH_ONE_PACK * rules.faces.packs

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """`bad_player_count` if so many can't play, begin a match by its house rules, or pay the exchange."""
        super().check_players(options, count, begun=begun)
        wrong = () if begun else (part.wrong_number(count) for part in rules_of(options).parts)
        for because in filter(None, wrong):
            raise RuleError("bad_player_count", because)
        smallest = two_players.dealt(options, count, len(self.deck(options, count))) // count
        largest = max((max(pair) for pair in society.amounts(options, count)), default=0)
        if largest > smallest:
            raise RuleError(
                "bad_player_count",
                TOO_FEW_TO_GIVE(count=count, smallest=smallest, largest=largest),
            )

    def rules(self, options: Options) -> PresidentRules:
        """Made once for each set of options."""
        return rules_of(options)

    def no_memory(self) -> dict[str, object]:
        """What a hand begins with."""
        return {}

    def deck(self, options: Options, count: int) -> Cards:
        """The pack or packs, less what is taken out, with jokers."""
        return rules_of(options).faces.deck()

    def worth(self, options: Options, card: Card) -> float:
        """As in an exchange."""
        return rules_of(options).worth(card)

    def sizes(self, match: Society, total: int) -> int:
        """With two players some may stay out of the hand (PRES-86)."""
        return two_players.dealt(match.options, len(match.seats), total)

    def titles(self, match: Society) -> Mapping[str, str]:
        """By the hierarchy as it stands: people come and go, and landlords fall."""
        return titles.of(match.options, match.hierarchy)

    def first_points(self, options: Options) -> int:
        """The starting credit (PRES-46)."""
        return scoring.credit(options)

    def ranked(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """The hierarchy lasts from match to match, seats (PRES-32), exchange and all."""
        society_now = with_ranks(self, match, ranks)
        return society_now.but(seats=society.seats_after(match.options, match.seats, society_now.hierarchy))

    def newcomer_points(self, match: Society) -> int:
        """A newcomer begins with what PRES-92 says."""
        return scoring.newcomer(match)

    def dealer(self, match: Society) -> str:
        """Who deals the next hand (PRES-33)."""
        heir = match.memory.get("heir")
        return society.dealer(match.options, match.seats, match.hierarchy, match.dealer, heir)

    def begin(self, match: Society, deal: Deal) -> HandStep[HandState]:
        """Deal, and go on to the exchange or the first lead."""
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        hand: HandState = State(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards=dict(deal.cards) if match.hierarchy else _sorted(rules, deal),
            hierarchy=match.hierarchy,
            memory={},
        )
        for part in rules.parts:
            hand = part.begin(hand, match.memory)
        return rules.begin(hand)

    def set_aside(self, hand: HandState) -> Cards:
        """What house rules keep apart: the piles while they are dealt by hand."""
        return tuple(card for part in _rules(hand).parts for card in part.set_aside(hand))

    def unlisted(self, match: Society, hand: HandState | None) -> tuple[Action, ...]:
        """What house rules let anybody do at any time, such as touching the pile."""
        if hand is None or hand.phase == "over":
            return ()
        return _rules(hand).unlisted

    def finish(self, match: Society, hand: HandState) -> Finish:
        """Points, the new hierarchy and seats, and whether the match is over."""
        options, rules = match.options, _rules(hand)
        standing = rules.standing(hand)
        reasons = scoring.reasons(options, standing)
        result = HandResult.of(hand.dealer, standing, titles.of(options, standing), standing, reasons)
        finish = Finish(result, hand.seats, standing)
        for part in rules.parts:
            finish = part.finish(hand, finish)
        totals = {name: match.totals[name] + result.ledger[name] for name in hand.seats}
        over, events = scoring.is_over(options, totals, match.dealt), finish.events
        if over:
            best = max(totals.values())
            won = MATCH_WON(people=[name for name in hand.seats if totals[name] == best])
            events = (*events, won)
        seats = society.seats_after(options, hand.seats, finish.hierarchy)
        if seats != hand.seats and not over:
            events = (*events, society.SEATED_BY_RANK(cause=society.SEATING.id, people=list(seats)))
        return replace(finish, seats=seats, over=over, events=events)

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """People come in where PRES-42 says, and go (PRES-44)."""
        match action:
            case JoinMatch():
                place = society.newcomer_place(match.options, len(match.hierarchy))
                hierarchy = (*match.hierarchy[:place], by, *match.hierarchy[place:])
                changed, events = joined(match, by, match.seats, hierarchy, self.newcomer_points(match))
            case LeaveMatch():
                changed, events = left(match, by)
                if by in (match.dealer, match.memory.get("heir")):
                    following = match.seats[(match.seats.index(by) + 1) % len(match.seats)]
                    changed = changed.but(memory={**changed.memory, "heir": following})
            case _:
                raise RuleError("not_in_this_phase", WAIT_FOR_THE_DEAL())
        seats = society.seats_after(match.options, changed.seats, changed.hierarchy)
        return changed.but(seats=seats, memory={**changed.memory, "came_or_went": True}), events

    def table(self, hand: HandState) -> PresidentTable:
        """Besides what all climbing games show: the kept pile, talk in the middle, the deal by hand."""
        return views.table(hand)

    def own(self, hand: HandState, player: str) -> PresidentOwn:
        """Besides what is owed: one's own offer, and a partner's cards and offer in collusion."""
        return views.own(hand, player, _rules(hand).telling)

    def known_to(self, hand: HandState, player: str) -> HandState | None:
        """Without what house rules keep from this player."""
        known: HandState | None = hand
        for part in _rules(hand).parts:
            known = None if known is None else part.known_to(known, player)
        return known

    def open_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Whom a house rule has show this player their cards: a partner."""
        return tuple(name for part in _rules(hand).parts for name in part.open_to(hand, player))


def _rules(hand: HandState) -> PresidentRules:
    assert isinstance(hand.rules, PresidentRules)
    return hand.rules


def _sorted(rules: PresidentRules, deal: Deal) -> dict[str, Cards]:
    return {name: tuple(sorted(held, key=rules.order)) for name, held in deal.cards.items()}
