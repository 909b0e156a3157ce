"""Record files: a whole match as JSON, and the function that replays it.

`parse_record` reads everything but the hands. `replay_steps` plays the hands step by step, with the code that runs
rooms. The commands `replay` and `outcome`, the check of exported matches and the history pages all use
`replay_steps`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_or
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import Action, Decree, Defy, Obey
from app.engine.cards.cards import format_cards
from app.engine.cards.shuffling import shuffled
from app.engine.match.game import AnyGame
from app.engine.match.hand import NO_SUCH_DEALER, Deal, HandResult, standing_to_json
from app.engine.match.match import Match, MatchTransition
from app.engine.match.record_carryover import is_valid_carryover

FORMAT = "climbing-record/1"
ROOM_FORMAT = "climbing-room/1"
"""The format of a file with all matches of a room."""

MAX_LISTED_ACTIONS = 5000
"""Maximum number of legal actions listed in a `state`; `more` is set if there are others."""

IS_AN_OBJECT = MessageTemplate("record.is_an_object", "A record must be a JSON object.")
PLAYERS_ARE_NAMES = MessageTemplate("record.players_are_names", "The players of a record must be a list of names.")
HANDS_ARE_OBJECTS = MessageTemplate("record.hands_are_objects", "The hands of a record must be a list of objects.")
CARRIED_IS = MessageTemplate(
    "record.carried_is",
    "The “carried” of a record must say how the earlier part left the match, with the same players.",
)
NAMES_DIFFER = MessageTemplate("record.names_differ", "Every player of a record must have a different name.")
ONLY_THE_LAST_MAY_STOP = MessageTemplate(
    "record.only_the_last_may_stop", "Only the last hand of a record may be unfinished."
)
MATCH_WAS_OVER = MessageTemplate("record.match_was_over", "The match was over before this hand.")
CARDS_OR_A_SEED = MessageTemplate("record.cards_or_a_seed", "A hand must have its cards, or a seed that deals them.")
RANKS_COME_FIRST = MessageTemplate(
    "record.ranks_come_first", "Only the first hand of a record can have ranks from an earlier match."
)
RANKS_ARE_NAMES = MessageTemplate("record.ranks_are_names", "The ranks of a hand must be a list of names, best first.")
RANKS_NAME_PLAYERS = MessageTemplate(
    "record.ranks_name_players", "The ranks of a hand must name players of the record, each once."
)
SEED_IS_A_NUMBER = MessageTemplate("record.seed_is_a_number", "The seed of a hand must be a whole number.")
SAYS_WHO = MessageTemplate("record.says_who", "An action of a record must name its player (“by”).")
HAND_WAS_OVER = MessageTemplate("record.hand_was_over", "The hand was over before this action.")
FORMAT_IS = MessageTemplate("record.format_is", "The format of a record must be “{format}”.")
GAME_IS_ONE_OF = MessageTemplate("record.game_is_one_of", "The game of a record must be one of {games}.")
IS_A_LIST_OF_ACTIONS = MessageTemplate("record.is_a_list_of_actions", "“{key}” of a hand must be a list of actions.")


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step in the replay of a record, with the match before and after. A deal has neither `action` nor `by`.

    `action_index` counts the hand's actions from 0, or those before its deal if `between`; None for the deal. `by` is
    the player who acted. `step` has the match after the step and its events.
    """

    hand_index: int
    """Index in `hands`, from 0."""
    action_index: int | None
    """Index in the hand's actions or, if `between`, in the actions before the deal; None for the deal."""
    between: bool
    by: str | None
    action: Action | None
    before: Match
    step: MatchTransition

    @property
    def is_deal(self) -> bool:
        """Return whether this step of the replay is a deal, not an action."""
        return self.action_index is None


class InvalidRecord(Exception):
    """An error for a record file that can't be replayed at all (exit status 2)."""

    def __init__(self, error: RuleError, **where: int) -> None:
        super().__init__(error.sentence)
        self.error = error
        self.where = where

    def to_json(self) -> dict[str, Any]:
        """Return what the replay command prints for an unusable record: only `ok` (false) and `error`."""
        return {"ok": False, "error": {**self.where, "code": self.error.code, "message": self.error.sentence}}


