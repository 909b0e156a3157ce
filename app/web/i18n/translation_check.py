"""Find faults of translations: wrong placeholders, missing plural forms, texts that are too long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from app.web.i18n.tiers import COMPLETENESSES, is_first_tier, is_optional
from app.web.i18n.translations import SourceText, Translation, in_file_order
from app.web.i18n.translator_notes import PLACEHOLDER, length_limit

SAME: Final = "same"
"""The translator’s comment on a text that is the same as in English."""
UNMARKED: Final = "same as in English, without “# same”"
MISSING: Final = "missing"
UNKNOWN: Final = "unknown key"


@dataclass(slots=True)
class Findings:
    """What the check of one language has found."""

    translation: Translation
    total: int = 0
    """The number of texts for which the language is checked."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Keys, each with a fault."""
    unfinished: dict[str, str] = field(default_factory=dict)
    """Other texts that are missing, fuzzy, unmarked or unknown: why, by key."""

    @property
    def is_failed(self) -> bool:
        """Whether the check fails: unfinished texts may only be in an unfinished file."""
        return bool(self.faults or (self.unfinished and self.translation.completeness != "no"))


def check_translation(translation: Translation, sources: Mapping[str, SourceText]) -> Findings:
    """Return the findings about the texts that the file says it has, or about all if it says it is unfinished."""
    findings = Findings(translation)
    if translation.completeness is None:
        lines = ", ".join(f"“# Complete: {word}”" for word in COMPLETENESSES)
        findings.faults.append(("# Complete", f"the first lines of the file must have one of these: {lines}"))
    for source in in_file_order(sources):
        key, state = source.key, translation.state(source)
        faults = [] if state == "fuzzy" else [(key, fault) for fault in _faults(source, translation)]
        findings.faults += faults
        if translation.completeness == "first" and not is_first_tier(key):
            continue
        findings.total += 1
        if faults or (state == "missing" and is_optional(key)):
            continue
        if state != "done":
            findings.unfinished[key] = state
        elif _is_unmarked(translation, source):
            findings.unfinished[key] = UNMARKED
    findings.unfinished |= dict.fromkeys(translation.unknown_keys(sources), UNKNOWN)
    return findings


def _is_unmarked(translation: Translation, source: SourceText) -> bool:
    message = translation.message(source.key)
    if message is None or SAME in message.user_comments:
        return False
    return any(
        text in source.wordings and any(letter.isalpha() for letter in PLACEHOLDER.sub("", text))
        for text in translation.strings(source.key)
    )


def _faults(source: SourceText, translation: Translation) -> Iterator[str]:
    """Yield the faults of a translation, or of its plural forms."""
    strings = translation.strings(source.key)
    if not any(strings):
        return
    is_plural = not isinstance(source.id, str)
    placeholders = set(PLACEHOLDER.findall(" ".join(source.wordings)))
    limit = length_limit(source.key)
    for form, text in enumerate(strings):
        at = f"msgstr[{form}]: " if is_plural else ""
        if not text:
            yield f"{at}missing"
            continue
        used = set(PLACEHOLDER.findall(text))
        if unknown := used - placeholders - ({"count"} if is_plural else set()):
            yield f"{at}unknown placeholder {_braced(unknown)}"
        if left_out := placeholders - used - ({"count"} if form in translation.forms_of_one_number else set()):
            yield f"{at}placeholder {_braced(left_out)} is missing"
        if text.count("{") != len(PLACEHOLDER.findall(text)) or text.count("}") != text.count("{"):
            yield f"{at}a brace that belongs to no placeholder"
        if limit is not None and (length := len(PLACEHOLDER.sub("", text))) > limit:
            yield f"{at}{length} characters, at most {limit} fit"


def _braced(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
