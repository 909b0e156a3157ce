"""A match from a file, looked at hand by hand: how each ended, whether its deal was fair, what today's rules refuse.

The fold of records plays it, and what everybody was promised before a deal is compared with the cards that were dealt.
`pecking-order verify` and the import of records tell what is found here. No clock, and nothing is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.engine.base.errors import MALFORMED, RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.cards.action_codec import ActionJson, action_json
from app.engine.cards.cards import parse_cards
from app.engine.match.game import AnyGame
from app.engine.match.match import Match
from app.engine.match.record import CARRIED_IS, Illegal, Moment, Unusable, deal_of, fold, opened
from app.rooms.model import shuffle_proof

NO_PROOF = Sentence("record.no_proof", "has no proof")
NOT_PROVEN = Sentence("record.not_proven", "not proven: {reason}")
OTHER_DEALER = Sentence("record.other_dealer", "{dealer} dealt instead of {wanted}")
OTHER_CARDS = Sentence("record.other_cards", "{name} was dealt other cards")
OTHER_ORDER = Sentence("record.other_order", "the closed list deals the piles to other seats than the rules do")
OTHER_STOCK = Sentence("record.other_stock", "the stock is another")
NOT_SHUFFLED = Sentence("record.not_shuffled", "not shuffled: these are the cards of another match")
BAD_PROOF = Sentence("record.bad_proof", "its proof is none")
REFUSED = Sentence(
    "record.refused",
    "Hand {hand}, action {action}: today’s rules refuse it. {reason} "
    "The rules have been amended since it was played, or the file was changed.",
)
REFUSED_BETWEEN = Sentence(
    "record.refused_between",
    "Before hand {hand}, action {action}: today’s rules refuse it. {reason} "
    "The rules have been amended since it was played, or the file was changed.",
)

NO_ACTION = Sentence("record.no_action", "Hand {hand}, action {action}: {reason}")
NO_ACTION_BETWEEN = Sentence("record.no_action_between", "Before hand {hand}, action {action}: {reason}")

ORIGIN_IS = Sentence(
    "record.origin_is",
    "A record’s “origin” says how its cards were known, “variation” or “deals”, and from which hand and move on, "
    "each a number from 0.",
)

ORIGIN_KEYS = ("how", "hand", "move")
WAYS = ("variation", "deals")
MOST_NUMBERED = 1_000_000

PROOF_KEYS = ("commitment", "secret", "seeds", "givers", "cut", "pack", "blocks", "list", "known")


@dataclass(frozen=True, slots=True)
class HandChecked:
    """One hand of a file, as far as it could be played."""

    number: int
    """From 0."""
    record: dict[str, Any]
    """The element of the file's `hands`, with nothing in it that a record has not."""
    society: dict[str, Any]
    """Right before its deal, as a record's `carried`: with it the hand can be played again by itself."""
    events: list[dict[str, Any]]
    """The public ones; `n` is 0 at the deal, k at the k-th action."""
    result: Mapping[str, Any]
    totals: dict[str, int] | None
    """Afterwards; None if it stopped before its end."""
    unfair: Said | None
    """What is wrong with its deal."""
    has_proof: bool
    """Whether it says at all how its deal came about."""
    kind: shuffle_proof.Kind | None = None
    """How far a fair deal can be trusted; None for a deal that is not fair."""
    left_out: tuple[str, ...] = ()
    """People on its closed list whose seeds did not come in time."""


@dataclass(frozen=True, slots=True)
class MatchChecked:
    """A match from a file, as far as it could be played."""

    start: Match
    """Before its first hand."""
    end: Match
    hands: tuple[HandChecked, ...]
    after: list[ActionJson]
    """What was done after the last hand."""
    refused: Said | None
    """Why it could be played no further."""
    carried: dict[str, Any] | None
    """What it goes on with, as the record says."""
    origin: dict[str, Any] | None
    """Where its cards come from, if they were known."""


def check(value: object, games: Mapping[str, AnyGame], each: Callable[[], None] = lambda: None) -> MatchChecked:
    """Play a record and look at every deal. May be `Unusable`. `each` is called before each step, and may raise."""
    start, elements = opened(value, games, kept=True)
    match, refused, hand = start, None, None
    origin, goes_on = _origin(value), isinstance(value, dict) and "carried" in value
    hands: list[_Playing] = []
    between: list[ActionJson] = []
    try:
        for moment in fold(start, elements):
            each()
            if moment.between:
                between.append(_made(moment))
            elif moment.is_deal:
                hand = _Playing(moment, elements[moment.hand], between)
                hands.append(hand)
                between = []
            match = moment.step.match
            if hand is not None:
                hand.note(moment)
    except Illegal as illegal:
        refused = _refused(illegal)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # What games remember is theirs: only they can tell that what a file says of it is none.
        if not goes_on:
            raise
        raise Unusable(RuleError("bad_record", CARRIED_IS())) from error
    told = tuple(each.checked() for each in hands)
    return MatchChecked(start, match, told, between, refused, start.carried() if goes_on else None, origin)


