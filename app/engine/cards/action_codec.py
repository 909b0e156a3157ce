"""Actions as JSON: the form of each action, how it is read and written, and what a page needs to offer it.

>>> parse_action({"do": "play", "cards": "7c 7d"})
Play(cards=('7c', '7d'), as_=None, call=None)
>>> action_to_json(Give(parse_card_names("3c")))
{'do': 'give', 'cards': '3c'}

`legal_actions()` yields these actions, too; some without their values (`Offer()`, `AnnounceRank()`, `Cut()`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.actions import (
    AcceptOffers,
    Action,
    AnnounceRank,
    Bomb,
    ClearTrick,
    Cut,
    DealByHand,
    Decree,
    Defy,
    Discard,
    EndSwaps,
    EndTalks,
    Give,
    GrantLeave,
    JoinMatch,
    Keep,
    LeaveMatch,
    Obey,
    Offer,
    OfferCut,
    Pass,
    Play,
    RefuseLeave,
    RequestLeave,
    Shuffle,
    Swap,
    TouchPile,
)
from app.engine.cards.cards import MAX_CARDS, RANKS, format_cards, parse_card_names

MAX_DECREE_LENGTH = 280
"""Maximum length of a decree in characters."""

DEFAULT_DECK_SIZE = 52
"""Number of cards in a deck that is cut, unless the game gives a larger number."""

SHORT_TEXT = MessageTemplate("refused.short_text", "“{key}” must be a short text.")


def _read_optional_text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is None or (isinstance(value, str) and 0 < len(value) <= 100):
        return value
    raise RuleError("bad_action", SHORT_TEXT(key=key))


A_RANK = MessageTemplate("refused.a_rank", "“{key}” must be a rank: 3 … 9 T J Q K A 2, or X for a joker.")


def _read_optional_rank(fields: Mapping[str, Any], key: str) -> str | None:
    value = _read_optional_text(fields, key)
    if value is not None and (len(value) != 1 or value not in RANKS + "X"):
        raise RuleError("bad_action", A_RANK(key=key))
    return value


PLAY_NAMES_CARDS = MessageTemplate("refused.play_names_cards", "A play must name its cards.")


def _parse_play(fields: Mapping[str, Any]) -> Play:
    if not (cards := parse_card_names(fields.get("cards", ""))):
        raise RuleError("bad_action", PLAY_NAMES_CARDS())
    return Play(cards, _read_optional_text(fields, "as"), _read_optional_text(fields, "call"))


GIFT_NAMES_CARDS = MessageTemplate("refused.gift_names_cards", "A gift must name its cards.")

GIFT_NAMES_CARDS_OR_PEOPLE = MessageTemplate(
    "refused.gift_names_cards_or_people",
    "A gift must name its cards, or under “to” the cards for each player.",
)


def _parse_give(fields: Mapping[str, Any]) -> Give:
    to = fields.get("to")
    if to is None:
        if "cards" not in fields:
            raise RuleError("bad_action", GIFT_NAMES_CARDS())
        return Give(parse_card_names(fields["cards"]))
    if not isinstance(to, dict) or "cards" in fields:
        raise RuleError("bad_action", GIFT_NAMES_CARDS_OR_PEOPLE())
    named = cast("dict[str, object]", to)
    return Give(to=tuple((name, parse_card_names(cards)) for name, cards in named.items()))


DISCARD_NAMES_CARDS = MessageTemplate("refused.discard_names_cards", "A discard must name its cards (“cards”).")


def _parse_discard(fields: Mapping[str, Any]) -> Discard:
    if "cards" not in fields:
        raise RuleError("bad_action", DISCARD_NAMES_CARDS())
    return Discard(parse_card_names(fields["cards"]))


BOMB_NAMES_RANKS = MessageTemplate("refused.bomb_names_ranks", "A bomb must name ranks (“ranks”), such as “4K”.")


def _parse_bomb(fields: Mapping[str, Any]) -> Bomb:
    ranks = _read_optional_text(fields, "ranks")
    if ranks is None:
        raise RuleError("bad_action", BOMB_NAMES_RANKS())
    return Bomb(ranks)


SAY_HAVE_OR_WANT = MessageTemplate(
    "refused.say_have_or_want", "Name either a rank that you have or a rank that you want."
)


def _parse_say(fields: Mapping[str, Any]) -> AnnounceRank:
    have, want = _read_optional_rank(fields, "have"), _read_optional_rank(fields, "want")
    if (have is None) == (want is None):
        raise RuleError("bad_action", SAY_HAVE_OR_WANT())
    return AnnounceRank(have, want)


OFFER_NAMES_CARDS = MessageTemplate("refused.offer_names_cards", "An offer must name its cards.")


def _parse_offer(fields: Mapping[str, Any]) -> Offer:
    if "cards" not in fields:
        raise RuleError("bad_action", OFFER_NAMES_CARDS())
    return Offer(parse_card_names(fields["cards"]), _read_optional_rank(fields, "claim"))


CUT_SAYS_WHERE = MessageTemplate("refused.cut_says_where", "A cut must say where to cut (“at”, a number of cards).")


def _parse_cut(fields: Mapping[str, Any]) -> Cut:
    at = fields.get("at")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= MAX_CARDS:
        raise RuleError("bad_action", CUT_SAYS_WHERE())
    return Cut(at)


DEAL_SAYS_WHO_IS_FIRST = MessageTemplate(
    "refused.deal_says_who_is_first",
    "A deal must name the player who gets the first card (“first”).",
)


def _parse_deal(fields: Mapping[str, Any]) -> DealByHand:
    first = _read_optional_text(fields, "first")
    if first is None:
        raise RuleError("bad_action", DEAL_SAYS_WHO_IS_FIRST())
    return DealByHand(first)


DECREE_IS_A_TEXT = MessageTemplate("refused.decree_is_a_text", "A decree must be a text of at most {most} characters.")


def _parse_decree(fields: Mapping[str, Any]) -> Decree:
    text = fields.get("text")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_DECREE_LENGTH:
        raise RuleError("bad_action", DECREE_IS_A_TEXT(most=MAX_DECREE_LENGTH))
    return Decree(text, _read_optional_text(fields, "to"))


HIGHEST_RISK = 99

Control = Literal["button", "beside", "cards", "gifts", "free_cards", "rank", "ranks", "number", "each", "text"]
"""The control by which a page offers an action, so that the page need not know each action by name.

