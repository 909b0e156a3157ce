"""Record files: a whole match as JSON, and the one fold that replays it.

`opened` reads what stands above the hands, `fold` plays the hands step by step with the code that runs a room. The
command line (`replay`, `outcome`), the check of exported matches and the history pages all watch this fold.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence, either
from app.engine.cards.action_codec import action_json, parse_action
from app.engine.cards.actions import Action, Decree, Defy, Obey
from app.engine.cards.cards import show
from app.engine.cards.shuffling import shuffled
from app.engine.match.game import AnyGame
from app.engine.match.hand import NO_SUCH_DEALER, Deal, HandResult, places_json
from app.engine.match.match import Match, Step
from app.engine.match.record_carryover import can_be

FORMAT = "climbing-record/1"

MOST_LEGAL = 5000
"""Legal actions that a `state` lists; `more` says that there are others, as legal as these."""

IS_AN_OBJECT = Sentence("record.is_an_object", "A record is a JSON object.")
PLAYERS_ARE_NAMES = Sentence("record.players_are_names", "The players of a record are a list of names.")
HANDS_ARE_OBJECTS = Sentence("record.hands_are_objects", "The hands of a record are a list of objects.")
CARRIED_IS = Sentence(
    "record.carried_is", "A record’s “carried” says how the volume before it left the match, with the same players."
)
NAMES_DIFFER = Sentence("record.names_differ", "Every player of a record has a name of their own.")
ONLY_THE_LAST_MAY_STOP = Sentence(
    "record.only_the_last_may_stop", "Only the last hand of a record may stop before its end."
)
MATCH_WAS_OVER = Sentence("record.match_was_over", "The match was over before this hand.")
CARDS_OR_A_SEED = Sentence("record.cards_or_a_seed", "A hand has its cards, or a seed that deals them.")
RANKS_COME_FIRST = Sentence("record.ranks_come_first", "Only the first hand of a record has ranks from before.")
RANKS_ARE_NAMES = Sentence("record.ranks_are_names", "The ranks of a hand are a list of names, best first.")
RANKS_NAME_PLAYERS = Sentence("record.ranks_name_players", "The ranks of a hand name players of the record, each once.")
SEED_IS_A_NUMBER = Sentence("record.seed_is_a_number", "The seed of a hand is a whole number.")
SAYS_WHO = Sentence("record.says_who", "An action of a record says who does it (“by”).")
HAND_WAS_OVER = Sentence("record.hand_was_over", "The hand was over before this action.")
FORMAT_IS = Sentence("record.format_is", "The format of a record is “{format}”.")
GAME_IS_ONE_OF = Sentence("record.game_is_one_of", "The game of a record is {games}.")
IS_A_LIST_OF_ACTIONS = Sentence("record.is_a_list_of_actions", "“{key}” of a hand is a list of actions.")


@dataclass(frozen=True, slots=True)
class Moment:
    """One step of a replay: a deal (`action` and `by` None) or an action, and the match before and after it."""

    hand: int
    """The element of `hands` that it belongs to, from 0."""
    place: int | None
    """Which of the element's actions, or of what was done before its deal, from 0; None: the deal."""
    between: bool
    by: str | None
    action: Action | None
    before: Match
    step: Step

    @property
    def is_deal(self) -> bool:
        """Whether the cards of a hand are dealt here."""
        return self.place is None


class Unusable(Exception):
    """A file that can't be replayed at all (exit status 2)."""

    def __init__(self, error: RuleError, **where: int) -> None:
        super().__init__(error.sentence)
        self.error = error
        self.where = where

    def to_json(self) -> dict[str, Any]:
        """What the replay prints for such a file: `ok` and `error` alone."""
        return {"ok": False, "error": {**self.where, "code": self.error.code, "message": self.error.sentence}}


class Illegal(Exception):
    """An action of a record that the rules refuse: the fold ends before it."""

    def __init__(self, error: RuleError, hand: int, place: int, *, between: bool) -> None:
        super().__init__(error.sentence)
        self.error = error
        self.hand = hand
        self.place = place
        self.between = between

    def to_json(self) -> dict[str, Any]:
        """The `error` of a replay: where, code and message."""
        where = {"hand": self.hand, "between" if self.between else "action": self.place}
        return where | {"code": self.error.code, "message": self.error.sentence}


def outcome(value: object, games: Mapping[str, AnyGame]) -> tuple[dict[str, Any], int]:
    """What replaying some JSON value gives, and the exit status: 0 all legal, 1 an illegal action, 2 unusable."""
    try:
        result = replay(value, games)
    except Unusable as unusable:
        return unusable.to_json(), 2
    return result, 0 if result["ok"] else 1


