"""What happened, in words, for pages that are made here: an event as whoever looks on is told it.

The same as `static/js/events/labels.js` says at the table; `tests/told.json` holds the two together.
"""

from collections.abc import Mapping
from typing import Any, Final

from app.engine.cards.cards import in_words, parse_cards
from app.web.i18n.catalogues import Texts

_SETS: Final = frozenset(("single", "pair", "triple", "four", "five", "six", "seven", "eight"))
"""Kinds whose cards show what they count as, but for wild ones."""


def sentence(event: Mapping[str, Any], texts: Texts) -> str:
    """Say an event, in the most particular wording that it was declared with; nothing if there is nothing to say."""
    values = {name: _worded(name, value, texts) for name, value in event.items()}
    if "as" in event:
        values["as"] = _stands_for(event, texts)
    told: dict[str, object] = {**values}
    if (count := _count(event)) is not None:
        told["count"] = count
    base = f"event.{event['e']}"
    # Of what it has to say, the last is the most particular.
    wordings = [f"{base}.{name}" for name in reversed(values) if values[name]]
    for key in (*wordings, base):
        if key in texts:
            return texts.t(key, **told)
    what = str(event["e"]).replace("_", " ")
    return texts.t("log.unknown.by", what=what, by=event["by"]) if "by" in event else texts.t("log.unknown", what=what)


def title(name: str | None, texts: Texts) -> str:
    """Say what somebody is called by their place; what a host made up stays as it is."""
    if not name:
        return ""
    return texts.t(f"title.{name}") if f"title.{name}" in texts else name


def _worded(name: str, value: Any, texts: Texts) -> str:
    """Say one of the things that an event tells."""
    match name, value:
        case _, None | {}:
            return ""
        case "cards" | "card" | "taken" | "given", str() | list():
            return texts.say(in_words(parse_cards(value if isinstance(value, str) else " ".join(value))))
        case "title", str():
            return title(value, texts)
        case "rank" | "have" | "want" | "claim", _:
            return texts.t(f"rank.{value}")
        case "ranks", str():
            return texts.listed([texts.t(f"rank.{rank}") for rank in value])
        case "kind" | "call", _:
            return _named(f"{name}.{value}", str(value).replace("_", " ") if name == "kind" else str(value), texts)
        case "as", _:
            return _as(str(value), texts)
        case _, list():
            return texts.listed([texts.listed(each) if isinstance(each, list) else str(each) for each in value])
        case _:
            return str(value)


def _named(key: str, otherwise: str, texts: Texts) -> str:
    return texts.t(key) if key in texts else otherwise


def _as(value: str, texts: Texts) -> str:
    """Say what a wild card or a run stands for."""
    return texts.t(f"rank.{value}") if len(value) == 1 else value.replace("_", " ")


def _stands_for(event: Mapping[str, Any], texts: Texts) -> str:
    """Say what a play counts as, where its cards don't show it; nothing where they do."""
    stands, cards = event["as"], event.get("cards")
    if not isinstance(stands, str) or not isinstance(cards, str) or event.get("kind") not in _SETS:
        return ""
    return _as(stands, texts) if any(card[0] != stands for card in cards.split()) else ""


def _count(event: Mapping[str, Any]) -> int | None:
    """Tell how many of something there are, for the plural form."""
    count, cards = event.get("count"), event.get("cards")
    if isinstance(count, int):
        return count
    return len(cards.split()) if isinstance(cards, str) else None
