"""Record files: a whole match as JSON, and the one fold that replays it.

`replay(record, games)` plays a record with the same code that runs a room and gives what `python -m app replay` prints;
`outcome` wraps it for data that may be anything. The history pages watch the same fold, moment by moment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from .actions import Action, Decree, Defy, Obey, action_json, parse_action
from .cards import parse_cards, show
from .errors import RuleError
from .game import Deal, Game, HandResult
from .match import Match, Step
from .shuffling import shuffled

FORMAT = "climbing-record/1"


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a replay: the deal (`action` None) or an action, where it stands, and the match after it."""

    hand: int
    place: int | None
    between: bool
    by: str | None
    action: Action | None
    step: Step


@dataclass(frozen=True, slots=True)
class Wrong:
    """Where a record goes wrong: an illegal action (`place`), or a hand as such."""

    hand: int
    place: int | None
    between: bool
    error: RuleError

    def to_json(self) -> dict[str, Any]:
        """The `error` of a replay."""
        out: dict[str, Any] = {"hand": self.hand}
        if self.place is not None:
            out["between" if self.between else "action"] = self.place
        return out | {"code": self.error.code, "message": self.error.sentence}


class Unusable(Exception):
    """A file that can't be replayed at all (exit status 2)."""

    def __init__(self, error: RuleError, **where: int) -> None:
        super().__init__(error.sentence)
        self.error = error
        self.where = where

    def to_json(self) -> dict[str, Any]:
        """What the replay prints for such a file: `ok` and `error` alone."""
        return {"ok": False, "error": {**self.where, "code": self.error.code, "message": self.error.sentence}}


def outcome(value: object, games: Mapping[str, Game]) -> tuple[dict[str, Any], int]:
    """What replaying some JSON value gives, and the exit status: 0 all legal, 1 an illegal action, 2 unusable."""
    try:
        result = replay(value, games)
    except Unusable as unusable:
        return unusable.to_json(), 2
    return result, 0 if result["ok"] else 1


def replay(value: object, games: Mapping[str, Game], watch: Callable[[Moment], None] | None = None) -> dict[str, Any]:
    """Replay a record and tell how it ends. `Unusable` if it can't be; `watch` sees every step."""
    folding = _Folding(value, games, watch or (lambda _: None))
    wrong = folding.run()
    return {
        "ok": wrong is None,
        "error": None if wrong is None else wrong.to_json(),
        "hands": folding.hands(),
        "totals": dict(folding.match.totals),
        "match_over": folding.match.over,
        "state": state(folding.match, between=folding.resting),
    }


def state(match: Match, *, between: bool = False) -> dict[str, Any]:
    """The position reached, as a record's replay tells it."""
    hand = match.hand
    if hand is None or between:
        lasting = match.game.lasting(match)
        return {"phase": "between", "to_act": [], "table": None, "cards": {}, "passed": [], "legal": [], **lasting}
    several = len(match.to_act) > 1
    turn = match.to_act[0] if match.to_act else None
    return {
        "phase": match.phase,
        "to_act": list(match.to_act),
        "cards": {name: show(hand.cards.get(name, ())) for name in hand.seats},
        "legal": [action_json(action, by if several or by != turn else None) for by, action in match.legal()],
        **match.game.state(hand),
    }


def _bad(sentence: str, **where: int) -> Unusable:
    return Unusable(RuleError("bad_record", sentence), **where)


