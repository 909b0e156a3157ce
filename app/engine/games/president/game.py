"""President as a game for a match: player counts, deals, results of a hand, joining and leaving."""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Options, OptionSchema
from app.engine.cards.actions import Action, Bomb, Decree, Defy, Discard, Give, JoinMatch, LeaveMatch, Obey, Pass, Play
from app.engine.cards.cards import Cards
from app.engine.climbing.game import ClimbingGame, add_player, remove_player, restore_hierarchy
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import MATCH_WON, GameEvent
from app.engine.display.table_display import Felt
from app.engine.games.president import (
    decrees,
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
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.game import DecreeRules
from app.engine.match.hand import Deal, HandConclusion, HandResult, HandTransition

from .presets import BASICS, PRESETS
from .questions import QUESTIONS
from .rules import PresidentRules, rules_of
from .short_rules import SHORT_RULES

MOST_WITH_ONE_PACK = 8


WAIT_FOR_THE_DEAL = MessageTemplate("president.wait_for_the_deal", "You can do that only in a hand. Wait for the deal.")
TOO_FEW_TO_GIVE = MessageTemplate(
    "president.too_few_to_give",
    "With {count} players, one gets only {smallest} cards but must give {largest}. Use fewer players "
    "or a smaller exchange.",
)


class President(ClimbingGame):
    """The game object of President: its options, deals, start and results of a hand, and views.

    It holds no state. House rules (`HouseRule`) can add to many of its answers.
    """

    key = "president"
    name = "President"
    sentence = "Get rid of all your cards. The first to finish becomes President; the last becomes Scum."
    also = (
        "Asshole, Arsehole, Scum, Bum, Capitalism, Janitor, Warlords and Scumbags, Rich Man Poor Man, Trouduc, "
        "Trou du cul, Arschloch, 大富豪, 大貧民, 大贫民"
    )
    felt: Felt = "green"
    option_schema = OptionSchema(
        house.add_house_rule_switches(
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
        SHORT_RULES,
        (*cards.CONFLICTS, *beats.CONFLICTS, *house.CONFLICTS, *scoring.CONFLICTS),
        scoring.ZERO_SUM,
        BASICS,
        QUESTIONS,
        "pagat.com",
    )
    actions = frozenset((Play, Pass, Give, Discard, Bomb, *house.ACTIONS, Decree, Obey, Defy, JoinMatch, LeaveMatch))

    def decree_rules(self, options: Options) -> DecreeRules:
        """Return President's rules about decrees, by an option (PRES-49)."""
        return decrees.decree_rules(options)

    def player_limits(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Return the fewest and most players of President: 3 (or 2) to 8, with two decks to 16.

        Presets and, unless the match has `begun`, house rules may require more.
        """
        preset, rules, fewest = (
            self.option_schema.find_preset(options.preset),
            rules_of(options),
            two_players.min_players(options),
        )
        if preset is not None and preset.players is not None:
            fewest = max(fewest, preset.players[0])
        if not begun:
            fewest = max([fewest, *(part.min_players for part in rules.parts)])
        return fewest, MOST_WITH_ONE_PACK * rules.card_meanings.packs

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """Raise `RuleError` (`bad_player_count`) unless this number of players can play President and pay the exchange.

        At the beginning of a match, house rules may add conditions.
        """
        super().check_players(options, count, begun=begun)
        wrong = () if begun else (part.player_count_error(count) for part in rules_of(options).parts)
        for because in filter(None, wrong):
            raise RuleError("bad_player_count", because)
        smallest = two_players.cards_to_deal(options, count, len(self.deck(options, count))) // count
        largest = max((max(pair) for pair in society.exchange_amounts(options, count)), default=0)
        if largest > smallest:
            raise RuleError(
                "bad_player_count",
                TOO_FEW_TO_GIVE(count=count, smallest=smallest, largest=largest),
            )

    def build_rules(self, options: Options) -> PresidentRules:
        """Return President's rules for these options, from a cache."""
        return rules_of(options)

    def initial_memory(self) -> dict[str, object]:
        """Return President's own state of a hand at its start: an empty memory.

        Each house rule in use keeps its part there.
        """
        return {}

    def dealt_card_count(self, match: MatchContext, total: int) -> int:
        """Return the number of dealt cards in President: all, except that two players may leave some out (PRES-86)."""
        return two_players.cards_to_deal(match.options, len(match.seats), total)

    def titles(self, match: MatchContext) -> Mapping[str, str]:
        """Return the titles of President's players by the current hierarchy.

        It changes when players join, leave or fall.
        """
        return titles.titles_for_options(match.options, match.hierarchy)

    def starting_credit(self, options: Options) -> int:
        """Return the points with which each player of President starts, by an option (PRES-46)."""
        return scoring.starting_points(options)

    def with_previous_hierarchy(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return a new match of President that goes on with an earlier hierarchy (`ranks`, best first).

        Players may also be seated by it (PRES-32).
        """
        society_now = restore_hierarchy(self, match, ranks)
        return society_now.replace(seats=society.seats_for_next_hand(match.options, match.seats, society_now.hierarchy))

    def newcomer_credit(self, match: MatchContext) -> int:
        """Return the points with which a newcomer joins a match of President, by an option (PRES-92)."""
        return scoring.newcomer_points(match)

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return the exchange and the lead of President's next hand by the hierarchy, as events; empty without one."""
        return rules_of(match.options).next_hand_events(match.hierarchy) if len(match.hierarchy) > 1 else ()

    def next_dealer(self, match: MatchContext) -> str:
        """Return the player who deals the next hand of President, by an option (PRES-33)."""
        heir = match.memory.get("heir")
        return society.next_dealer(match.options, match.seats, match.hierarchy, match.dealer, heir)

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[HandState]:
        """Start a hand of President with this deal; return it, in the exchange or before the first lead, with events.

        House rules may prepare it first. Raises `RuleError` for an impossible deal.
        """
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        hand: HandState = ClimbingHand(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards=dict(deal.cards) if match.hierarchy else _sort_dealt_cards(rules, deal),
            hierarchy=match.hierarchy,
            memory={},
        )
        for part in rules.parts:
            hand = part.prepare_hand(hand, match.memory)
        return rules.start_hand(hand)

    def unheld_cards(self, hand: HandState) -> Cards:
        """Return cards of President's deck that no player holds because a house rule set them aside.

        Such are the piles in a deal by hand, before players get them.
        """
        return tuple(card for part in _president_rules(hand).parts for card in part.cards_set_aside(hand))

    def off_turn_actions(self, match: MatchContext, hand: HandState | None) -> tuple[Action, ...]:
        """Return the actions that house rules of President allow at any time in a hand, such as touching the pile.

        They are not among the legal actions. The result is empty between hands.
        """
        if hand is None or hand.phase == "over":
            return ()
        return _president_rules(hand).off_turn_actions

    def finish_hand(self, match: MatchContext, hand: HandState) -> HandConclusion:
        """Return the results of a finished hand of President: points, the new hierarchy, and the seats.

        They also tell whether the match is over. House rules may change them.
        """
        options, rules = match.options, _president_rules(hand)
        standing = rules.standing(hand)
        reasons = scoring.point_reasons(options, standing)
        result = HandResult.from_reasons(
            hand.dealer, standing, titles.titles_for_options(options, standing), standing, reasons
        )
        finish = HandConclusion(result, hand.seats, standing)
        for part in rules.parts:
            finish = part.adjust_finish(hand, finish)
        totals = {name: match.totals[name] + result.ledger[name] for name in hand.seats}
        over, events = scoring.is_match_over(options, totals, match.dealt), finish.events
        if over:
            best = max(totals.values())
            won = MATCH_WON(people=[name for name in hand.seats if totals[name] == best])
            events = (*events, won)
        seats = society.seats_for_next_hand(options, hand.seats, finish.hierarchy)
        if seats != hand.seats and not over:
            events = (*events, society.SEATED_BY_RANK(cause=society.SEATING.id, people=list(seats)))
        return replace(finish, seats=seats, over=over, events=events)

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return a match of President after a player joined or left between hands, and the events.

        An option says at which place a newcomer enters (PRES-42). Seats may follow the hierarchy.
        """
        match action:
            case JoinMatch():
                place = society.newcomer_index(match.options, len(match.hierarchy))
                hierarchy = (*match.hierarchy[:place], by, *match.hierarchy[place:])
                changed, events = add_player(match, by, match.seats, hierarchy, self.newcomer_credit(match))
            case LeaveMatch():
                changed, events = remove_player(match, by)
                if by in (match.dealer, match.memory.get("heir")):
                    following = match.seats[(match.seats.index(by) + 1) % len(match.seats)]
                    changed = changed.replace(memory={**changed.memory, "heir": following})
            case _:
                raise RuleError("not_in_this_phase", WAIT_FOR_THE_DEAL())
        seats = society.seats_for_next_hand(match.options, changed.seats, changed.hierarchy)
        return changed.replace(seats=seats, memory={**changed.memory, "came_or_went": True}), events

    def table_view(self, hand: HandState) -> PresidentTable:
        """Return the public view of a hand of President, including what its house rules add."""
        return views.build_table_view(hand)

    def private_view(self, hand: HandState, player: str) -> PresidentOwn:
        """Return what only this player may know of a hand of President.

        That is gifts owed, and what house rules add, such as a partner's cards.
        """
        return views.build_own_view(hand, player, _president_rules(hand).rules_with_own_view)

    def without_secret_memory(self, hand: HandState, player: str) -> HandState | None:
        """Return the hand without the secrets that President's house rules keep from this player.

        Bots that search need it. None if a secret part can't be left out.
        """
        known: HandState | None = hand
        for part in _president_rules(hand).parts:
            known = None if known is None else part.redact_for_player(known, player)
        return known

    def players_showing_cards_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Return the players who show this player their cards by a house rule of President, such as a partner."""
        return tuple(name for part in _president_rules(hand).parts for name in part.players_visible_to(hand, player))


def _president_rules(hand: HandState) -> PresidentRules:
    assert isinstance(hand.rules, PresidentRules)
    return hand.rules


def _sort_dealt_cards(rules: PresidentRules, deal: Deal) -> dict[str, Cards]:
    return {name: tuple(sorted(held, key=rules.card_sort_key)) for name, held in deal.cards.items()}
