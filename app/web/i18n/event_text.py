"""Events in words, for pages rendered on the server: an event as its viewer may see it.

`static/js/events/labels.js` makes the same texts at the table; `tests/told.json` checks that both agree.
"""

from collections.abc import Mapping
from typing import Any, Final

from app.engine.cards.cards import describe_cards, parse_cards
from app.web.i18n.catalogues import Texts

_SETS: Final = frozenset(("single", "pair", "triple", "four", "five", "six", "seven", "eight"))
"""Kinds of sets, whose cards show their rank unless they are wild."""


def game_name(game: str, texts: Texts) -> str:
    """Return a game's name in one language; its key if the game no longer exists."""
    return texts.t(f"game.{game}") if f"game.{game}" in texts else game


def event_sentence(event: Mapping[str, Any], texts: Texts) -> str:
    """Return a game event (JSON, as its viewer may see it) as a sentence of this language.

    Uses the most specific wording that is declared for the event. Empty if its text is empty. An event without texts
    gives a general sentence with its name. A winner of a trick who leads the next one needs no wording for it.
    """
    values = {name: _value_text(name, value, texts) for name, value in event.items()}
    if "as" in event:
        values["as"] = _wild_as(event, texts)
    if event.get("leads") == event.get("by"):
        values.pop("leads", None)
    shown: dict[str, object] = {**values}
    if (count := _plural_count(event)) is not None:
        shown["count"] = count
    base = f"event.{event['e']}"
    # The event's last value has the most specific wording.
    wordings = [f"{base}.{name}" for name in reversed(values) if values[name]]
    for key in (*wordings, base):
        if key in texts:
            return texts.t(key, **shown)
    what = str(event["e"]).replace("_", " ")
    return texts.t("log.unknown.by", what=what, by=event["by"]) if "by" in event else texts.t("log.unknown", what=what)


def title_text(name: str | None, texts: Texts) -> str:
    """Return the name of a title (such as President) in this language; a host's own title stays unchanged.

    Empty for None.
    """
    if not name:
        return ""
    return texts.t(f"title.{name}") if f"title.{name}" in texts else name


def _value_text(name: str, value: Any, texts: Texts) -> str:
    """Return one value of a game event in words of this language; `name` is its key. Empty for None."""
    match name, value:
        case _, None | {}:
            return ""
        case "cards" | "card" | "taken" | "given", str() | list():
            return texts.say(describe_cards(parse_cards(value if isinstance(value, str) else " ".join(value))))
        case "text", str():
            return texts.bot_text(value)
        case "title" | "before" | "after", str():
            return title_text(value, texts)
        case "rank" | "have" | "want" | "claim", _:
            return texts.t(f"rank.{value}")
        case "ranks", str():
            return texts.join_list([texts.t(f"rank.{rank}") for rank in value])
        case "kind" | "call", _:
            return _text_or_default(
                f"{name}.{value}", str(value).replace("_", " ") if name == "kind" else str(value), texts
            )
        case _, list():
            return texts.join_list([texts.join_list(each) if isinstance(each, list) else str(each) for each in value])
        case _:
            return str(value)


def _text_or_default(key: str, otherwise: str, texts: Texts) -> str:
    return texts.t(key) if key in texts else otherwise


def _wild_as(event: Mapping[str, Any], texts: Texts) -> str:
    """Return the name of the rank that a set with wild cards counts as, for an event; empty if its cards show it."""
    rank, cards = event["as"], event.get("cards")
    if not rank or not isinstance(cards, str) or event.get("kind") not in _SETS:
        return ""
    return texts.t(f"rank.{rank}") if any(card[0] != rank for card in cards.split()) else ""


def _plural_count(event: Mapping[str, Any]) -> int | None:
    """Return the number by which an event's text takes its plural form: a count, or the number of cards.

    None if it has neither.
    """
    count, cards = event.get("count"), event.get("cards")
    if isinstance(count, int):
        return count
    return len(cards.split()) if isinstance(cards, str) else None
