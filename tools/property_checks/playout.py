"""Play a match of any game with random legal actions, and check every position on the way.

All random choices come from a `Random`. Checks of a whole match are in matches.py.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from app.arena.random_rules import PLAYER_NAMES, random_options, random_player_count
from app.bots import BOTS, OUT_OF_TURN_PLAYS, SEARCHING_BOTS
from app.bots.search import search_bot
from app.bots.search.monte_carlo import Budget
from app.bots.view.seat_view import view_of
from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import Action, Decree, Defy, JoinMatch, LeaveMatch, Obey, Play, cards_in_action
from app.engine.cards.cards import Card, Cards, format_cards
from app.engine.climbing.state import ClimbingHand
from app.engine.display.events import GameEvent
from app.engine.display.point_reasons import PointReason
from app.engine.match import record, views
from app.engine.match.game import AnyGame
from app.engine.match.hand import Deal, HandResult
from app.engine.match.hidden_state import build_seat_knowledge
from app.engine.match.match import Match, MatchTransition

from .error_messages import RefusalStats, check_refusals, refused_actions
from .errors import PropertyViolation
from .exchange_leaks import check_exchange
from .information_leaks import check_hidden_state, check_no_leak
from .random_actions import complete_action, is_accepted
from .worker_jobs import check_search_job

BY_BOTS = 0.1
"""Probability that a bot chooses the next action from its seat's view. Its choice must be legal."""
THINKS, SMALL = 0.05, Budget(worlds=2)
"""Probability that this bot is a hard bot, and its budget. A search takes the time of about 50 other choices."""
PATIENCE = 500
"""Number of actions in a hand after which players always choose the play with the most cards."""
CARRIED = 0.3
"""Probability that players start with ranks from an earlier match."""
MOST_ACTIONS = 3000
"""Largest number of actions in a hand; a longer hand counts as endless."""


