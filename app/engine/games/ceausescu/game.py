"""Ceausescu as a `Game`: start and results of a hand, joining and leaving, and views."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from app.engine.base.options import Options, OptionSchema
from app.engine.cards.actions import Action, Cut, Decree, Defy, GrantLeave, Obey, RefuseLeave, RequestLeave
from app.engine.cards.cards import Cards
from app.engine.climbing.exchange import announce_gifts
from app.engine.climbing.game import ClimbingGame, restore_hierarchy
from app.engine.climbing.hand import announce_lead, begin_play, continue_exchange
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import DEALT, GameEvent
from app.engine.display.table_display import Felt
from app.engine.games.ceausescu.hand_memory import CeausescuMemory
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.game import DecreeRules
from app.engine.match.hand import Deal, HandConclusion, HandResult, HandTransition

from . import bombs, patterns, presets, society
from .questions import QUESTIONS
from .rules import CeausescuRules, rules_of
from .short_rules import SHORT_RULES

DECLARED = OptionSchema(
    sections=(patterns.SECTION, bombs.SECTION, society.LEADS, society.SECTION),
    presets=presets.PRESETS,
    short_rules=SHORT_RULES,
    zero_sum=society.ZERO_SUM,
    basics=presets.BASICS,
    questions=QUESTIONS,
    source="the rules sheet of Ceausescu",
)


class LeaveRequestView(TypedDict):
    """State between hands."""

    asks_leave: Annotated[str | None, "Between hands: the serf who has asked to leave and has no answer yet (CEAU-26)."]


class Ceausescu(ClimbingGame):
    """The game object of Ceausescu: its options, deals, start and results of a hand, and views. It holds no state."""

    key = "ceausescu"
    name = "Ceausescu"
    sentence = "Like President, with pairs in a row, flushes, bombs and missiles. One fixed set of rules."
    also = "Ceaușescu"
    felt: Felt = "plum"
    limits = 2, 8
    option_schema = DECLARED
    actions = ClimbingGame.actions | {RequestLeave, GrantLeave, RefuseLeave, Cut, Decree, Obey, Defy}

    def decree_rules(self, options: Options) -> DecreeRules:
        """Return the rules about decrees in Ceausescu: only the king gives them."""
        return society.KING_DECREES

    def build_rules(self, options: Options) -> CeausescuRules:
        """Return Ceausescu's rules for these options, from a cache."""
        return rules_of(options)

    def initial_memory(self) -> CeausescuMemory:
        """Return Ceausescu's own state of a hand at its start: nobody has been crowned king yet."""
        return CeausescuMemory()

    def deck(self, options: Options, count: int) -> Cards:
        """Return the deck of Ceausescu: one deck with both jokers, for any number of players."""
        return society.PACK

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards in Ceausescu: all, or 17 each for two players (CEAU-24)."""
        return 34 if len(match.seats) == 2 else total

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return the exchange of Ceausescu's next hand and its lead by the serf (ranked last), as events.

        The result is empty without a hierarchy of two players.
        """
        if len(match.hierarchy) < 2:
            return ()
        gifts = rules_of(match.options).build_gifts(match.hierarchy)
        return (*announce_gifts(gifts), announce_lead(match.hierarchy[-1], match.hierarchy))

    def with_previous_hierarchy(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return a new match of Ceausescu that goes on with an earlier hierarchy: the king stays king, the serf pays.

        `ranks` lists the players, best first.
        """
        return restore_hierarchy(self, match, ranks)

    def titles(self, match: MatchContext) -> Mapping[str, str]:
        """Return the titles of Ceausescu's players, such as king and serf, by the current hierarchy.

        Newcomers have a title, too.
        """
        return rules_of(match.options).titles_by_player(match.hierarchy)

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[HandState]:
        """Start a hand of Ceausescu: with a hierarchy, the exchange, after which the serf (ranked last) leads.

        Else the holder of the 3♣ leads; if nobody was dealt it, `first_leader` finds the leader. Raises `RuleError` for
        an impossible deal.
        """
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        hand = ClimbingHand(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: patterns.ordered(deal.cards[name]) for name in match.seats},
            hierarchy=match.hierarchy,
            memory=CeausescuMemory(),
        )
        dealt = DEALT(deal.dealer)
        if not hand.hierarchy:
            return begin_play(hand, society.first_leader(hand.cards), (dealt,))
        exchange = society.build_exchange(rules.build_gifts(hand.hierarchy), hand.cards)
        return continue_exchange(hand.replace(exchange=exchange), (dealt,))

    def off_turn_actions(self, match: MatchContext, hand: HandState | None) -> tuple[Action, ...]:
        """Return the actions of Ceausescu's players between hands: ask to leave, answer, and cut the deck at any place.

        The result is empty during a hand.
        """
        return () if match.is_hand_running else (RequestLeave(), GrantLeave(), RefuseLeave(), Cut(0))

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand of Ceausescu: the order of players is the new hierarchy.

        The first player wins a point, the last loses one. The match never ends by itself. An event tells if king and
        serf have changed places.
        """
        standing = self.standing(hand)
        first, last = standing[0], standing[-1]
        events: tuple[GameEvent, ...] = ()
        if hand.hierarchy and (first, last) == (hand.hierarchy[-1], hand.hierarchy[0]):
            events = (society.SERF_HAS_WON(first, society.CEAUSESCU.id, fallen=last),)
        reasons = society.reign_reasons(first, last)
        titles = rules_of(match.options).titles_by_player(standing)
        result = HandResult.from_reasons(hand.dealer, standing, titles, hand.seats, reasons)
        return HandConclusion(result, hand.seats, standing, events=events)

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return the match after an action between hands of Ceausescu, and the events.

        These are joining, leaving, asking for leave, the king's answer and the king's cut; others raise `RuleError`.
        """
        return society.apply_action_between_hands(match, by, action)

    def between_hands_view(self, match: MatchContext) -> LeaveRequestView:
        """Return, for the public view, the serf who waits for the king's answer to a request to leave, or None.

        The serf is the player ranked last.
        """
        return {"asks_leave": society.find_leave_request(match)}
