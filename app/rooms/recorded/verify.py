"""Verify a match file: replay its hands, and check that each deal is fair and each action is legal today.

Deals are compared with the commitments that players got before. `pecking-order verify` and the import of records
show the result. Needs no clock, and stores nothing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from app.engine.base.errors import MALFORMED_CODES, RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.action_codec import ActionJson, action_to_json
from app.engine.cards.cards import parse_cards
from app.engine.match.game import AnyGame
from app.engine.match.match import Match
from app.engine.match.record import (
    CARRIED_IS,
    IllegalRecordedAction,
    InvalidRecord,
    ReplayStep,
    deal_from_record,
    parse_record,
    replay_steps,
)
from app.rooms.log.name_rewrite import is_neutral_name, replace_names
from app.rooms.model import shuffle_proof

NO_PROOF = MessageTemplate("record.no_proof", "has no proof")
NOT_PROVEN = MessageTemplate("record.not_proven", "not proven: {reason}")
OTHER_DEALER = MessageTemplate("record.other_dealer", "{dealer} dealt instead of {wanted}")
OTHER_CARDS = MessageTemplate("record.other_cards", "{name} was dealt other cards")
OTHER_ORDER = MessageTemplate("record.other_order", "the closed list deals the piles to other seats than the rules say")
OTHER_STOCK = MessageTemplate("record.other_stock", "another stock")
NOT_SHUFFLED = MessageTemplate("record.not_shuffled", "not shuffled: these are the cards of another match")
BAD_PROOF = MessageTemplate("record.bad_proof", "invalid proof")
BAD_CANCELLED = MessageTemplate("record.bad_cancelled", "a deal that was cancelled before is not proven: {reason}")
SAME_SEATS = MessageTemplate(
    "record.same_seats", "a deal was cancelled before because the seats changed, but they are the same"
)
REFUSED = MessageTemplate(
    "record.refused",
    "Hand {hand}, action {action}: the current rules refuse it. {reason} The rules have changed "
    "since, or the file was changed.",
)
REFUSED_BETWEEN = MessageTemplate(
    "record.refused_between",
    "Before hand {hand}, action {action}: the current rules refuse it. {reason} The rules have "
    "changed since, or the file was changed.",
)

NO_ACTION = MessageTemplate("record.no_action", "Hand {hand}, action {action}: {reason}")
NO_ACTION_BETWEEN = MessageTemplate("record.no_action_between", "Before hand {hand}, action {action}: {reason}")

ORIGIN_IS = MessageTemplate(
    "record.origin_is",
    "The “origin” of a record must say “variation” or “deals”, and the hand and move it starts from. "
    "Both numbers start at 0.",
)

CANCELLED_IS = MessageTemplate(
    "record.cancelled_is", "“cancelled” in a record must be a list of cancelled deals, as the server writes them."
)

ORIGIN_KEYS = ("how", "hand", "move")
WAYS = ("variation", "deals")
MOST_NUMBERED = 1_000_000

PROOF_KEYS = ("commitment", "secret", "seeds", "givers", "cut", "pack", "blocks", "list", "known")
"""The keys of a proof that are kept as they are."""


@dataclass(frozen=True, slots=True)
class VerifiedHand:
    """The result of verifying one hand of a match file, as far as it could be replayed."""

    number: int
    """The hand's index in the file, from 0."""
    record: dict[str, Any]
    """The element of the file's `hands`, without unknown keys."""
    society: dict[str, Any]
    """The state of the match before the deal, like a record's `carried`: enough to replay this hand alone."""
    events: list[dict[str, Any]]
    """Public game events; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    totals: dict[str, int] | None
    """Totals after the hand; None if it is unfinished."""
    deal_problem: TranslatableMessage | None
    """The error in its deal; None: the deal is fair."""
    has_proof: bool
    """Whether the file contains any statement about the origin of the deal."""
    kind: shuffle_proof.ProofKind | None = None
    """How far a fair deal can be trusted; None for a deal that is not fair."""
    left_out: tuple[str, ...] = ()
    """People on the closed list whose seeds were late."""
    givers: tuple[str, ...] = ()
    """The people whose seeds gave the deck."""
    cancelled: Sequence[shuffle_proof.CancelledDeal] = ()
    """The deals before this one that were cancelled after their list was closed."""

    @property
    def without_seed(self) -> list[str]:
        """The players of the hand who gave no seed."""
        return [name for name in self.record["cards"] if name not in self.givers]

    @property
    def cards_are_known(self) -> bool:
        """Whether the cards come from another match, so that they were not shuffled."""
        return self.deal_problem is not None and self.deal_problem.key == NOT_SHUFFLED.key


@dataclass(frozen=True, slots=True)
class VerifiedMatch:
    """The result of verifying a match file, as far as it could be replayed."""

    start: Match
    """The match before its first hand."""
    end: Match
    hands: tuple[VerifiedHand, ...]
    after: list[ActionJson]
    """The actions after the last hand."""
    refused: TranslatableMessage | None
    """The reason why the replay stopped early, or None."""
    carried: dict[str, Any] | None
    """The initial state of a match that continues another one, from the record."""
    origin: dict[str, Any] | None
    """The source of its cards, if they were known before."""
    cancelled: Sequence[shuffle_proof.CancelledDeal] = ()
    """The deals after the last hand that were cancelled after their list was closed."""
    cancelled_problem: TranslatableMessage | None = None
    """The error in one of them."""


def verify_match(
    value: object, games: Mapping[str, AnyGame], on_step: Callable[[], None] = lambda: None
) -> VerifiedMatch:
    """Replay a match record, given as JSON, and check that its actions are legal today and its deals fair.

    Illegal actions and unfair deals are reported in the result. `on_step` is called before each step, and may raise to
    stop. Raises `InvalidRecord` if the record is malformed.
    """
    start, elements = parse_record(value, games, already_accepted=True)
    match, refused, hand = start, None, None
    origin, goes_on = _parse_origin(value), isinstance(value, dict) and "carried" in value
    hands: list[_HandVerifier] = []
    between: list[ActionJson] = []
    try:
        for step in replay_steps(start, elements):
            on_step()
            if step.between:
                between.append(_step_action_json(step))
            elif step.is_deal:
                hand = _HandVerifier(step, elements[step.hand_index], between)
                hands.append(hand)
                between = []
            match = step.step.match
            if hand is not None:
                hand.add_step(step)
    except IllegalRecordedAction as illegal:
        refused = _refusal_text(illegal)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # Games validate their own part of the carried state; an error there means that the file is wrong.
        if not goes_on:
            raise
        raise InvalidRecord(RuleError("bad_record", CARRIED_IS())) from error
    results = tuple(each.build_result() for each in hands)
    carried = start.carryover_to_json() if goes_on else None
    cancelled = _parse_cancelled(value)
    problem = find_cancelled_problem(cancelled)
    return VerifiedMatch(start, match, results, between, refused, carried, origin, cancelled, problem)


def _parse_cancelled(value: object) -> list[shuffle_proof.CancelledDeal]:
    """Return the deals that a record says were cancelled after its last hand; raise `InvalidRecord` if malformed."""
    try:
        return cancelled_deals(value) if isinstance(value, dict) else []
    except ValueError as error:
        raise InvalidRecord(RuleError("bad_record", CANCELLED_IS())) from error


def cancelled_deals(holder: Mapping[str, Any]) -> list[shuffle_proof.CancelledDeal]:
    """Return the cancelled deals in a proof or a record (`cancelled`), without unknown keys.

    Raises `ValueError` if they are malformed.
    """
    return msgspec.convert(holder.get("cancelled", []), list[shuffle_proof.CancelledDeal])


def find_cancelled_problem(
    cancelled: Sequence[shuffle_proof.CancelledDeal], seats: Collection[str] | None = None
) -> TranslatableMessage | None:
    """Return what is wrong with cancelled deals, as a sentence for people; None: they are proven.

    `seats`: the players of the hand that followed, if there is one. Then “the seats changed” must be true.
    """
    later = [*(each["list"]["order"]["seats"] for each in cancelled[1:]), seats]
    for deal, after in zip(cancelled, later, strict=False):
        try:
            shuffle_proof.check_secret(deal)
        except ValueError as error:
            return BAD_CANCELLED(reason=str(error))
        seats_were = set(deal["list"]["order"]["seats"])
        if deal["reason"] == "seats_changed" and after is not None and set(after) == seats_were:
            return SAME_SEATS()
    return None


def _parse_origin(value: object) -> dict[str, Any] | None:
    """Return where a record says its cards come from, if they were known; None if it says nothing.

    Raises `InvalidRecord` if the statement is malformed.
    """
    said: Any = value.get("origin") if isinstance(value, dict) else None
    if said is None:
        return None
    match said:
        case {"how": str(how), "hand": int(hand), "move": int(move)} if (
            how in WAYS and 0 <= hand <= MOST_NUMBERED and 0 <= move <= MOST_NUMBERED
        ):
            return {"how": how, "hand": int(hand), "move": int(move)}
        case _:
            raise InvalidRecord(RuleError("bad_record", ORIGIN_IS()))


class _HandVerifier:
    """Collects what is found out about one hand while a match file is replayed to verify it."""

    def __init__(self, deal: ReplayStep, element: Mapping[str, Any], between: Sequence[ActionJson]) -> None:
        self._number = deal.hand_index
        self._element = element
        self._between = list(between)
        self._society = deal.before.carryover_to_json()
        self._deal = deal_from_record(deal.before, element)
        self._deal_problem = find_deal_problem(deal.before, element)
        self._actions: list[ActionJson] = []
        self._events: list[dict[str, Any]] = []
        self._match = deal.step.match

    def add_step(self, step: ReplayStep) -> None:
        """Take a step of the replay into account: an action of this hand, or one after it that changes its result."""
        match = step.step.match
        if step.between:
            if match.last is not self._match.last:
                self._match = match
            return
        if not step.is_deal:
            self._actions.append(_step_action_json(step))
        self._events += [{**event.to_json(), "n": len(self._actions)} for event in step.step.events if event.to is None]
        self._match = match

    def build_result(self) -> VerifiedHand:
        """Return what was found out about this hand, with a provisional result if it is unfinished."""
        match = self._match
        over = not match.is_hand_running and match.last is not None
        result = match.last if over and match.last else match.provisional_result()
        proof = {} if self._deal_problem else self._element["fair"]
        return VerifiedHand(
            self._number,
            self._build_record(),
            self._society,
            self._events,
            result.to_json(),
            dict(match.totals) if over else None,
            self._deal_problem,
            "fair" in self._element,
            shuffle_proof.proof_kind(proof) if proof else None,
            tuple(shuffle_proof.names_without_seed(proof)) if proof else (),
            tuple(proof["givers"].values() if "givers" in proof else proof.get("seeds", ())),
            self._cancelled,
        )

    @property
    def _cancelled(self) -> Sequence[shuffle_proof.CancelledDeal]:
        proof = self._element.get("fair")
        if not isinstance(proof, Mapping) or (self._deal_problem and self._deal_problem.key == BAD_PROOF.key):
            return ()
        return cancelled_deals(proof)

    def _build_record(self) -> dict[str, Any]:
        deal = self._deal.to_json()
        if "ranks" in self._element:
            deal["ranks"] = self._element["ranks"]
        proof = self._element.get("fair")
        if isinstance(proof, Mapping) and not (self._deal_problem and self._deal_problem.key == BAD_PROOF.key):
            deal["fair"] = {key: proof[key] for key in PROOF_KEYS if key in proof}
            if self._cancelled:
                deal["fair"]["cancelled"] = self._cancelled
        deal["actions"] = self._actions
        return deal | ({"between": self._between} if self._between else {})


def _step_action_json(step: ReplayStep) -> ActionJson:
    assert step.action is not None
    return action_to_json(step.action, step.by)


def _refusal_text(illegal: IllegalRecordedAction) -> TranslatableMessage:
    if illegal.error.code in MALFORMED_CODES:
        sentence = NO_ACTION_BETWEEN if illegal.between else NO_ACTION
    else:
        sentence = REFUSED_BETWEEN if illegal.between else REFUSED
    return sentence(hand=illegal.hand_index + 1, action=illegal.action_index + 1, reason=illegal.error.sentence)


def find_deal_problem(match: Match, hand: Mapping[str, Any]) -> TranslatableMessage | None:
    """Return what is wrong with the deal of a recorded hand, as a sentence for people; None: the deal is fair.

    `match`: the match before the hand. A missing proof counts as a problem, and so do known cards.
    """
    proof = hand.get("fair")
    if proof is None:
        return NO_PROOF()
    try:
        problem = find_cancelled_problem(cancelled_deals(proof), hand["cards"])
        if problem is not None:
            return problem
        return NOT_SHUFFLED() if "known" in proof else _find_deal_difference(match, hand, proof)
    except msgspec.ValidationError:
        return BAD_PROOF()
    except RuleError as error:  # an unknown card
        return NOT_PROVEN(reason=error.sentence)
    except ValueError as error:
        return NOT_PROVEN(reason=str(error))
    except (KeyError, TypeError, AttributeError):
        return BAD_PROOF()


def _find_deal_difference(
    match: Match, hand: Mapping[str, Any], proof: Mapping[str, Any]
) -> TranslatableMessage | None:
    """Return how a hand's deal differs from the one that its proof leads to, as a sentence; None if it is the same.

    Raises an error if the proof itself is wrong or malformed.
    """
    deck = shuffle_proof.verify_and_shuffle(proof, match.deck())
    # In older proofs the seed within the hand depends on names. If a name was removed, the seed can't be computed
    # again.
    seed = hand.get("seed") if "blocks" in proof else shuffle_proof.randomness_from_proof(proof).seed_within_hand()
    if "list" in proof and match.game.deal_order(match).to_json != proof["list"]["order"]:
        return OTHER_ORDER()
    expected = match.deal(deck, seed)
    if expected.dealer != hand["dealer"]:
        return OTHER_DEALER(dealer=hand["dealer"], wanted=expected.dealer)
    for name, cards in expected.cards.items():
        if sorted(cards) != sorted(parse_cards(hand["cards"].get(name, ""))):
            return OTHER_CARDS(name=name)
    if expected.stock != parse_cards(hand.get("stock", "")):
        return OTHER_STOCK()
    return None


def find_list_difference(closed: Mapping[str, Any], seen: Mapping[str, Any]) -> str | None:
    """Return the key in which a closed list differs from the list that a player saw; None if they agree.

    A player who deleted their data has a name like “Somebody 1” since. Raises `ValueError`, `KeyError`, `TypeError` or
    `AttributeError` if a list is malformed.
    """
    former = {closed["givers"][number]: name for number, name in seen["givers"].items() if number in closed["givers"]}
    former |= dict(zip(closed["order"]["seats"], seen["order"]["seats"], strict=False))
    renamed = {old: new for new, old in former.items() if new != old and is_neutral_name(new)}
    if len(set(renamed.values())) < len(renamed):
        return "givers"
    now = replace_names({key: seen[key] for key in shuffle_proof.ClosedListView.__annotations__}, renamed, "list")
    return next((key for key, value in now.items() if value != closed[key]), None)