class _Folding:
    """One replay under way."""

    def __init__(self, value: object, games: Mapping[str, Game], watch: Callable[[Moment], None]) -> None:
        if not isinstance(value, dict):
            raise _bad("A record is a JSON object.")
        record = cast("dict[str, Any]", value)
        if record.get("format") != FORMAT:
            raise _bad(f"The format of a record is “{FORMAT}”.")
        game = games.get(key) if isinstance(key := record.get("game"), str) else None
        if game is None:
            raise _bad(f"The game of a record is one of: {', '.join(games)}.")
        players: Any = record.get("players")
        elements: Any = record.get("hands", [])
        if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
            raise _bad("The players of a record are a list of names.")
        if not isinstance(elements, list) or not all(isinstance(one, dict) for one in elements):
            raise _bad("The hands of a record are a list of objects.")
        names = tuple(cast("list[str]", players))
        if len(set(names)) != len(names):
            raise _bad("Every player of a record has a name of their own.")
        try:
            self.match = Match.start(game, game.declared.resolve(record.get("options")), names)
        except RuleError as error:
            raise Unusable(error) from error
        self.elements = cast("list[dict[str, Any]]", elements)
        self.watch = watch
        self.resting = False
        self._finished: list[dict[str, Any]] = []

    def run(self) -> Wrong | None:
        for index, element in enumerate(self.elements):
            wrong = self._element(index, element, last=index == len(self.elements) - 1)
            if wrong is not None:
                return wrong
        return None

    def hands(self) -> list[dict[str, Any]]:
        """One entry for each hand, the one that is not over included."""
        return self._finished + ([self._entry()] if self.match.hand is not None and not self.resting else [])

    def _entry(self) -> dict[str, Any]:
        match = self.match
        if match.phase == "over" and match.last is not None:
            return _ended(match.last)
        return {"dealer": match.dealer, "standing": _places(match.standing()), "events": list(match.happened)}

    def _element(self, index: int, element: dict[str, Any], *, last: bool) -> Wrong | None:
        if self.match.running:
            raise _bad("Only the last hand of a record may stop before its end.", hand=index)
        if self.match.over:
            raise _bad("The match was over before this hand.", hand=index)
        if self.match.hand is not None:
            self._finished.append(self._entry())
            self.match = replace(self.match, hand=self.match.hand)
        between = _actions(element, "between", index)
        dealt = "cards" in element or "seed" in element
        if not dealt and not (last and between and not element.get("actions")):
            raise _bad("A hand has its cards, or a seed that deals them.", hand=index)
        for place, asked in enumerate(between):
            if (wrong := self._do(index, place, asked, between=True)) is not None:
                return wrong
        if between and dealt:
            try:
                self.match.game.check_players(self.match.options, len(self.match.seats))
            except RuleError as error:
                return Wrong(index, len(between) - 1, True, error)
        if not dealt:
            self.resting = True
            return None
        self._deal(index, element)
        for place, asked in enumerate(_actions(element, "actions", index)):
            if (wrong := self._do(index, place, asked, between=False)) is not None:
                return wrong
        return None

    def _deal(self, index: int, element: dict[str, Any]) -> None:
        match = self.match
        seed, dealer = element.get("seed"), element.get("dealer")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise _bad("The seed of a hand is a whole number.", hand=index)
        try:
            if "cards" in element:
                cards, stock = element["cards"], element.get("stock", "")
                if not isinstance(cards, dict):
                    raise RuleError("bad_record", "The cards of a hand are named by player.")
                named = {name: parse_cards(held) for name, held in cast("dict[str, Any]", cards).items()}
                deal = Deal(dealer or match.game.dealer(match), named, parse_cards(stock), seed)
            else:
                assert seed is not None
                deal = match.deal(shuffled(match.deck(), seed), seed)
                deal = replace(deal, dealer=dealer or deal.dealer)
            if deal.dealer not in match.seats:
                raise RuleError("bad_record", "The dealer of a hand sits at the table.")
            step = match.begin(deal)
        except RuleError as error:
            raise _bad(error.sentence, hand=index) from error
        self.match, self.resting = step.match, False
        self.watch(Moment(index, None, False, None, None, step))

    def _do(self, index: int, place: int, asked: Any, *, between: bool) -> Wrong | None:
        try:
            action = parse_action(asked)
            by = asked.get("by")
            if not isinstance(by, str):
                raise RuleError("bad_action", "An action of a record says who does it (“by”).")
            over = not between and self.match.phase == "over" and not isinstance(action, Decree | Obey | Defy)
            if over:
                raise _bad("The hand was over before this action.", hand=index, action=place)
            step = self.match.between(by, action) if between else self.match.act(by, action)
        except RuleError as error:
            if error.code == "bad_record":
                # Cards dealt by hand that turn out not to serve (PRES-41).
                raise _bad(error.sentence, hand=index) from error
            self.resting = between
            return Wrong(index, place, between, error)
        self.match = step.match
        if between and self._finished and step.match.last is not None:
            # Who goes may thereby end the hand before otherwise (ACE-09).
            self._finished[-1] = _ended(step.match.last)
        self.watch(Moment(index, place, between, by, action, step))
        return None


def _ended(result: HandResult) -> dict[str, Any]:
    """The entry of a hand that is over."""
    return {
        "dealer": result.dealer,
        "standing": _places(result.standing),
        "titles": dict(result.titles),
        "ledger": dict(result.ledger),
        "events": list(result.events),
    }


def _places(standing: Sequence[Any]) -> list[Any]:
    return [list(place) if isinstance(place, tuple) else place for place in standing]


def _actions(element: dict[str, Any], key: str, index: int) -> Sequence[Any]:
    found: Any = element.get(key, [])
    if not isinstance(found, list):
        raise _bad(f"“{key}” of a hand is a list of actions.", hand=index)
    return found
