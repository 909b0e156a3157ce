"""Names of kinds of combination for the middle of a sentence: “a higher pair”."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.climbing.combinations import KIND_OF_SET
from app.engine.games.president.combinations import poker_hands, sequences

_NOUNS = {
    kind: MessageTemplate(f"noun.{kind}", kind.replace("_", " "))
    for kind in (*filter(None, KIND_OF_SET), *sequences.KINDS.values(), *poker_hands.KINDS)
}


def kind_noun(kind: str) -> TranslatableMessage:
    """Return the name of a kind of combination, as text after “a higher ”, for suggestions."""
    return _NOUNS[kind]()
