"""A match: a series of hands of the players at one table, with a hierarchy and a ledger that last.

`Match` is immutable. `begin_hand` starts a hand from a deal. `apply_action` and `apply_between_hands` apply one
action each. All return a `MatchTransition`, and none depends on hands before the current one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options
from app.engine.cards.actions import DECREE_ACTIONS, Action, Decree, JoinMatch, Obey
from app.engine.cards.cards import Cards
from app.engine.display.events import GameEvent, GameEventType
from app.engine.display.point_reasons import PointReason, point_reason
from app.engine.match.context import COME_AND_GO_BETWEEN_HANDS, MatchContext
from app.engine.match.game import AnyGame
from app.engine.match.hand import Deal, HandPhase, HandResult, Standing
from app.engine.match.rank_news import rank_change_events

NO_ORDERS_FOR = MessageTemplate("refused.no_orders_for", "You can’t give {name} a decree. {who}")


Phase: TypeAlias = Literal["between"] | HandPhase


class MatchTransition(Struct, frozen=True):
    """A match after an action or deal, and the events that happened, in order."""

    match: "Match"
    events: tuple[GameEvent, ...] = ()


DECREE_FOR_OTHERS = MessageTemplate(
    "refused.decree_for_others", "Address the decree to another player, or to everyone."
)
SITS_ALREADY = MessageTemplate("refused.sits_already", "A player called {name} already sits at the table.")
NO_DECREE_WAITS = MessageTemplate("refused.no_decree_waits", "No decree waits for your answer.")
NOBODY_OF_THIS_NAME = MessageTemplate("refused.nobody_of_this_name", "Nobody called {name} sits at the table.")
GAME_HAS_NO_SUCH_ACTION = MessageTemplate("refused.game_has_no_such_action", "{name} has no such action.")
NO_HAND = MessageTemplate("refused.no_hand", "No hand is being played. Wait for the next deal.")
HAND_NOT_OVER = MessageTemplate("refused.hand_not_over", "Wait until this hand is over.")
CREDIT = MessageTemplate("ledger.credit", "Starting points")
NAMES_OF_THEIR_OWN = MessageTemplate("refused.names_of_their_own", "Every player at the table needs a different name.")

DECREED = GameEventType(
    "decree",
    "{by} decrees: “{text}”",
    you="You decree: “{text}”",
    to="{by} decrees to {to}: “{text}”",
    you_to="You decree to {to}: “{text}”",
    to_you="{by} decrees to you: “{text}”",
    stood_out="decree",
)
OBEYED = GameEventType(
    "obeyed",
    "{by} obeys.",
    you="You obey.",
    text="{by} obeys the decree “{text}”",
    you_text="You obey the decree “{text}”",
    highlighted=True,
)
DEFIED = GameEventType(
    "defied",
    "{by} defies.",
    you="You defy the decree.",
    text="{by} defies the decree “{text}”",
    you_text="You defy the decree “{text}”",
    highlighted=True,
)


class Match(MatchContext, frozen=True, kw_only=True):
    """The state of a match, never changed: each action makes a new one. Create it with `Match.start`."""

    game: AnyGame
    happened: tuple[str, ...] = ()
    """Names of this hand's notable events so far, including those between hands before it."""
    unanswered: tuple[tuple[str, str], ...] = ()
    """Decrees that wait for an answer, as pairs of player and text; the oldest is answered first."""

    @classmethod
    def start(cls, game: AnyGame, options: Options, players: tuple[str, ...], ranks: tuple[str, ...] = ()) -> "Match":
        """Return a new match before its first hand, with the players' starting credits.

        `ranks` is the hierarchy of an earlier match, best first. It may contain other people and need not contain all
        players. Raises `RuleError`: `bad_player_count`, or `bad_action` if a name is empty or occurs twice.
        """
        if len(set(players)) != len(players) or not all(players):
            raise RuleError("bad_action", NAMES_OF_THEIR_OWN())
        game.check_players(options, len(players))
        credit = game.starting_credit(options)
        entered = tuple(point_reason(name, CREDIT(), credit, game.unit) for name in players if credit)
        points = dict.fromkeys(players, credit)
        return cls(options, players, points, entered=entered, game=game).with_previous_hierarchy(ranks)

    def with_previous_hierarchy(self, ranks: tuple[str, ...]) -> "Match":
        """Return a match before its first hand with an earlier match's hierarchy (`ranks`, best first).

        It is unchanged if `ranks` is empty, or if the game does not carry a hierarchy over.
        """
        return self.game.with_previous_hierarchy(self, ranks) if ranks else self

    @property
    def phase(self) -> Phase:
        """Return the phase of the match's hand (`deal`, `exchange`, `play`, `over`), or `between` without a hand."""
        return "between" if self.hand is None else self.hand.phase

    @property
    def shown_seats(self) -> tuple[str, ...]:
        """Return the players whose seats are shown: those of the running or finished hand, else those of the next."""
        return self.seats if self.hand is None else self.hand.seats

    @property
    def to_act(self) -> tuple[str, ...]:
        """Return the players who must act now in the match; empty unless a hand is running."""
        return () if self.hand is None or self.hand.phase == "over" else self.hand.to_act

    def deck(self) -> Cards:
        """Return every card of the match's next hand in a fixed order, to be shuffled."""
        return self.game.deck(self.options, len(self.seats))

    def deal(self, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """Deal a shuffled deck for the match's next hand, with this dealer or the one that the rules name.

        Returns the deal; `begin_hand` starts the hand with it.
        """
        return self.game.deal_cards(self, pack, seed, dealer)

    def begin_hand(self, deal: Deal) -> MatchTransition:
        """Start the match's next hand with this deal; return the match and the events.

        Raises `RuleError`: `not_in_this_phase` during a hand or after the match, `bad_player_count` if the number of
        seated players does not fit.
        """
        if self.is_hand_running or self.over:
            raise RuleError("not_in_this_phase", HAND_NOT_OVER())
        self.game.check_players(self.options, len(self.seats), begun=self.dealt > 0)
        step = self.game.begin_hand(self, deal)
        # Events between hands belong to the next hand. Those of a finished hand are in its result already.
        carried = self.happened if self.hand is None or self.hand.phase != "over" else ()
        begun = self.replace(hand=step.hand, dealt=self.dealt + 1, dealer=deal.dealer, happened=carried, entered=())
        return begun._finish_hand_if_over(step.events)

    def apply_action(self, by: str, action: Action, *, stored: bool = False) -> MatchTransition:
        """Return the match after an action in the running hand, or a decree at any time, with events.

        If the hand ends, its results are applied. Raises `RuleError` if the action is illegal. `stored`: the action
        comes from a stored match, whose rules accepted it.
        """
        try:
            return self._apply_action(by, action, stored=stored)
        except RuleError as error:
            error.set_default_rule(self.game.option_schema.basic_game_id)
            raise

    def _apply_action(self, by: str, action: Action, *, stored: bool) -> MatchTransition:
        self._check_player_and_action(by, action)
        if type(action) in DECREE_ACTIONS:
            return self._apply_decree_action(by, action)
        if not self.is_hand_running:
            raise RuleError("not_in_this_phase", NO_HAND())
        step = self.game.apply_action(self.current_hand, by, action, stored=stored)
        # The top player may change within a hand (PRES-41).
        return self.replace(hand=step.hand, hierarchy=step.hand.hierarchy)._finish_hand_if_over(step.events)

    def apply_between_hands(self, by: str, action: Action) -> MatchTransition:
        """Return the match after an action between hands, with events: joining, leaving, decrees, or the game's own.

        A finished hand is put away first. Raises `RuleError` if the action is illegal or a hand is running.
        """
        try:
            return self._apply_between_hands(by, action)
        except RuleError as error:
            error.set_default_rule(self.game.option_schema.basic_game_id)
            raise

    def _apply_between_hands(self, by: str, action: Action) -> MatchTransition:
        if self.is_hand_running:
            raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_HANDS())
        rested = self._without_finished_hand()
        if isinstance(action, JoinMatch):
            if by in rested.totals and by in rested.seats:
                raise RuleError("bad_action", SITS_ALREADY(name=by))
            if type(action) not in self.game.actions:
                raise RuleError(
                    "bad_action",
                    GAME_HAS_NO_SUCH_ACTION(name=TranslatableMessage(self.game.name, f"game.{self.game.key}", {})),
                )
        else:
            rested._check_player_and_action(by, action)
            if type(action) in DECREE_ACTIONS:
                return rested._apply_decree_action(by, action)
        match, events = self.game.apply_between_hands(rested, by, action)
        # Players who left, by any action, need not answer a decree.
        match = match.replace(unanswered=tuple(one for one in match.unanswered if one[0] in match.seats))
        return match._with_notable_events(events)

    def legal_actions(self, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Yield every legal action now, with its player: of all players who must act, or only of `by`.

        Actions are yielded lazily, as there may be very many. The result is empty between hands.
        """
        hand = self.hand
        return iter(()) if hand is None or hand.phase == "over" else self.game.legal_actions(hand, by)

    def legal_plays_of_cards(self, by: str, cards: Cards) -> Iterator[Action]:
        """Yield every legal action of a player with exactly these cards; none between hands."""
        return self.game.legal_plays_of_cards(self.current_hand, by, cards) if self.is_hand_running else iter(())

    def standing(self) -> Standing:
        """Return the players of the hand with a place so far, best first; for a finished hand, all of them.

        Those who share a place form a tuple. Empty without a hand.
        """
        if self.hand is None:
            return ()
        if self.hand.phase == "over" and self.last is not None:
            return self.last.standing
        return self.game.standing(self.hand)

    def provisional_result(self) -> HandResult:
        """Return the result of the running hand as if it ended here, without titles and points.

        It is stored for a hand that is stopped early.
        """
        return HandResult(self.dealer or "", self.standing(), {}, {}, self.happened)

    def decree_subjects(self, by: str) -> tuple[str, ...]:
        """Return the players to whom this player may send decrees (proclaimed texts) now, in order of seats.

        Empty if the player may send none, or the game has no decrees.
        """
        decrees = self.game.decree_rules(self.options)
        if decrees is None:
            return ()
        named = decrees.find_subjects(self.hierarchy, by)
        return tuple([name for name in self.seats if name in named])

    def next_decree_by_player(self) -> dict[str, str]:
        """Return for each player the oldest decree (proclaimed text) that waits for their answer.

        Players without one are left out.
        """
        return dict(reversed(self.unanswered))

    def winners(self) -> tuple[str, ...]:
        """Return the seated players with the most points once the match is over; () before."""
        if not self.over:
            return ()
        best = max(self.totals[name] for name in self.seats)
        return tuple(name for name in self.seats if self.totals[name] == best)

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON for storage, between hands; `from_json` reads it back. No hand may be running."""
        return {"game": self.game.key, "options": self.options.to_json(), **self.carryover_to_json()}

    def carryover_to_json(self) -> dict[str, Any]:
        """Return the match between hands as a record's `carried` stores it, to go on from there.

        It is like `to_json`, but without game and options. No hand may be running.
        """
        assert not self.is_hand_running, "a running hand is kept as its deal and its actions"
        last = self.last
        return {
            "seats": list(self.seats),
            "totals": dict(self.totals),
            "hierarchy": list(self.hierarchy),
            "dealt": self.dealt,
            "dealer": self.dealer,
            "happened": list(self._without_finished_hand().happened),
            "unanswered": [list(one) for one in self.unanswered],
            "over": self.over,
            "memory": dict(self.memory),
            "last": None if last is None else last.to_json(),
            "entered": [reason.to_json() for reason in self.entered],
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any], games: Mapping[str, AnyGame]) -> "Match":
        """Return the match that `to_json` wrote. `games`: all games by key."""
        game, last = games[saved["game"]], saved["last"]
        return cls(
            game=game,
            options=game.option_schema.resolve_options(saved["options"], already_accepted=True),
            seats=tuple(saved["seats"]),
            totals=saved["totals"],
            hierarchy=tuple(saved["hierarchy"]),
            dealt=saved["dealt"],
            dealer=saved["dealer"],
            happened=tuple(saved["happened"]),
            unanswered=tuple((name, text) for name, text in saved["unanswered"]),
            over=saved["over"],
            memory=saved["memory"],
            last=None if last is None else HandResult.from_json(last),
            entered=tuple(PointReason.from_json(each) for each in saved.get("entered", ())),
        )

    def _without_finished_hand(self) -> "Match":
        """Return the match with the finished hand and its events put away; unchanged without a hand."""
        if self.hand is None:
            return self
        return self.replace(hand=None, happened=())

    def _with_notable_events(self, events: tuple[GameEvent, ...]) -> MatchTransition:
        names = tuple([event.name for event in events if event.notable])
        return MatchTransition(self.replace(happened=self.happened + names) if names else self, events)

    def _finish_hand_if_over(self, events: tuple[GameEvent, ...]) -> MatchTransition:
        """Return the match and all events after an action: notable events are noted, and a finished hand is settled.

        Settling stores the result and whether the match is over, and adds the points. It changes hierarchy, seats and
        the game's memory. It reports players who are newly at the top or the bottom.
        """
        step = self._with_notable_events(events)
        if self.current_hand.phase != "over":
            return step
        match = step.match
        finish = self.game.finish_hand(match, match.current_hand)
        names = match.happened + tuple(event.name for event in finish.events if event.notable)
        result = replace(finish.result, events=names)
        totals = {name: match.totals.get(name, 0) + result.ledger.get(name, 0) for name in match.totals}
        match = match.replace(
            seats=finish.seats,
            hierarchy=finish.hierarchy,
            totals=totals,
            over=finish.over,
            memory=finish.memory,
            last=result,
            happened=names,
        )
        ranks = rank_change_events(
            match.current_hand.hierarchy, result.standing if finish.hierarchy else (), result.titles
        )
        return MatchTransition(match, (*step.events, *finish.events, *ranks))

    def _check_player_and_action(self, by: str, action: Action) -> None:
        if type(action) not in self.game.actions:
            raise RuleError(
                "bad_action",
                GAME_HAS_NO_SUCH_ACTION(name=TranslatableMessage(self.game.name, f"game.{self.game.key}", {})),
            )
        if by not in self.seats:
            raise RuleError("bad_action", NOBODY_OF_THIS_NAME(name=by))

    def _apply_decree_action(self, by: str, action: Action) -> MatchTransition:
        if isinstance(action, Decree):
            decrees = self.game.decree_rules(self.options)
            assert decrees is not None, "a game that knows the action says who may"
            subjects = self.decree_subjects(by)
            if not subjects:
                raise RuleError("not_in_this_phase", decrees.sentence, decrees.rule_id)
            if action.to is not None and (action.to not in self.seats or action.to == by):
                raise RuleError("bad_action", DECREE_FOR_OTHERS())
            if action.to is not None and action.to not in subjects:
                said = NO_ORDERS_FOR(name=action.to, who=decrees.sentence)
                raise RuleError("not_in_this_phase", said, decrees.rule_id)
            people = (action.to,) if action.to is not None else subjects
            event = DECREED(by, decrees.rule_id, text=action.text, to=action.to)
            waiting = (*self.unanswered, *((name, action.text) for name in people))
            return self.replace(unanswered=waiting)._with_notable_events((event,))
        text = self.next_decree_by_player().get(by)
        if text is None:
            raise RuleError("not_in_this_phase", NO_DECREE_WAITS())
        rest = list(self.unanswered)
        rest.remove((by, text))
        answered = (OBEYED if isinstance(action, Obey) else DEFIED)(by, text=text)
        return MatchTransition(self.replace(unanswered=tuple(rest)), (answered,))
