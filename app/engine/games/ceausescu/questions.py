"""The questions about Ceausescu's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "bombs",
        "When may you play a bomb?",
        (
            RuleAnswer("own_turn", "bombs on your turn only", {"bombing": "own_turn"}, "6c 6d 6h", "1"),
            RuleAnswer("any_time", "bombs at any time", {"bombing": "any_time"}, "6c 6d 6h", "!"),
        ),
    ),
    RuleQuestion(
        "nicolae",
        "When do all fours and sevens make you King?",
        (
            RuleAnswer("at_end", "King at the end of the hand", {"nicolae": "at_end"}, "4c 4d 7h 7s"),
            RuleAnswer("at_once", "King at once", {"nicolae": "at_once"}, "4c 4d 7h 7s", "!"),
        ),
    ),
    RuleQuestion(
        "exchange",
        "Do you exchange cards after the deal?",
        (
            RuleAnswer("yes", "exchange of two cards", {"exchange": True}, "Ah 2s", "⇄"),
            RuleAnswer("no", "no exchange", {"exchange": False}, "Ah 2s", "✗"),
        ),
    ),
)
