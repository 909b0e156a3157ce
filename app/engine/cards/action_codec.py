"""Actions as JSON: the form of each action, how it is read and written, and what a page needs to offer it.

>>> parse_action({"do": "play", "cards": "7c 7d"})
Play(cards=('7c', '7d'), as_=None, call=None)
>>> action_json(Give(named_cards("3c")))
{'do': 'give', 'cards': '3c'}

`legal()` lists actions of this form, too; some without their particulars (`Offer()`, `Say()`, `Cut()`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, cast

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.cards.actions import (
    Action,
    Agree,
    AskLeave,
    Bomb,
    BreakOff,
    Clear,
    Cut,
    DealOut,
    Decree,
    Defy,
    Discard,
    Dispense,
    Done,
    Give,
    JoinMatch,
    Keep,
    LeaveMatch,
    Obey,
    Offer,
    OfferCut,
    Pass,
    Play,
    Refuse,
    Say,
    Shuffle,
    Swap,
    Touch,
)
from app.engine.cards.cards import MOST_CARDS, RANKS, named_cards, show

LONGEST_DECREE = 280
"""Characters in a decree."""

ONE_PACK = 52
"""Cards in a pack that is cut, unless the game says that there are more."""

SHORT_TEXT = Sentence("refused.short_text", "“{key}” is a short text.")


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is None or (isinstance(value, str) and 0 < len(value) <= 100):
        return value
    raise RuleError("bad_action", SHORT_TEXT(key=key))


A_RANK = Sentence("refused.a_rank", "“{key}” is a rank: 3 … 9 T J Q K A 2, or X for a joker.")


def _rank(fields: Mapping[str, Any], key: str) -> str | None:
    value = _text(fields, key)
    if value is not None and (len(value) != 1 or value not in RANKS + "X"):
        raise RuleError("bad_action", A_RANK(key=key))
    return value


PLAY_NAMES_CARDS = Sentence("refused.play_names_cards", "A play names its cards.")


def _play(fields: Mapping[str, Any]) -> Play:
    if not (cards := named_cards(fields.get("cards", ""))):
        raise RuleError("bad_action", PLAY_NAMES_CARDS())
    return Play(cards, _text(fields, "as"), _text(fields, "call"))


GIFT_NAMES_CARDS = Sentence("refused.gift_names_cards", "A gift names its cards.")

GIFT_NAMES_CARDS_OR_PEOPLE = Sentence(
    "refused.gift_names_cards_or_people",
    "A gift names its cards, or under “to” the cards for each person.",
)


def _give(fields: Mapping[str, Any]) -> Give:
    to = fields.get("to")
    if to is None:
        if "cards" not in fields:
            raise RuleError("bad_action", GIFT_NAMES_CARDS())
        return Give(named_cards(fields["cards"]))
    if not isinstance(to, dict) or "cards" in fields:
        raise RuleError("bad_action", GIFT_NAMES_CARDS_OR_PEOPLE())
    named = cast("dict[str, object]", to)
    return Give(to=tuple((name, named_cards(cards)) for name, cards in named.items()))


DISCARD_NAMES_CARDS = Sentence("refused.discard_names_cards", "Who lays cards aside names them (“cards”).")


def _discard(fields: Mapping[str, Any]) -> Discard:
    if "cards" not in fields:
        raise RuleError("bad_action", DISCARD_NAMES_CARDS())
    return Discard(named_cards(fields["cards"]))


BOMB_NAMES_RANKS = Sentence("refused.bomb_names_ranks", "A bomb names ranks, such as “4K” (“ranks”).")


def _bomb(fields: Mapping[str, Any]) -> Bomb:
    ranks = _text(fields, "ranks")
    if ranks is None:
        raise RuleError("bad_action", BOMB_NAMES_RANKS())
    return Bomb(ranks)


SAY_HAVE_OR_WANT = Sentence("refused.say_have_or_want", "Say either a rank that you have or one that you want.")


def _say(fields: Mapping[str, Any]) -> Say:
    have, want = _rank(fields, "have"), _rank(fields, "want")
    if (have is None) == (want is None):
        raise RuleError("bad_action", SAY_HAVE_OR_WANT())
    return Say(have, want)


OFFER_NAMES_CARDS = Sentence("refused.offer_names_cards", "An offer names its cards.")


def _offer(fields: Mapping[str, Any]) -> Offer:
    if "cards" not in fields:
        raise RuleError("bad_action", OFFER_NAMES_CARDS())
    return Offer(named_cards(fields["cards"]), _rank(fields, "claim"))


CUT_SAYS_WHERE = Sentence("refused.cut_says_where", "A cut says after how many cards (“at”).")


def _cut(fields: Mapping[str, Any]) -> Cut:
    at = fields.get("at")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= MOST_CARDS:
        raise RuleError("bad_action", CUT_SAYS_WHERE())
    return Cut(at)


DEAL_SAYS_WHO_IS_FIRST = Sentence(
    "refused.deal_says_who_is_first",
    "Who deals names who gets the first card (“first”).",
)


def _deal(fields: Mapping[str, Any]) -> DealOut:
    first = _text(fields, "first")
    if first is None:
        raise RuleError("bad_action", DEAL_SAYS_WHO_IS_FIRST())
    return DealOut(first)


DECREE_IS_A_TEXT = Sentence("refused.decree_is_a_text", "A decree is a text of at most {most} characters.")


def _decree(fields: Mapping[str, Any]) -> Decree:
    text = fields.get("text")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= LONGEST_DECREE:
        raise RuleError("bad_action", DECREE_IS_A_TEXT(most=LONGEST_DECREE))
    return Decree(text, _text(fields, "to"))


LEAST_HARMLESS = 99

Control = Literal["button", "beside", "cards", "gifts", "free_cards", "rank", "ranks", "number", "each", "text"]
"""What somebody does it with, on a page that knows no action by name.

