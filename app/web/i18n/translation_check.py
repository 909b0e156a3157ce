"""Find faults of translations: wrong placeholders, missing plural forms, texts that are too long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.web.i18n.tiers import COMPLETENESSES, is_first_tier, is_optional
from app.web.i18n.translations import COUNT, SourceText, Translation, in_file_order
from app.web.i18n.translator_notes import PLACEHOLDER, length_limit

SAME: Final = "same"
"""The translator’s comment on a text that is the same as in English."""
UNMARKED: Final = "same as in English, without “# same”"


@dataclass(slots=True)
class Findings:
    """What the check of one language has found."""

    translation: Translation
    total: int = 0
    """The number of texts for which the language is checked."""
    faults: list[str] = field(default_factory=list)
    unfinished: dict[str, str] = field(default_factory=dict)
    """Texts that are missing, fuzzy or unmarked: why, by key."""

    @property
    def is_failed(self) -> bool:
        """Whether the check fails: unfinished texts may only be in an unfinished file."""
        return bool(self.faults or (self.unfinished and self.translation.completeness != "no"))


def check_translation(translation: Translation, sources: Mapping[str, SourceText]) -> Findings:
    """Return the findings about the texts that the file says it has, or about all if it says it is unfinished."""
    findings = Findings(translation)
    if translation.completeness is None:
        lines = ", ".join(f"“# Complete: {word}”" for word in COMPLETENESSES)
        findings.faults.append(f"the first lines of the file must have one of these: {lines}")
    for source in in_file_order(sources):
        key, state = source.key, translation.state(source)
        if state != "fuzzy":
            findings.faults += [f"{key}: {fault}" for fault in _faults(source, translation.strings(key))]
        is_later = translation.completeness == "first" and not is_first_tier(key)
        if is_later or (state == "missing" and is_optional(key)):
            continue
        findings.total += 1
        if state != "done":
            findings.unfinished[key] = state
        elif _is_unmarked(translation, source):
            findings.unfinished[key] = UNMARKED
    return findings


def _is_unmarked(translation: Translation, source: SourceText) -> bool:
    message = translation.message(source.key)
    if message is None or SAME in message.user_comments:
        return False
    return any(
        text in source.wordings and any(letter.isalpha() for letter in PLACEHOLDER.sub("", text))
        for text in translation.strings(source.key)
    )


def _faults(source: SourceText, strings: tuple[str, ...]) -> Iterator[str]:
    """Yield the faults of a translation, or of its plural forms."""
    if not any(strings):
        return
    if not all(strings):
        yield f"{strings.count('')} of {len(strings)} plural forms are missing"
    is_plural = not isinstance(source.id, str)
    allowed = set(PLACEHOLDER.findall(" ".join(source.wordings))) | ({"count"} if is_plural else set())
    # A form such as “one card” needs no number.
    needed = allowed - {"count"} if is_plural else allowed
    limit = length_limit(source.key)
    for text in filter(None, strings):
        used = set(PLACEHOLDER.findall(text))
        if unknown := used - allowed:
            yield f"unknown placeholder {_braced(unknown)}"
        if left_out := needed - used:
            yield f"placeholder {_braced(left_out)} is missing"
        if text.count("{") != len(PLACEHOLDER.findall(text)) or text.count("}") != text.count("{"):
            yield "a brace that belongs to no placeholder"
        if limit is not None and (length := len(PLACEHOLDER.sub("", text))) > limit:
            yield f"{length} characters, at most {limit} fit"
    if is_plural and COUNT not in "".join(strings) and any(COUNT in text for text in source.wordings):
        yield f"placeholder {COUNT} is missing in all forms"


def _braced(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