- `button`: a button alone. `beside`: a button for players who choose no cards, where others play some.
- `cards`: one of the listed choices of cards. `gifts`: cards for the players to whom they are owed, or the number of
  cards that the seat's limits give. `free_cards`: any of the player's cards, with the rank that the player claims.
- `rank`: a rank, and a button for each field that may name the rank. `ranks`: the number of ranks that the seat's
  limits give, in the first field. `number`: a number, in the first field.
- `each`: a button for each listed action, labelled with its first field. `text`: a text to one or more players.
"""


@dataclass(frozen=True, slots=True)
class _ActionSpec:
    """How one kind of action is read from JSON, offered on a page, and ranked by risk when time runs out."""

    action_type: type
    fields: tuple[str, ...] = ()
    """Names of the JSON fields that the action may have."""
    parse: Callable[[Mapping[str, Any]], Action] | None = None
    """Reads the action from its JSON fields; None for an action without fields."""
    risk: int = HIGHEST_RISK
    """How costly the action may be if done without thought, up to 99. When time runs out, the lowest risk is chosen."""
    is_repeatable: bool = False
    """Whether the action can be repeated. It does not extend the player's time, and the number of repeats is limited.
    """
    grants_request: bool = False
    """Whether the action grants a player's request. Bots answer requests with it."""
    is_primary: bool = False
    """Whether a page shows this action as the main one among the offered buttons."""
    is_pass: bool = False
    """Whether the action leaves the cards on the table unbeaten. A page may then do it for a player who asked for
    that."""
    control: Control = "button"
    """The control by which a page offers the action."""
    least: int | None = None
    """The lowest number, unless the seat has its own limit; for a text, the fewest characters."""
    most: int | None = None
    """The highest number, unless the seat has its own limit; for a text, the most characters."""
    labels: str | Mapping[str, str | Mapping[str, str]] = ""
    """The button's label, or all labels of the control by name. Empty where a room has its own command."""

    def labels_by_name(self) -> Mapping[str, str | Mapping[str, str]]:
        """Return the labels of the action's control by name; the button's own label has an empty name."""
        if isinstance(self.labels, str):
            return {"": self.labels} if self.labels else {}
        return self.labels

    def to_json(self) -> dict[str, Any]:
        """Return the parts of the action's spec that a page needs to draw its control."""
        bounds = {"least": self.least, "most": self.most}
        return {
            "main": self.is_primary,
            "placed": self.control != "button",
            "control": self.control,
            "fields": self.fields,
            **({"passes": True} if self.is_pass else {}),
            **{name: bound for name, bound in bounds.items() if bound is not None},
        }


