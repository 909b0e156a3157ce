"""A match: a series of hands among the people at one table, with a hierarchy and a ledger that last.

`Match` is a value. `begin` starts a hand from a deal, `act` and `between` take one action each; all give a `Step`,
and none of them looks further back than the hand that is running.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Options
from app.engine.cards.actions import ABOUT_DECREES, Action, Decree, JoinMatch, Obey
from app.engine.cards.cards import Cards
from app.engine.display.events import Event, EventType
from app.engine.display.point_reasons import Reason, because
from app.engine.match.context import COME_AND_GO_BETWEEN_HANDS, Society
from app.engine.match.game import AnyGame
from app.engine.match.hand import Deal, HandPhase, HandResult, Standing
from app.engine.match.rank_news import told_of_ranks

NO_ORDERS_FOR = Sentence("refused.no_orders_for", "You may not give {name} orders. {who}")


Phase: TypeAlias = Literal["between"] | HandPhase


class Step(Struct, frozen=True):
    """A match after something happened, and what happened, in order."""

    match: "Match"
    events: tuple[Event, ...] = ()


DECREE_FOR_OTHERS = Sentence("refused.decree_for_others", "A decree is for somebody else at the table, or for all.")
SITS_ALREADY = Sentence("refused.sits_already", "Somebody called {name} sits at the table already.")
NO_DECREE_WAITS = Sentence("refused.no_decree_waits", "No decree waits for your answer.")
NOBODY_OF_THIS_NAME = Sentence("refused.nobody_of_this_name", "Nobody called {name} sits at the table.")
GAME_HAS_NO_SUCH_ACTION = Sentence("refused.game_has_no_such_action", "{name} has no such action.")
NO_HAND = Sentence("refused.no_hand", "No hand is being played: wait for the next deal.")
HAND_NOT_OVER = Sentence("refused.hand_not_over", "The next hand begins when this one is over and the match goes on.")
CREDIT = Sentence("ledger.credit", "The credit to start with")
NAMES_OF_THEIR_OWN = Sentence("refused.names_of_their_own", "Everybody at the table needs a name of their own.")

DECREED = EventType(
    "decree",
    "{by} decrees: “{text}”",
    you="You decree: “{text}”",
    to="{by} decrees to {to}: “{text}”",
    you_to="You decree to {to}: “{text}”",
    to_you="{by} decrees to you: “{text}”",
    stood_out="decree",
)
OBEYED = EventType(
    "obeyed",
    "{by} obeys.",
    you="You obey.",
    text="{by} obeys: “{text}”",
    you_text="You obey: “{text}”",
    moment=True,
)
DEFIED = EventType(
    "defied",
    "{by} defies.",
    you="You defy the decree.",
    text="{by} defies: “{text}”",
    you_text="You defy: “{text}”",
    moment=True,
)


class Match(Society, frozen=True, kw_only=True):
    """The state of a match. Build one with `Match.start`."""

    game: AnyGame
    happened: tuple[str, ...] = ()
    """Names of the notable events of this hand so far, those between the hands before it included."""
    unanswered: tuple[tuple[str, str], ...] = ()
    """Who may still answer which decree, by name and text; the oldest is answered first."""

    @classmethod
    def start(cls, game: AnyGame, options: Options, players: tuple[str, ...], ranks: tuple[str, ...] = ()) -> "Match":
        """A match before its first hand; `bad_player_count` or `bad_action` (a name twice).

        `ranks` is the hierarchy from a match before, best first; it may name others, too, and need not name all.
        """
        if len(set(players)) != len(players) or not all(players):
            raise RuleError("bad_action", NAMES_OF_THEIR_OWN())
        game.check_players(options, len(players))
        credit = game.first_points(options)
        entered = tuple(because(name, CREDIT(), credit, game.unit) for name in players if credit)
        points = dict.fromkeys(players, credit)
        return cls(options, players, points, entered=entered, game=game).ranked(ranks)

    def ranked(self, ranks: tuple[str, ...]) -> "Match":
        """This match, which has not begun, with the hierarchy from a match before it, as its game lets it last."""
        return self.game.ranked(self, ranks) if ranks else self

    @property
    def phase(self) -> Phase:
        """`between` before a hand, then the hand's: `deal`, `exchange`, `play`, `over`."""
        return "between" if self.hand is None else self.hand.phase

    @property
    def at_table(self) -> tuple[str, ...]:
        """Everybody whose seat is shown: those of the hand, until it is put away."""
        return self.seats if self.hand is None else self.hand.seats

    @property
    def to_act(self) -> tuple[str, ...]:
        """Those whose action is awaited."""
        return () if self.hand is None or self.hand.phase == "over" else self.hand.to_act

    def deck(self) -> Cards:
        """Every card of the next hand in a fixed order, to be shuffled."""
        return self.game.deck(self.options, len(self.seats))

    def deal(self, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """A shuffled pack, dealt by whom (or by this dealer) and to whom the rules say."""
        return self.game.deal(self, pack, seed, dealer)

    def begin(self, deal: Deal) -> Step:
        """Start the next hand. `bad_player_count` if too many or too few are at the table now."""
        if self.running or self.over:
            raise RuleError("not_in_this_phase", HAND_NOT_OVER())
        self.game.check_players(self.options, len(self.seats), begun=self.dealt > 0)
        step = self.game.begin(self, deal)
        # What was done between hands belongs to the hand that follows: a finished hand's events are in its result.
        carried = self.happened if self.hand is None or self.hand.phase != "over" else ()
        begun = self.but(hand=step.hand, dealt=self.dealt + 1, dealer=deal.dealer, happened=carried, entered=())
        return begun._with(step.events)

    def act(self, by: str, action: Action) -> Step:
        """One action in the running hand (decrees at any time); `RuleError` if it is not legal, and nothing changes."""
        try:
            return self._act(by, action)
        except RuleError as error:
            error.put_under(self.game.declared.basic)
            raise

    def _act(self, by: str, action: Action) -> Step:
        self._check_known(by, action)
        if type(action) in ABOUT_DECREES:
            return self._decree(by, action)
        if not self.running:
            raise RuleError("not_in_this_phase", NO_HAND())
        step = self.game.apply(self.the_hand, by, action)
        # The top may fall within a hand (PRES-41).
        return self.but(hand=step.hand, hierarchy=step.hand.hierarchy)._with(step.events)

    def between(self, by: str, action: Action) -> Step:
        """Something done between hands: `join`, `leave`, decrees, and what a game adds."""
        try:
            return self._between(by, action)
        except RuleError as error:
            error.put_under(self.game.declared.basic)
            raise

    def _between(self, by: str, action: Action) -> Step:
        if self.running:
            raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_HANDS())
        rested = self._rested()
        if isinstance(action, JoinMatch):
            if by in rested.totals and by in rested.seats:
                raise RuleError("bad_action", SITS_ALREADY(name=by))
            if type(action) not in self.game.actions:
                raise RuleError(
                    "bad_action", GAME_HAS_NO_SUCH_ACTION(name=Said(self.game.name, f"game.{self.game.key}", {}))
                )
        else:
            rested._check_known(by, action)
            if type(action) in ABOUT_DECREES:
                return rested._decree(by, action)
        match, events = self.game.between(rested, by, action)
        # Who is gone, by whatever action, owes no answer to a decree.
        match = match.but(unanswered=tuple(one for one in match.unanswered if one[0] in match.seats))
        return match._noted(events)

    def legal(self, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Every legal action of those in `to_act` (or of one player), lazily: some hands have very many."""
        hand = self.hand
        return iter(()) if hand is None or hand.phase == "over" else self.game.legal(hand, by)

    def plays_of(self, by: str, cards: Cards) -> Iterator[Action]:
        """Every legal way in which a player may play exactly these cards now."""
        return self.game.plays_of(self.the_hand, by, cards) if self.running else iter(())

    def standing(self) -> Standing:
        """Of the hand that runs: who is out so far; of one that is over, the whole."""
        if self.hand is None:
            return ()
        if self.hand.phase == "over" and self.last is not None:
            return self.last.standing
        return self.game.standing(self.hand)

    def so_far(self) -> HandResult:
        """Of the hand that runs, as if it ended here: nobody has a title or points for it."""
        return HandResult(self.dealer or "", self.standing(), {}, {}, self.happened)

    def subjects(self, by: str) -> tuple[str, ...]:
        """Those to whom this player may give orders now, in order of seats."""
        if self.game.decrees is None:
            return ()
        named = self.game.decrees.subjects(self.hierarchy, by)
        return tuple([name for name in self.seats if name in named])

    def decreed(self) -> dict[str, str]:
        """The decree that each person may answer next, by name."""
        return dict(reversed(self.unanswered))

    def winners(self) -> tuple[str, ...]:
        """Those with most points among the people still at the table, once the match is over."""
        if not self.over:
            return ()
        best = max(self.totals[name] for name in self.seats)
        return tuple(name for name in self.seats if self.totals[name] == best)

    def save(self) -> dict[str, Any]:
        """This match as JSON, between hands, under the names of its fields; `load` reads it back."""
        return {"game": self.game.key, "options": self.options.to_json(), **self.carried()}

    def carried(self) -> dict[str, Any]:
        """What a record's `carried` says of this match, between hands: as `save`, but for what a record says itself."""
        assert not self.running, "a running hand is kept as its deal and its actions"
        last = self.last
        return {
            "seats": list(self.seats),
            "totals": dict(self.totals),
            "hierarchy": list(self.hierarchy),
            "dealt": self.dealt,
            "dealer": self.dealer,
            "happened": list(self._rested().happened),
            "unanswered": [list(one) for one in self.unanswered],
            "over": self.over,
            "memory": dict(self.memory),
            "last": None if last is None else last.to_json(),
            "entered": [reason.to_json() for reason in self.entered],
        }

    @classmethod
    def load(cls, saved: Mapping[str, Any], games: Mapping[str, AnyGame]) -> "Match":
        """A match from what `save` gave."""
        game, last = games[saved["game"]], saved["last"]
        return cls(
            game=game,
            options=game.declared.resolve(saved["options"], kept=True),
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
            entered=tuple(Reason.from_json(each) for each in saved.get("entered", ())),
        )

    def _rested(self) -> "Match":
        """Between hands, with a clean sheet for what happens before the next one."""
        if self.hand is None:
            return self
        return self.but(hand=None, happened=())

    def _noted(self, events: tuple[Event, ...]) -> Step:
        names = tuple([event.name for event in events if event.notable])
        return Step(self.but(happened=self.happened + names) if names else self, events)

    def _with(self, events: tuple[Event, ...]) -> Step:
        """Note what happened in a hand, and close the books when it is over."""
        step = self._noted(events)
        if self.the_hand.phase != "over":
            return step
        match = step.match
        finish = self.game.finish(match, match.the_hand)
        names = match.happened + tuple(event.name for event in finish.events if event.notable)
        result = replace(finish.result, events=names)
        totals = {name: match.totals.get(name, 0) + result.ledger.get(name, 0) for name in match.totals}
        match = match.but(
            seats=finish.seats,
            hierarchy=finish.hierarchy,
            totals=totals,
            over=finish.over,
            memory=finish.memory,
            last=result,
            happened=names,
        )
        ranks = told_of_ranks(match.the_hand.hierarchy, result.standing if finish.hierarchy else (), result.titles)
        return Step(match, (*step.events, *finish.events, *ranks))

    def _check_known(self, by: str, action: Action) -> None:
        if type(action) not in self.game.actions:
            raise RuleError(
                "bad_action", GAME_HAS_NO_SUCH_ACTION(name=Said(self.game.name, f"game.{self.game.key}", {}))
            )
        if by not in self.seats:
            raise RuleError("bad_action", NOBODY_OF_THIS_NAME(name=by))

    def _decree(self, by: str, action: Action) -> Step:
        if isinstance(action, Decree):
            decrees = self.game.decrees
            assert decrees is not None, "a game that knows the action says who may"
            subjects = self.subjects(by)
            if not subjects:
                raise RuleError("not_in_this_phase", decrees.sentence, decrees.cause)
            if action.to is not None and (action.to not in self.seats or action.to == by):
                raise RuleError("bad_action", DECREE_FOR_OTHERS())
            if action.to is not None and action.to not in subjects:
                said = NO_ORDERS_FOR(name=action.to, who=decrees.sentence)
                raise RuleError("not_in_this_phase", said, decrees.cause)
            people = (action.to,) if action.to is not None else subjects
            event = DECREED(by, decrees.cause, text=action.text, to=action.to)
            waiting = (*self.unanswered, *((name, action.text) for name in people))
            return self.but(unanswered=waiting)._noted((event,))
        text = self.decreed().get(by)
        if text is None:
            raise RuleError("not_in_this_phase", NO_DECREE_WAITS())
        rest = list(self.unanswered)
        rest.remove((by, text))
        answered = (OBEYED if isinstance(action, Obey) else DEFIED)(by, text=text)
        return Step(self.but(unanswered=tuple(rest)), (answered,))
