"""The questions about Ceausescu's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "bombs",
        "When may you play a bomb?",
        (
            RuleAnswer("own_turn", "You may bomb on your turn only.", {"bombing": "own_turn"}, "6c 6d 6h", "1"),
            RuleAnswer("any_time", "You may bomb at any time.", {"bombing": "any_time"}, "6c 6d 6h", "!"),
        ),
    ),
    RuleQuestion(
        "nicolae",
        "When do all fours and sevens make you King?",
        (
            RuleAnswer("at_end", "Fours and sevens make you King at the end.", {"nicolae": "at_end"}, "4c 4d 7h 7s"),
            RuleAnswer(
                "at_once", "Fours and sevens make you King at once.", {"nicolae": "at_once"}, "4c 4d 7h 7s", "!"
            ),
        ),
    ),
    RuleQuestion(
        "exchange",
        "Do you exchange cards after the deal?",
        (
            RuleAnswer("yes", "King and Serf exchange two cards.", {"exchange": True}, "Ah 2s", "⇄"),
            RuleAnswer("no", "Nobody exchanges cards.", {"exchange": False}, "Ah 2s", "✗"),
        ),
    ),
)