@dataclass
class Playout:
    """A match that is played at random with checks of every position; it also collects the record.

    `hand_records` are the record's hands, and `start` its other parts. `hand_events`, `dealt` and `actions_in_hand` are
    those of the latest hand, and `match_before_hand` the match before its deal. `actions` counts all actions. The
    fields `…_rate` are probabilities, for each action, of expensive checks. `refusal_stats` counts the refusals
    checked.

    A random player chooses from at most `max_listed_actions` legal actions. `extra_reasons` are points added outside
    hands. `ranks` is the hierarchy of an earlier match, best first. Subclasses can choose deals and actions and add
    checks.
    """

    match: Match
    rng: Random
    hand_records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    actions: int = 0
    start: dict[str, Any] = field(default_factory=dict[str, Any])
    hand_events: list[GameEvent] = field(default_factory=list[GameEvent])
    """Events so far of the running hand, or of the last hand."""
    dealt: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    """The dealt cards of the running hand, or of the last hand, by player."""
    match_before_hand: Match = field(init=False)
    """The match just before the latest deal."""
    max_listed_actions: int = 60
    """Largest number of legal actions from which a random player chooses, because some positions have thousands."""
    refusal_check_rate: float = 0.002
    """Probability, per action, of checking that refusals are true."""
    cost_check_rate: float = 0.02
    """Probability, per action, of checking the cost of refusals."""
    refusal_stats: RefusalStats = field(default_factory=RefusalStats)
    """Counts of the refusals checked so far."""
    leak_check_rate: float = 0.02
    """Probability, per action, of checking that listed actions are accepted and hidden cards don't leak."""
    extra_reasons: list[PointReason] = field(default_factory=list[PointReason])
    """Points added to totals outside hands, such as credits."""
    _ended: list[HandResult] = field(default_factory=list[HandResult])
    ranks: tuple[str, ...] = ()
    """Players in the hierarchy of an earlier match, best first."""
    actions_in_hand: int = 0
    """Number of actions so far in the running hand."""
    options_changed: ClassVar[tuple[int, ...]] = (0, 1, 2, 4, 8, 30)
    """Possible numbers of options that differ from a preset."""

    def __post_init__(self) -> None:
        self.match_before_hand = self.match

    @classmethod
    def random_match(cls, game: AnyGame, rng: Random) -> Self:
        """Create a playout (random play with checks) of a game with random options and players.

        Sometimes it goes on with a random hierarchy of an earlier match.
        """
        while True:
            options = random_options(game, rng, cls.options_changed)
            count = random_player_count(game, options, rng)
            if count is not None:
                ranks = rng.sample(PLAYER_NAMES[:count], rng.randint(1, count)) if rng.random() < CARRIED else ()
                return cls.for_match(Match.start(game, options, PLAYER_NAMES[:count]), rng, tuple(ranks))

    @classmethod
    def for_match(cls, match: Match, rng: Random, ranks: tuple[str, ...] = ()) -> Self:
        """Create a playout (random play with checks) of a match that has not begun.

        `ranks`: hierarchy of an earlier match, best first.
        """
        start = {
            "format": record.FORMAT,
            "game": match.game.key,
            "options": match.options.to_json(),
            "players": list(match.seats),
        }
        return cls(match.with_previous_hierarchy(ranks), rng, start=start, ranks=ranks)

    def record(self) -> dict[str, Any]:
        """Return the record of the random match so far: `format`, `game`, `options`, `players` and `hands`."""
        return {**self.start, "hands": self.hand_records}

    def results(self) -> list[HandResult]:
        """Return the results of the match's hands so far. The last may still change when a player leaves after it."""
        last = self.match.last
        return [*self._ended, last] if last is not None else []

    # Hooks for subclasses --------------------------------------------------------------------------------------------

    def next_deal(self) -> Deal:
        """Return the deal of the random match's next hand: a shuffled deck, dealt by the rules.

        Subclasses may choose.
        """
        pack = list(self.match.deck())
        self.rng.shuffle(pack)
        return self.match.deal(tuple(pack), self.rng.randrange(1 << 30))

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Choose one of the legal actions at random; they are listed simplest first.

        Subclasses may choose otherwise.
        """
        return self.rng.choice(legal)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        """Check the position and the events after a step of a hand; does nothing unless a subclass overrides it."""

    def on_hand_end(self) -> None:
        """Check the result of a hand; does nothing unless a subclass overrides it."""

    # One hand --------------------------------------------------------------------------------------------------------

    def play_hand(self, *, come_and_go: bool = True, check: bool = True) -> None:
        """Play one hand of the random match to its end, with checks if `check`, and add it to the record.

        `come_and_go`: players may act, join and leave before the hand. Raises `PropertyViolation` if a check fails.
        """
        between = list(self._actions_between_hands()) if come_and_go and self.hand_records else []
        deal = self.next_deal()
        element = deal.to_json() | ({"between": between} if between else {})
        if self.ranks and not self.hand_records:
            element["ranks"] = list(self.ranks)
        actions: list[dict[str, Any]] = []
        self.hand_records.append(element | {"actions": actions})
        if self.match.last is not None:
            self._ended.append(self.match.last)
        self.extra_reasons += self.match.entered
        self.match_before_hand, self.hand_events, self.actions_in_hand, self.dealt = self.match, [], 0, deal.cards
        self._apply_step(self.match.begin_hand(deal))
        if check:
            check_exchange(self.match_before_hand, deal, Random(self.actions))
        began_with = Counter(self.match.game.all_cards(self.match.current_hand))
        while self.match.is_hand_running:
            if self.actions_in_hand > MOST_ACTIONS:
                raise PropertyViolation("the hand does not end")
            if self.rng.random() < self.refusal_check_rate:
                check_refusals(self.match, self.rng, self.refusal_stats)
            if self.rng.random() < self.cost_check_rate:
                self.check_refusal_costs()
            by, action = self._next_action()
            if check and self.rng.random() < self.leak_check_rate:
                self._check_legal_is_accepted()
                check_no_leak(self.match, self.hand_events, by, action, self.rng)
                self.check_hidden_state()
            actions.append(action_to_json(action, by))
            self.actions_in_hand += 1
            self._apply_step(self.match.apply_action(by, action))
            if check:
                check_cards(self.match, began_with)
        if check:
            check_views(self.match)
            check_announcement(self.match_before_hand, self.hand_events)
        self.on_hand_end()

    def _apply_step(self, step: MatchTransition) -> None:
        self.match = step.match
        self.actions += 1
        self.hand_events += step.events
        self.on_step(step.events)

    def _next_action(self) -> tuple[str, Action]:
        match, rng = self.match, self.rng
        extra = self._action_at_any_time() if rng.random() < 0.02 else None
        if extra is not None:
            return extra
        legal = list(islice(match.legal_actions(), self.max_listed_actions))
        if not legal:
            raise PropertyViolation(f"nobody can act: {match.phase}, {match.to_act}")
        if rng.random() < BY_BOTS:
            eager = match.game.possible_interrupters(match.current_hand)
            by = rng.choice([*match.to_act, *eager])
            chosen = self._bot_action(by)
            if chosen is not None:
                return by, parse_action(chosen)
        plays = [one for one in legal if isinstance(one[1], Play)]
        if plays and self.actions_in_hand > PATIENCE:
            # If players draw cards when they pass, random play may never end; so play cards here.
            by, action = max(plays, key=lambda one: len(cards_in_action(one[1])))
        else:
            by, action = self.choose_action(legal)
        return by, complete_action(match, by, action, rng)

    def _bot_action(self, by: str) -> dict[str, Any] | None:
        match, rng, told = self.match, self.rng, views.visible_events(self.hand_events, by)
        view = view_of(match, by, told, self.dealt.get(by, ()))
        if by not in match.to_act:
            return rng.choice(list(OUT_OF_TURN_PLAYS.values()))(view, rng)
        if rng.random() < THINKS:
            return search_bot.choose({**view, "veiled": build_seat_knowledge(match, by, told)}, rng, SMALL)
        return BOTS[rng.choice([kind for kind in BOTS if kind not in SEARCHING_BOTS])](view, rng)

    def _action_at_any_time(self) -> tuple[str, Action] | None:
        """Return a random action that is legal now although nobody waits for it, with its player. Else return None."""
        match, rng = self.match, self.rng
        anything: list[Action] = [*match.game.off_turn_actions(match, match.hand), Obey(), Defy()]
        anything.append(Decree("Fetch the snacks", rng.choice([None, *match.hierarchy[-1:]])))
        for action in rng.sample(anything, len(anything)):
            for by in rng.sample(match.seats, len(match.seats)):
                asked = complete_action(match, by, action, rng)
                if type(action) in match.game.actions and is_accepted(match, by, asked):
                    return by, asked
        return None

    def _actions_between_hands(self) -> Iterator[dict[str, Any]]:
        """Do random actions between hands, and yield them for the record.

        Players join and leave only if the next hand can be dealt.
        """
        while self.rng.random() < 0.2:
            match, rng = self.match, self.rng
            away = [name for name in PLAYER_NAMES if name not in match.seats]
            tries: list[tuple[str, Action]] = [(rng.choice(match.seats), LeaveMatch())]
            tries += [(rng.choice(away), JoinMatch())] if away else []
            extra = self._action_at_any_time()
            tries += [extra] if extra is not None else []
            by, action = rng.choice(tries)
            try:
                step = match.apply_between_hands(by, action)
                step.match.game.check_players(step.match.options, len(step.match.seats), begun=True)
            except RuleError:
                continue
            if not step.match.over:
                self.match = step.match
                yield action_to_json(action, by)

    def check_refusal_costs(self) -> None:
        """Try risky actions; raise `ExpensiveRefusal` if a refusal examines too many combinations.

        It uses its own random numbers, so the rest of the playout stays the same.
        """
        for _ in refused_actions(self.match, Random(self.actions), self.refusal_stats):
            pass

    def check_hidden_state(self) -> None:
        """Check that a random player's `SeatKnowledge` and search job, which bots use, leak no hidden cards.

        Raises `PropertyViolation` otherwise.
        """
        match, viewer = self.match, self.rng.choice(self.match.current_hand.seats)
        dealt = self.dealt.get(viewer, ())
        check_hidden_state(match, self.hand_events, match.game.cards_seen_at_deal(dealt), viewer, self.rng)
        check_search_job(match, self.hand_events, dealt, viewer, self.rng)

    def _check_legal_is_accepted(self) -> None:
        for by, action in islice(self.match.legal_actions(), self.max_listed_actions):
            if not is_accepted(self.match, by, complete_action(self.match, by, action, self.rng)):
                raise PropertyViolation(f"listed as legal, but refused: {by} {action_to_json(action)}")


def check_cards(match: Match, began_with: Counter[Card]) -> None:
    """Check that every card of the deal is in exactly one place; raise `PropertyViolation` otherwise.

    In games other than climbing games, cards may be turned up and leave the hand, so only extra cards are errors.
    `began_with` counts the cards of the deal.
    """
    there = Counter(match.game.all_cards(match.current_hand))
    complete = there == began_with or not isinstance(match.hand, ClimbingHand)
    if there - began_with or not complete:
        raise PropertyViolation(f"cards lost {began_with - there}, cards too many {there - began_with}")


def check_announcement(before: Match, events: list[GameEvent]) -> None:
    """Check that a hand began as announced before its deal; raise `PropertyViolation` otherwise.

    `events` are those of the whole hand. A hand that ended before its lead has neither gifts nor a lead to compare.
    """
    gave = [(event.by, event.data["to"], event.data["count"]) for event in events if event.name == "gave"]
    leader = next((event.by for event in events if event.name == "leads"), None)
    if leader is None:
        return
    for event in before.game.next_hand_events(before):
        is_gift = event.name == "will_exchange"
        if is_gift and (event.by, event.data["to"], event.data["count"]) not in gave:
            raise PropertyViolation(f"announced, but not given: {event.to_json()}")
        if event.name == "leads" and leader != event.by:
            raise PropertyViolation(f"{event.by} was announced as leader, but {leader} leads")


def check_views(match: Match) -> None:
    """Check that all players see their own cards, and that the table shows the number of cards that each holds.

    Raises `PropertyViolation` otherwise.
    """
    table = views.table_view(match)
    for name in match.current_hand.seats:
        held = match.current_hand.cards.get(name, ())
        if views.seat_view(match, name)["cards"] != format_cards(held):
            raise PropertyViolation(f"{name} does not see their own cards")
        if table["players"][name]["cards"] != len(held):
            raise PropertyViolation(f"the table miscounts the cards of {name}")