ACTION_SPECS: dict[str, _ActionSpec] = {
    "play": _ActionSpec(
        Play,
        ("cards", "as", "call"),
        _parse_play,
        risk=10,
        control="cards",
        labels={"": "Play {cards}", "many": "Play {count} cards"},
    ),
    "pass": _ActionSpec(Pass, risk=0, is_pass=True, control="beside", labels="Pass"),
    "give": _ActionSpec(
        Give,
        ("cards", "to"),
        _parse_give,
        risk=9,
        control="gifts",
        labels={
            "": "Give {cards}",
            "to": "Give {to} {cards}",
            "all": "Give these cards",
            "none": "Give nothing",
        },
    ),
    "discard": _ActionSpec(
        Discard,
        ("cards",),
        _parse_discard,
        risk=9,
        control="gifts",
        labels={"": "Discard {cards}", "none": "Discard nothing"},
    ),
    "bomb": _ActionSpec(
        Bomb,
        ("ranks",),
        _parse_bomb,
        risk=9,
        control="ranks",
        labels={"": "Bomb {ranks}", "none": "Choose ranks to bomb"},
    ),
    "say": _ActionSpec(
        AnnounceRank,
        ("have", "want"),
        _parse_say,
        risk=14,
        is_repeatable=True,
        control="rank",
        labels={"": "Announce a rank", "have": "“I have one”", "want": "“I want one”"},
    ),
    "offer": _ActionSpec(
        Offer,
        ("cards", "claim"),
        _parse_offer,
        risk=13,
        is_repeatable=True,
        control="free_cards",
        labels={"": "Offer {cards}", "claim": "Claimed rank", "claim.none": "true rank"},
    ),
    "agree": _ActionSpec(AcceptOffers, risk=12, is_repeatable=True, is_primary=True, labels="Agree"),
    "break_off": _ActionSpec(EndTalks, risk=3, labels="End talks"),
    "done": _ActionSpec(EndSwaps, risk=2, labels="Finish swapping"),
    "clear": _ActionSpec(ClearTrick, risk=8, is_primary=True, labels="Clear pile"),
    "touch": _ActionSpec(TouchPile, is_repeatable=True, labels="Touch pile"),
    "shuffle": _ActionSpec(Shuffle, risk=4, is_primary=True, labels="Shuffle"),
    "offer_cut": _ActionSpec(OfferCut, risk=5, is_primary=True, labels="Offer cut"),
    "cut": _ActionSpec(
        Cut,
        ("at",),
        _parse_cut,
        risk=6,
        control="number",
        least=1,
        most=DEFAULT_DECK_SIZE - 1,
        labels={"": "Cut here", "at": {"one": "Cut after {count} card", "other": "Cut after {count} cards"}},
    ),
    "deal": _ActionSpec(
        DealByHand, ("first",), _parse_deal, risk=7, control="each", labels="Choose who gets the first card"
    ),
    "keep": _ActionSpec(Keep, risk=1, labels="Keep card"),
    "swap": _ActionSpec(Swap, risk=11, labels="Swap card"),
    "decree": _ActionSpec(
        Decree,
        ("text", "to"),
        _parse_decree,
        is_repeatable=True,
        control="text",
        least=1,
        most=MAX_DECREE_LENGTH,
        labels={
            "": "Decree …",
            "title": "Decree",
            "to": "For",
            "to.all": "everyone",
            "to.some": "everyone below you",
            "about": "A wish for fun, such as “Fetch the snacks!” The player who gets it may obey or defy.",
            "text": "Text of the decree",
            "go": "Send decree",
        },
    ),
    "obey": _ActionSpec(Obey, is_repeatable=True, labels="Obey"),
    "defy": _ActionSpec(Defy, is_repeatable=True, labels="Defy"),
    "join": _ActionSpec(JoinMatch),
    "leave": _ActionSpec(LeaveMatch),
    "ask_leave": _ActionSpec(RequestLeave, labels="Ask to leave"),
    "dispense": _ActionSpec(GrantLeave, grants_request=True, labels="Let serf leave"),
    "refuse": _ActionSpec(RefuseLeave, labels="Refuse request"),
}
"""Every action of every game by its name in JSON."""

