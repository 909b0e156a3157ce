"""The catalogue of texts: what a person reads comes from `static/messages/en.json`, here as in the browser."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

_PLACE = re.compile(r"\{(\w+)\}")


class Texts:
    """Texts by key, with `{name}` for what is filled in.

    >>> texts = Texts({"hello": "Hello, {name}!", "cards.one": "one card", "cards.other": "{count} cards"})
    >>> texts.t("hello", name="Ana"), texts.t("cards", count=1), texts.t("cards", count=3), texts.t("nothing")
    ('Hello, Ana!', 'one card', '3 cards', 'nothing')
    """

    def __init__(self, catalogue: dict[str, str]) -> None:
        self._catalogue = catalogue

    @classmethod
    def read(cls, path: Path) -> "Texts":
        """The catalogue of this file."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def __contains__(self, key: str) -> bool:
        return key in self._catalogue or f"{key}.other" in self._catalogue

    def t(self, key: str, **values: object) -> str:
        """The text of a key; with `count`, `key.one` or `key.other` where they are there. An unknown key is itself."""
        form = ""
        if "count" in values:
            form = ".one" if values["count"] in (1, -1) else ".other"
        known = self._catalogue
        text = known.get(key + form) or known.get(key) or known.get(f"{key}.other")
        if text is None:
            return key
        return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), text)

    def listed(self, names: Sequence[str]) -> str:
        """Names as a sentence has them: “Ana, Bob and Cat”."""
        if len(names) < 2:
            return names[0] if names else ""
        return self.t("list.and", some=", ".join(names[:-1]), last=names[-1])
