"""What kinds of combination are called in the midst of a sentence: “a higher pair”."""

from app.engine.base.messages import Said, Sentence
from app.engine.climbing.combinations import KIND_OF_SET
from app.engine.games.president.combinations import poker_hands, sequences

_NOUNS = {
    kind: Sentence(f"noun.{kind}", kind.replace("_", " "))
    for kind in (*filter(None, KIND_OF_SET), *sequences.KINDS.values(), *poker_hands.KINDS)
}


def noun(kind: str) -> Said:
    """This kind, after “a higher ”."""
    return _NOUNS[kind]()