class IllegalRecordedAction(Exception):
    """An error for a recorded action that the rules refuse; the replay stops before it."""

    def __init__(self, error: RuleError, hand: int, place: int, *, between: bool) -> None:
        super().__init__(error.sentence)
        self.error = error
        self.hand_index = hand
        self.action_index = place
        self.between = between

    def to_json(self) -> dict[str, Any]:
        """Return the error as JSON for the output of a replay: position in the record, code and message."""
        where = {"hand": self.hand_index, "between" if self.between else "action": self.action_index}
        return where | {"code": self.error.code, "message": self.error.sentence}


def replay_with_exit_status(value: object, games: Mapping[str, AnyGame]) -> tuple[dict[str, Any], int]:
    """Replay a record, given as a JSON value; return the replay command's output and its exit status.

    The status is 0 if all actions are legal, 1 for an illegal action, 2 for an unusable file.
    """
    try:
        result = replay_record(value, games)
    except InvalidRecord as unusable:
        return unusable.to_json(), 2
    return result, 0 if result["ok"] else 1


def replay_record(value: object, games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """Replay a record and return what came out: `ok`, `error`, `hands`, `totals`, `match_over` and `state`.

    `games` are all games by key. An illegal action stops the replay and sets `error`. Raises `InvalidRecord` if the
    record can't be replayed.
    """
    match, elements = parse_record(value, games)
    carried = match.dealt
    wrong: IllegalRecordedAction | None = None
    ended: dict[int, HandResult] = {}
    resting = False
    try:
        for step in replay_steps(match, elements):
            match, resting = step.step.match, step.between
            if not match.is_hand_running and match.last is not None and match.dealt > carried:
                # Overwritten after each step: a player who leaves between hands may change the last result (ACE-09).
                ended[match.dealt] = match.last
    except IllegalRecordedAction as illegal:
        wrong, resting = illegal, illegal.between
    hands: list[Mapping[str, Any]] = [result.to_json() for result in ended.values()]
    if match.is_hand_running:
        running = {
            "dealer": match.dealer,
            "standing": standing_to_json(match.standing()),
            "events": list(match.happened),
        }
        hands.append(running)
    return {
        "ok": wrong is None,
        "error": None if wrong is None else wrong.to_json(),
        "hands": hands,
        "totals": dict(match.totals),
        "match_over": match.over,
        "state": position_to_json(match, between=resting),
    }


def position_to_json(match: Match, *, between: bool = False) -> dict[str, Any]:
    """Return the position that a replay has reached, as JSON.

    Keys: `phase`, `to_act`, `cards` of all players, `legal` actions and the game's own. `between`: after actions
    between hands.
    """
    hand = match.hand
    if hand is None or between:
        lasting = match.game.between_hands_view(match)
        return {"phase": "between", "to_act": [], "table": None, "cards": {}, "passed": [], "legal": [], **lasting}
    several = len(match.to_act) > 1
    turn = match.to_act[0] if match.to_act else None
    legal = list(islice(match.legal_actions(), MAX_LISTED_ACTIONS + 1))
    return {
        "phase": match.phase,
        "to_act": list(match.to_act),
        "cards": {name: format_cards(hand.cards.get(name, ())) for name in hand.seats},
        "legal": [
            action_to_json(action, by if several or by != turn else None) for by, action in legal[:MAX_LISTED_ACTIONS]
        ],
        **({"more": True} if len(legal) > MAX_LISTED_ACTIONS else {}),
        **match.game.hand_state_to_json(hand),
    }


def parse_record(
    value: object, games: Mapping[str, AnyGame], *, already_accepted: bool = False
) -> tuple[Match, list[dict[str, Any]]]:
    """Check the head of a record; return the match before the record's first hand, and the list of its hands.

    `games` are all games by key. With `already_accepted`, for matches that were really played, conflicts between
    options that were declared later are ignored. Raises `InvalidRecord`.
    """
    if not isinstance(value, dict):
        raise _invalid_record(IS_AN_OBJECT())
    record = cast("dict[str, Any]", value)
    if record.get("format") != FORMAT:
        raise _invalid_record(FORMAT_IS(format=FORMAT))
    game = games.get(key) if isinstance(key := record.get("game"), str) else None
    if game is None:
        raise _invalid_record(GAME_IS_ONE_OF(games=join_with_or(games)))
    players: Any = record.get("players")
    elements: Any = record.get("hands", [])
    if not isinstance(players, list) or not all(isinstance(name, str) and name for name in players):
        raise _invalid_record(PLAYERS_ARE_NAMES())
    if not isinstance(elements, list) or not all(isinstance(one, dict) for one in elements):
        raise _invalid_record(HANDS_ARE_OBJECTS())
    names = tuple(cast("list[str]", players))
    if len(set(names)) != len(names):
        raise _invalid_record(NAMES_DIFFER())
    try:
        match = Match.start(
            game, game.option_schema.resolve_options(record.get("options"), already_accepted=already_accepted), names
        )
    except RuleError as error:
        raise InvalidRecord(error) from error
    return _restore_carryover(match, record["carried"], games) if "carried" in record else match, elements


def build_record(
    game: str,
    options: Mapping[str, Any],
    players: Sequence[str],
    hands: Iterable[Mapping[str, Any]],
    after: Sequence[Any] | None = None,
    carried: Mapping[str, Any] | None = None,
    origin: Mapping[str, Any] | None = None,
    cancelled: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Build a record file's content from the hands of a match.

    `game` is the game's key, and `players` are the seats at the start. `after`: actions after the last hand. `carried`:
    the match as the previous volume left it. `origin`: the source of the cards, if they were known before the match.
    `cancelled`: the proofs of deals that were cancelled after the last hand.
    """
    elements = [*hands, {"between": after}] if after else list(hands)
    head = {"format": FORMAT, "game": game, "options": options, "players": players}
    before = {key: said for key, said in (("origin", origin), ("carried", carried)) if said is not None}
    return {**head, **before, "hands": elements, **({"cancelled": cancelled} if cancelled else {})}


def replay_steps(
    match: Match, elements: Sequence[Mapping[str, Any]], first_hand: int = 0, *, already_accepted: bool = False
) -> Iterator[ReplayStep]:
    """Replay a record's hands from `first_hand` on, and yield each step; `match` is the state before that hand.

    `elements` are all hands of the record. `already_accepted`: they were really played here, so a pass that earlier
    rules allowed stays legal. Raises `IllegalRecordedAction` for an action that the rules refuse,
    `InvalidRecord` for malformed hands.
    """
    for index, element in enumerate(elements[first_hand:], first_hand):
        for step in _replay_hand(match, index, element, index == len(elements) - 1, already_accepted):
            match = step.step.match
            yield step


def _restore_carryover(match: Match, carried: Any, games: Mapping[str, AnyGame]) -> Match:
    """Return the match as an earlier volume left it: long matches are stored in several records.

    Raises `InvalidRecord` if `carried` is malformed or has other players.
    """
    if not is_valid_carryover(carried) or carried["seats"] != list(match.seats):
        raise _invalid_record(CARRIED_IS())
    return Match.from_json({**carried, "game": match.game.key, "options": match.options.to_json()}, games)


def _invalid_record(sentence: TranslatableMessage, **where: int) -> InvalidRecord:
    return InvalidRecord(RuleError("bad_record", sentence), **where)


def _replay_hand(
    match: Match, index: int, element: Mapping[str, Any], last: bool, stored: bool
) -> Iterator[ReplayStep]:
    """Replay one element of a record's `hands` and yield its steps: actions before the deal, the deal, the hand.

    `index` is its number, from 0. Only the last element (`last`) may lack a deal or stop early. Raises `InvalidRecord`
    or `IllegalRecordedAction`.
    """
    if match.is_hand_running:
        raise _invalid_record(ONLY_THE_LAST_MAY_STOP(), hand=index)
    if match.over:
        raise _invalid_record(MATCH_WAS_OVER(), hand=index)
    between, actions = _recorded_actions(element, "between", index), _recorded_actions(element, "actions", index)
    dealt = "cards" in element or element.get("seed") is not None
    if not dealt and not (last and between and not actions):
        raise _invalid_record(CARDS_OR_A_SEED(), hand=index)
    if "ranks" in element:
        match = _apply_starting_ranks(match, element["ranks"], index)
    for place, recorded in enumerate(between):
        replayed = _replay_action(match, index, place, recorded, between=True, stored=stored)
        match = replayed.step.match
        yield replayed
    if not dealt:
        return
    if between:
        try:
            match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
        except RuleError as error:
            raise IllegalRecordedAction(error, index, len(between) - 1, between=True) from error
    step = _begin_hand(match, index, element)
    yield ReplayStep(index, None, False, None, None, match, step)
    match = step.match
    for place, recorded in enumerate(actions):
        replayed = _replay_action(match, index, place, recorded, between=False, stored=stored)
        match = replayed.step.match
        yield replayed


def _apply_starting_ranks(match: Match, ranks: Any, index: int) -> Match:
    """Return the match with the earlier hierarchy (`ranks`, best first) that a record's first hand states.

    `index` is the number of the hand. Raises `InvalidRecord` if it is not 0, or the names are wrong.
    """
    if index or match.dealt:
        raise _invalid_record(RANKS_COME_FIRST(), hand=index)
    if not isinstance(ranks, list) or not all(isinstance(name, str) for name in ranks):
        raise _invalid_record(RANKS_ARE_NAMES(), hand=index)
    names = tuple(cast("list[str]", ranks))
    if len(set(names)) != len(names) or not set(names) <= set(match.seats):
        raise _invalid_record(RANKS_NAME_PLAYERS(), hand=index)
    return match.with_previous_hierarchy(names)


def _begin_hand(match: Match, index: int, element: Mapping[str, Any]) -> MatchTransition:
    try:
        deal = deal_from_record(match, element)
        if deal.dealer not in match.seats:
            raise RuleError("bad_record", NO_SUCH_DEALER(name=deal.dealer))
        return match.begin_hand(deal)
    except RuleError as error:
        raise _invalid_record(error.sentence, hand=index) from error


def deal_from_record(match: Match, element: Mapping[str, Any]) -> Deal:
    """Return the deal of a recorded hand: with the cards in the record, or as dealt from its seed.

    Raises `RuleError` for a bad seed, dealer or card.
    """
    seed, dealer = element.get("seed"), element.get("dealer")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise RuleError("bad_record", SEED_IS_A_NUMBER())
    if "cards" in element:
        return Deal.from_json({**element, "dealer": dealer or match.game.next_dealer(match)})
    if dealer is not None and dealer not in match.seats:
        raise RuleError("bad_record", NO_SUCH_DEALER(name=dealer))
    assert seed is not None
    return match.deal(shuffled(match.deck(), seed), seed, dealer)


def _replay_action(match: Match, index: int, place: int, recorded: Any, *, between: bool, stored: bool) -> ReplayStep:
    """Parse and apply one recorded action and return the step of the replay.

    `recorded` is the action, `index` the number of the hand, and `place` the action's index in it. `between`: it was
    done before the deal. Raises `IllegalRecordedAction` if the rules refuse it, `InvalidRecord` after the hand's
    end.
    """
    try:
        action = parse_action(recorded)
        by = recorded.get("by")
        if not isinstance(by, str):
            raise RuleError("bad_action", SAYS_WHO())
        if not between and match.phase == "over" and not isinstance(action, Decree | Obey | Defy):
            raise _invalid_record(HAND_WAS_OVER(), hand=index, action=place)
        step = match.apply_between_hands(by, action) if between else match.apply_action(by, action, stored=stored)
    except RuleError as error:
        if error.code == "bad_record":
            # Cards dealt by hand can prove unusable only now (PRES-41).
            raise _invalid_record(error.sentence, hand=index) from error
        raise IllegalRecordedAction(error, index, place, between=between) from error
    return ReplayStep(index, place, between, by, action, match, step)


def _recorded_actions(element: Mapping[str, Any], key: str, index: int) -> Sequence[Any]:
    found: Any = element.get(key, [])
    if not isinstance(found, list):
        raise _invalid_record(IS_A_LIST_OF_ACTIONS(key=key), hand=index)
    return found