def _origin(value: object) -> dict[str, Any] | None:
    """Where the cards of a record come from, if it says so; `Unusable` if it says that in no way we know."""
    said: Any = value.get("origin") if isinstance(value, dict) else None
    if said is None:
        return None
    match said:
        case {"how": str(how), "hand": int(hand), "move": int(move)} if (
            how in WAYS and 0 <= hand <= MOST_NUMBERED and 0 <= move <= MOST_NUMBERED
        ):
            return {"how": how, "hand": int(hand), "move": int(move)}
        case _:
            raise Unusable(RuleError("bad_record", ORIGIN_IS()))


class _Playing:
    """A hand that is being played."""

    def __init__(self, deal: Moment, element: Mapping[str, Any], between: Sequence[ActionJson]) -> None:
        self._number = deal.hand
        self._element = element
        self._between = list(between)
        self._society = deal.before.carried()
        self._deal = deal_of(deal.before, element)
        self._unfair = unfair(deal.before, element)
        self._made: list[ActionJson] = []
        self._events: list[dict[str, Any]] = []
        self._match = deal.step.match

    def note(self, moment: Moment) -> None:
        """Something happened in this hand, or after it: that may change how it ended."""
        match = moment.step.match
        if moment.between:
            if match.last is not self._match.last:
                self._match = match
            return
        if not moment.is_deal:
            self._made.append(_made(moment))
        self._events += [{**event.to_json(), "n": len(self._made)} for event in moment.step.events if event.to is None]
        self._match = match

    def checked(self) -> HandChecked:
        """What is known of it now."""
        match = self._match
        over = not match.running and match.last is not None
        result = match.last if over and match.last else match.so_far()
        return HandChecked(
            self._number,
            self._record(),
            self._society,
            self._events,
            result.to_json(),
            dict(match.totals) if over else None,
            self._unfair,
            "fair" in self._element,
            None if self._unfair else shuffle_proof.kind_of(self._element["fair"]),
            () if self._unfair else tuple(shuffle_proof.left_out(self._element["fair"])),
        )

    def _record(self) -> dict[str, Any]:
        kept = self._deal.to_json()
        if "ranks" in self._element:
            kept["ranks"] = self._element["ranks"]
        proof = self._element.get("fair")
        if isinstance(proof, Mapping) and not (self._unfair and self._unfair.key == BAD_PROOF.key):
            kept["fair"] = {key: proof[key] for key in PROOF_KEYS if key in proof}
        kept["actions"] = self._made
        return kept | ({"between": self._between} if self._between else {})


def _made(moment: Moment) -> ActionJson:
    assert moment.action is not None
    return action_json(moment.action, moment.by)


def _refused(illegal: Illegal) -> Said:
    if illegal.error.code in MALFORMED:
        sentence = NO_ACTION_BETWEEN if illegal.between else NO_ACTION
    else:
        sentence = REFUSED_BETWEEN if illegal.between else REFUSED
    return sentence(hand=illegal.hand + 1, action=illegal.place + 1, reason=illegal.error.sentence)


def unfair(match: Match, hand: Mapping[str, Any]) -> Said | None:
    """What is wrong with the deal of a hand at this match before it; None: nothing."""
    proof = hand.get("fair")
    if proof is None:
        return NO_PROOF()
    if isinstance(proof, Mapping) and "known" in proof:
        return NOT_SHUFFLED()
    try:
        return _otherwise(match, hand, proof)
    except RuleError as error:  # no such card
        return NOT_PROVEN(reason=error.sentence)
    except ValueError as error:
        return NOT_PROVEN(reason=str(error))
    except (KeyError, TypeError, AttributeError):
        return BAD_PROOF()


def _otherwise(match: Match, hand: Mapping[str, Any], proof: Mapping[str, Any]) -> Said | None:
    """What was dealt otherwise than this proof deals it."""
    deck = shuffle_proof.verify(proof, match.deck())
    # What else is drawn in the hand comes of names, too, in older proofs: it is no part of them once one is taken out.
    seed = hand.get("seed") if "blocks" in proof else shuffle_proof.proven(proof).seed()
    if "list" in proof and match.game.deal_order(match).shown != proof["list"]["order"]:
        return OTHER_ORDER()
    wanted = match.deal(deck, seed)
    if wanted.dealer != hand["dealer"]:
        return OTHER_DEALER(dealer=hand["dealer"], wanted=wanted.dealer)
    for name, cards in wanted.cards.items():
        if sorted(cards) != sorted(parse_cards(hand["cards"].get(name, ""))):
            return OTHER_CARDS(name=name)
    if wanted.stock != parse_cards(hand.get("stock", "")):
        return OTHER_STOCK()
    return None