for _name, _form in ACTION_SPECS.items():
    for _wording, _words in _form.labels_by_name().items():
        MessageTemplate(f"action.{_name}.{_wording}".rstrip("."), _words)

REPEATABLE_ACTIONS = frozenset(form.action_type for form in ACTION_SPECS.values() if form.is_repeatable)
"""Types of the actions that a player may repeat."""

ACTION_NAMES: dict[type, str] = {form.action_type: name for name, form in ACTION_SPECS.items()}

_ALLOWED_FIELDS = {form.action_type: frozenset((*form.fields, "do", "by")) for form in ACTION_SPECS.values()}
"""JSON fields that each action may have."""

_FIELDLESS_ACTIONS: frozenset[type] = frozenset(form.action_type for form in ACTION_SPECS.values() if not form.fields)
"""Actions without fields; about every second action of a hand is one of them."""

ACTION_HAS_NO_FIELD = MessageTemplate("refused.action_has_no_field", "“{do}” has no “{field}”.")

NO_SUCH_ACTION = MessageTemplate("refused.no_such_action", "The action “{name}” does not exist.")

ACTION_IS_AN_OBJECT = MessageTemplate("refused.action_is_an_object", "An action must be an object with “do”.")


def parse_action(value: object) -> Action:
    """Return the action for its JSON form; raise `RuleError` if the form is invalid.

    Whether cards exist or the action is legal is not checked here. The field `by` is allowed and ignored: callers
    handle it.
    """
    if not isinstance(value, dict):
        raise RuleError("bad_action", ACTION_IS_AN_OBJECT())
    fields = cast("dict[str, Any]", value)
    form = ACTION_SPECS.get(do) if isinstance(do := fields.get("do"), str) else None
    if form is None:
        raise RuleError("bad_action", NO_SUCH_ACTION(name=str(fields.get("do"))[:30]))
    if not fields.keys() <= (said := _ALLOWED_FIELDS[form.action_type]):
        unknown = min(map(str, fields.keys() - said))
        raise RuleError("bad_action", ACTION_HAS_NO_FIELD(do=str(do), field=unknown[:30]))
    return form.action_type() if form.parse is None else form.parse(fields)


ActionJson: TypeAlias = Annotated[dict[str, Any], "Action"]
"""An action as JSON, in records and in the protocol."""


def action_to_json(action: Action, by: str | None = None) -> ActionJson:
    """Return the JSON form of an action, with its player if `by` is given, for records and the protocol.

    Empty fields are left out.
    """
    out: dict[str, Any] = {"do": ACTION_NAMES[type(action)]}
    if by is not None:
        out["by"] = by
    if type(action) in _FIELDLESS_ACTIONS:
        return out
    match action:
        case Play():
            out["cards"] = format_cards(action.cards)
            if action.as_ is not None:
                out["as"] = action.as_
            if action.call is not None:
                out["call"] = action.call
        case Give(to=to) if to:
            out["to"] = {name: format_cards(cards) for name, cards in to}
        case Give() | Discard():
            out["cards"] = format_cards(action.cards)
        case Bomb():
            out["ranks"] = action.ranks
        case Offer():
            if action.cards:
                out["cards"] = format_cards(action.cards)
            if action.claim is not None:
                out["claim"] = action.claim
        case AnnounceRank():
            out.update({k: v for k, v in (("have", action.have), ("want", action.want)) if v is not None})
        case Cut():
            out.update({"at": action.at} if action.at is not None else {})
        case DealByHand():
            out["first"] = action.first
        case Decree():
            out["text"] = action.text
            if action.to is not None:
                out["to"] = action.to
        case _:
            pass
    return out