- `button`: a button, and nothing else; `beside`: one for whoever chooses no cards, where others play some.
- `cards`: cards in one of the ways that are listed; `gifts`: cards for those to whom they are owed, or as many as the
  seat's particulars say; `free_cards`: any of one's cards, and a rank that they are said to be.
- `rank`: a rank, and a button for each of the fields that may name it; `ranks`: as many ranks as the seat's
  particulars say, in the first field; `number`: a number, in the first field.
- `each`: a button for each that is listed, called by its first field; `text`: words to one player or to many.
"""


@dataclass(frozen=True, slots=True)
class _Form:
    """What one action is, and how it is read."""

    of: type
    fields: tuple[str, ...] = ()
    """What may be said with it."""
    read: Callable[[Mapping[str, Any]], Action] | None = None
    """Its reader; None for one with nothing to read."""
    cost: int = LEAST_HARMLESS
    """What it may cost whoever does it without thinking: a clock takes the least."""
    talk: bool = False
    """Whether it may be done again and again: it wins no time, and there is an end to it."""
    grants: bool = False
    """Whether it gives somebody what they have asked for, so that a bot answers with it."""
    main: bool = False
    """Whether it is what people mostly come for, of what can be done beside it."""
    passes: bool = False
    """Whether it lets what lies on the table stand: a page may do it by itself for somebody who has said so."""
    control: Control = "button"
    """What somebody does it with."""
    least: int | None = None
    """The lowest number, unless a seat is told another; or the fewest characters."""
    most: int | None = None
    """The highest number, unless a seat is told another; or the most characters."""
    words: str | Mapping[str, str | Mapping[str, str]] = ""
    """What its button says; or that, and by name what else its control says. None, where a room has its own command."""

    def wordings(self) -> Mapping[str, str | Mapping[str, str]]:
        """What its control says, by name, and its button under no name."""
        if isinstance(self.words, str):
            return {"": self.words} if self.words else {}
        return self.words

    def to_json(self) -> dict[str, Any]:
        """What a page is told of it, to draw what it is done with."""
        bounds = {"least": self.least, "most": self.most}
        return {
            "main": self.main,
            "placed": self.control != "button",
            "control": self.control,
            "fields": self.fields,
            **({"passes": True} if self.passes else {}),
            **{name: bound for name, bound in bounds.items() if bound is not None},
        }


FORMS: dict[str, _Form] = {
    "play": _Form(
        Play,
        ("cards", "as", "call"),
        _play,
        cost=10,
        control="cards",
        words={"": "Play {cards}", "many": "Play {count} cards"},
    ),
    "pass": _Form(Pass, cost=0, passes=True, control="beside", words="Pass"),
    "give": _Form(
        Give,
        ("cards", "to"),
        _give,
        cost=9,
        control="gifts",
        words={
            "": "Give {cards}",
            "to": "Give {to} {cards}",
            "all": "Hand these gifts over",
            "none": "Hand on nothing",
        },
    ),
    "discard": _Form(
        Discard,
        ("cards",),
        _discard,
        cost=9,
        control="gifts",
        words={"": "Lay {cards} aside", "none": "Lay nothing aside"},
    ),
    "bomb": _Form(
        Bomb, ("ranks",), _bomb, cost=9, control="ranks", words={"": "Bomb {ranks}", "none": "Choose ranks to bomb"}
    ),
    "say": _Form(
        Say,
        ("have", "want"),
        _say,
        cost=14,
        talk=True,
        control="rank",
        words={"": "Rank", "have": "“I have one”", "want": "“I want one”"},
    ),
    "offer": _Form(
        Offer,
        ("cards", "claim"),
        _offer,
        cost=13,
        talk=True,
        control="free_cards",
        words={"": "Offer {cards}", "claim": "Claim", "claim.none": "the truth"},
    ),
    "agree": _Form(Agree, cost=12, talk=True, main=True, words="Agree"),
    "break_off": _Form(BreakOff, cost=3, words="Break off"),
    "done": _Form(Done, cost=2, words="No more swaps"),
    "clear": _Form(Clear, cost=8, main=True, words="Clear the pile away"),
    "touch": _Form(Touch, talk=True, words="Touch the pile"),
    "shuffle": _Form(Shuffle, cost=4, main=True, words="Shuffle"),
    "offer_cut": _Form(OfferCut, cost=5, main=True, words="Offer the cut"),
    "cut": _Form(
        Cut,
        ("at",),
        _cut,
        cost=6,
        control="number",
        least=1,
        most=ONE_PACK - 1,
        words={"": "Cut here", "at": {"one": "Cut after {count} card", "other": "Cut after {count} cards"}},
    ),
    "deal": _Form(DealOut, ("first",), _deal, cost=7, control="each", words="Who gets the first card?"),
    "keep": _Form(Keep, cost=1, words="Keep it"),
    "swap": _Form(Swap, cost=11, main=True, words="Swap"),
    "decree": _Form(
        Decree,
        ("text", "to"),
        _decree,
        talk=True,
        control="text",
        least=1,
        most=LONGEST_DECREE,
        words={
            "": "Decree …",
            "title": "A decree",
            "to": "To",
            "to.all": "everybody",
            "to.some": "everybody below you",
            "text": "Your order",
            "go": "Proclaim it",
        },
    ),
    "obey": _Form(Obey, talk=True, words="Obey"),
    "defy": _Form(Defy, talk=True, words="Defy"),
    "join": _Form(JoinMatch),
    "leave": _Form(LeaveMatch),
    "ask_leave": _Form(AskLeave, words="Ask leave to go"),
    "dispense": _Form(Dispense, grants=True, words="Let the serf go"),
    "refuse": _Form(Refuse, words="Refuse leave"),
}
"""Every action of every game by its name in JSON."""

for _name, _form in FORMS.items():
    for _wording, _words in _form.wordings().items():
        Sentence(f"action.{_name}.{_wording}".rstrip("."), _words)

TALK = frozenset(form.of for form in FORMS.values() if form.talk)
"""What may be done again and again."""

NAMES: dict[type, str] = {form.of: name for name, form in FORMS.items()}

_SAID = {form.of: frozenset((*form.fields, "do", "by")) for form in FORMS.values()}
"""What may be said of an action."""

_BARE: frozenset[type] = frozenset(form.of for form in FORMS.values() if not form.fields)
"""Actions without particulars, which are every other one that is made."""

ACTION_HAS_NO_FIELD = Sentence("refused.action_has_no_field", "“{do}” has no “{field}”.")

NO_SUCH_ACTION = Sentence("refused.no_such_action", "There is no action “{name}”.")

ACTION_IS_AN_OBJECT = Sentence("refused.action_is_an_object", "An action is an object with “do”.")


def parse_action(value: object) -> Action:
    """An action from its JSON form (`by` is the caller's business); `bad_action`."""
    if not isinstance(value, dict):
        raise RuleError("bad_action", ACTION_IS_AN_OBJECT())
    fields = cast("dict[str, Any]", value)
    form = FORMS.get(do) if isinstance(do := fields.get("do"), str) else None
    if form is None:
        raise RuleError("bad_action", NO_SUCH_ACTION(name=str(fields.get("do"))[:30]))
    if not fields.keys() <= (said := _SAID[form.of]):
        unknown = min(map(str, fields.keys() - said))
        raise RuleError("bad_action", ACTION_HAS_NO_FIELD(do=str(do), field=unknown[:30]))
    return form.of() if form.read is None else form.read(fields)


ActionJson: TypeAlias = Annotated[dict[str, Any], "Action"]
"""An action as JSON, as records and the wire have it."""


def action_json(action: Action, by: str | None = None) -> ActionJson:
    """The JSON form, as records and the wire have it; empty particulars are left out."""
    out: dict[str, Any] = {"do": NAMES[type(action)]}
    if by is not None:
        out["by"] = by
    if type(action) in _BARE:
        return out
    match action:
        case Play():
            out["cards"] = show(action.cards)
            if action.as_ is not None:
                out["as"] = action.as_
            if action.call is not None:
                out["call"] = action.call
        case Give(to=to) if to:
            out["to"] = {name: show(cards) for name, cards in to}
        case Give() | Discard():
            out["cards"] = show(action.cards)
        case Bomb():
            out["ranks"] = action.ranks
        case Offer():
            if action.cards:
                out["cards"] = show(action.cards)
            if action.claim is not None:
                out["claim"] = action.claim
        case Say():
            out.update({k: v for k, v in (("have", action.have), ("want", action.want)) if v is not None})
        case Cut():
            out.update({"at": action.at} if action.at is not None else {})
        case DealOut():
            out["first"] = action.first
        case Decree():
            out["text"] = action.text
            if action.to is not None:
                out["to"] = action.to
        case _:
            pass
    return out