def replay(value: object, games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """Replay a record and tell how it ends: `ok`, `error`, `hands`, `totals`, `match_over`, `state`. May be
    `Unusable`."""
    match, elements = opened(value, games)
    carried = match.dealt
    wrong: Illegal | None = None
    ended: dict[int, HandResult] = {}
    resting = False
    try:
        for moment in fold(match, elements):
            match, resting = moment.step.match, moment.between
            if not match.running and match.last is not None and match.dealt > carried:
                # Told again by who goes between hands: that may end the last one otherwise (ACE-09).
                ended[match.dealt] = match.last
    except Illegal as illegal:
        wrong, resting = illegal, illegal.between
    hands: list[Mapping[str, Any]] = [result.to_json() for result in ended.values()]
    if match.running:
        running = {"dealer": match.dealer, "standing": places_json(match.standing()), "events": list(match.happened)}
        hands.append(running)
    return {
        "ok": wrong is None,
        "error": None if wrong is None else wrong.to_json(),
        "hands": hands,
        "totals": dict(match.totals),
        "match_over": match.over,
        "state": state(match, between=resting),
    }


def state(match: Match, *, between: bool = False) -> dict[str, Any]:
    """The position reached, as a replay tells it: `phase`, `to_act`, `cards`, `legal` and what the game adds."""
    hand = match.hand
    if hand is None or between:
        lasting = match.game.lasting(match)
        return {"phase": "between", "to_act": [], "table": None, "cards": {}, "passed": [], "legal": [], **lasting}
    several = len(match.to_act) > 1
    turn = match.to_act[0] if match.to_act else None
    legal = list(islice(match.legal(), MOST_LEGAL + 1))
    return {
        "phase": match.phase,
        "to_act": list(match.to_act),
        "cards": {name: show(hand.cards.get(name, ())) for name in hand.seats},
        "legal": [action_json(action, by if several or by != turn else None) for by, action in legal[:MOST_LEGAL]],
        **({"more": True} if len(legal) > MOST_LEGAL else {}),
        **match.game.state(hand),
    }


def opened(value: object, games: Mapping[str, AnyGame], *, kept: bool = False) -> tuple[Match, list[dict[str, Any]]]:
    """Return the match of a record before its first hand, and its hands; `Unusable` if it is no record.

    `kept`: the record is of a match that was played, maybe long ago (`Declared.resolve`).
    """
    if not isinstance(value, dict):
        raise _bad(IS_AN_OBJECT())
    record = cast("dict[str, Any]", value)
    if record.get("format") != FORMAT:
        raise _bad(FORMAT_IS(format=FORMAT))
    game = games.get(key) if isinstance(key := record.get("game"), str) else None
    if game is None:
        raise _bad(GAME_IS_ONE_OF(games=either(games)))
    players: Any = record.get("players")
    elements: Any = record.get("hands", [])
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise _bad(PLAYERS_ARE_NAMES())
    if not isinstance(elements, list) or not all(isinstance(one, dict) for one in elements):
        raise _bad(HANDS_ARE_OBJECTS())
    names = tuple(cast("list[str]", players))
    if len(set(names)) != len(names):
        raise _bad(NAMES_DIFFER())
    try:
        match = Match.start(game, game.declared.resolve(record.get("options"), kept=kept), names)
    except RuleError as error:
        raise Unusable(error) from error
    return _carried(match, record["carried"], games) if "carried" in record else match, elements


def file_of(
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    hands: Iterable[Mapping[str, Any]],
    after: Sequence[Any] | None = None,
    carried: Mapping[str, Any] | None = None,
    origin: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A record of these hands; `after` is what was done after the last one, `carried` how a volume before it ended,
    `origin` where its cards come from if they were known."""
    elements = [*hands, {"between": after}] if after else list(hands)
    head = {"format": FORMAT, "game": game, "options": options, "players": players}
    before = {key: said for key, said in (("origin", origin), ("carried", carried)) if said is not None}
    return {**head, **before, "hands": elements}


def fold(match: Match, elements: Sequence[Mapping[str, Any]], first: int = 0) -> Iterator[Moment]:
    """Play the hands of a record, one moment at a time, beginning with hand `first` at this match before it.

    Raises `Illegal` at an action that the rules refuse, `Unusable` at hands that are none.
    """
    for index, element in enumerate(elements[first:], first):
        for moment in _element(match, index, element, last=index == len(elements) - 1):
            match = moment.step.match
            yield moment


def _carried(match: Match, carried: Any, games: Mapping[str, AnyGame]) -> Match:
    """The match as the volume before left it: a record may be a later volume of a long match."""
    if not can_be(carried) or carried["seats"] != list(match.seats):
        raise _bad(CARRIED_IS())
    return Match.load({**carried, "game": match.game.key, "options": match.options.to_json()}, games)


def _bad(sentence: Said, **where: int) -> Unusable:
    return Unusable(RuleError("bad_record", sentence), **where)


def _element(match: Match, index: int, element: Mapping[str, Any], *, last: bool) -> Iterator[Moment]:
    """One element of `hands`: what was done before the deal, the deal, and the hand's actions."""
    if match.running:
        raise _bad(ONLY_THE_LAST_MAY_STOP(), hand=index)
    if match.over:
        raise _bad(MATCH_WAS_OVER(), hand=index)
    between, actions = _actions(element, "between", index), _actions(element, "actions", index)
    dealt = "cards" in element or element.get("seed") is not None
    if not dealt and not (last and between and not actions):
        raise _bad(CARDS_OR_A_SEED(), hand=index)
    if "ranks" in element:
        match = _ranked(match, element["ranks"], index)
    for place, asked in enumerate(between):
        moment = _done(match, index, place, asked, between=True)
        match = moment.step.match
        yield moment
    if not dealt:
        return
    if between:
        try:
            match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
        except RuleError as error:
            raise Illegal(error, index, len(between) - 1, between=True) from error
    step = _begun(match, index, element)
    yield Moment(index, None, False, None, None, match, step)
    match = step.match
    for place, asked in enumerate(actions):
        moment = _done(match, index, place, asked, between=False)
        match = moment.step.match
        yield moment


def _ranked(match: Match, ranks: Any, index: int) -> Match:
    """The match with the ranks that its people come with: stated by a record's first hand."""
    if index or match.dealt:
        raise _bad(RANKS_COME_FIRST(), hand=index)
    if not isinstance(ranks, list) or not all(isinstance(name, str) for name in ranks):
        raise _bad(RANKS_ARE_NAMES(), hand=index)
    names = tuple(cast("list[str]", ranks))
    if len(set(names)) != len(names) or not set(names) <= set(match.seats):
        raise _bad(RANKS_NAME_PLAYERS(), hand=index)
    return match.ranked(names)


def _begun(match: Match, index: int, element: Mapping[str, Any]) -> Step:
    try:
        deal = deal_of(match, element)
        if deal.dealer not in match.seats:
            raise RuleError("bad_record", NO_SUCH_DEALER(name=deal.dealer))
        return match.begin(deal)
    except RuleError as error:
        raise _bad(error.sentence, hand=index) from error


def deal_of(match: Match, element: Mapping[str, Any]) -> Deal:
    """The cards as the record states them, or as its seed deals them."""
    seed, dealer = element.get("seed"), element.get("dealer")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise RuleError("bad_record", SEED_IS_A_NUMBER())
    if "cards" in element:
        return Deal.from_json({**element, "dealer": dealer or match.game.dealer(match)})
    if dealer is not None and dealer not in match.seats:
        raise RuleError("bad_record", NO_SUCH_DEALER(name=dealer))
    assert seed is not None
    return match.deal(shuffled(match.deck(), seed), seed, dealer)


def _done(match: Match, index: int, place: int, asked: Any, *, between: bool) -> Moment:
    """The moment of one action."""
    try:
        action = parse_action(asked)
        by = asked.get("by")
        if not isinstance(by, str):
            raise RuleError("bad_action", SAYS_WHO())
        if not between and match.phase == "over" and not isinstance(action, Decree | Obey | Defy):
            raise _bad(HAND_WAS_OVER(), hand=index, action=place)
        step = match.between(by, action) if between else match.act(by, action)
    except RuleError as error:
        if error.code == "bad_record":
            # Cards dealt by hand that turn out not to serve (PRES-41).
            raise _bad(error.sentence, hand=index) from error
        raise Illegal(error, index, place, between=between) from error
    return Moment(index, place, between, by, action, match, step)


def _actions(element: Mapping[str, Any], key: str, index: int) -> Sequence[Any]:
    found: Any = element.get(key, [])
    if not isinstance(found, list):
        raise _bad(IS_A_LIST_OF_ACTIONS(key=key), hand=index)
    return found
