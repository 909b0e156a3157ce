"""Find faults of translations: wrong placeholders, missing plural forms, texts that are too long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.web.i18n.tiers import is_required
from app.web.i18n.translations import COUNT, SourceText, Translation
from app.web.i18n.translator_notes import PLACEHOLDER, length_limit

SAME: Final = "same"
"""The translator’s comment on a text that is the same as in English."""


@dataclass(slots=True)
class Findings:
    """What the check of one language has found, by key."""

    language: str
    required: int = 0
    """The number of texts that the language must have."""
    faults: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    """Texts whose English has changed, and those that a translator has marked as fuzzy."""
    unmarked: list[str] = field(default_factory=list)
    """Translations that are the same as the English text, without the comment that this is right."""
    unmet: list[str] = field(default_factory=list)
    """Texts that are missing, stale or unmarked, although the file says that they are complete."""

    @property
    def is_failed(self) -> bool:
        """Whether the check fails."""
        return bool(self.faults or self.unmet)


def check_translation(translation: Translation, sources: Mapping[str, SourceText]) -> Findings:
    """Return the findings about all texts of one language."""
    findings = Findings(translation.language)
    for key, source in sources.items():
        is_needed = is_required(key, translation.completeness)
        findings.required += is_needed
        listed = {"missing": findings.missing, "stale": findings.stale}.get(translation.state(source))
        if listed is None and _is_unmarked(translation, source):
            listed = findings.unmarked
        # Variants of remarks may be missing.
        if listed is not None and (listed is not findings.missing or is_required(key, "all")):
            listed.append(key)
            if is_needed:
                findings.unmet.append(key)
        if translation.state(source) != "stale":
            findings.faults += [f"{key}: {fault}" for fault in _faults(source, translation.strings(key))]
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
