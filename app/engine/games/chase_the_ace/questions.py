"""The questions about Chase the Ace that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "dimes",
        "How many dimes (lives) do you start with?",
        (
            RuleAnswer("one", "Each player starts with one dime.", {"dimes": 1}, "Ac", "1"),
            RuleAnswer("three", "Each player starts with three dimes.", {"dimes": 3}, "Ac", "3"),
            RuleAnswer("five", "Each player starts with five dimes.", {"dimes": 5}, "Ac", "5"),
        ),
    ),
    RuleQuestion(
        "equal",
        "What do cards of equal rank do?",
        (
            RuleAnswer("safe", "Equal cards are safe.", {"matching": "cancel"}, "5c 5d", "✓"),
            RuleAnswer("lose", "All lowest cards lose a dime.", {"matching": "all_lose"}, "5c 5d", "✗"),
        ),
    ),
    RuleQuestion(
        "kings",
        "What does a king do?",
        (
            RuleAnswer("block", "A king refuses the swap.", {"kings": "block"}, "Kh", "⊘"),
            RuleAnswer("ordinary", "A king is swapped like others.", {"kings": "ordinary"}, "Kh", "⇄"),
            RuleAnswer("end", "A king asked for ends all swaps.", {"kings": "end_trading"}, "Kh", "!"),
            RuleAnswer("face_up", "A king in the deal ends all swaps.", {"kings": "face_up"}, "Kh", "✗"),
        ),
    ),
    RuleQuestion(
        "others",
        "What do queens and jacks do?",
        (
            RuleAnswer(
                "nothing", "Queens and jacks are ordinary.", {"queens": "ordinary", "jacks": "ordinary"}, "Qh Js", "⇄"
            ),
            RuleAnswer(
                "queens", "A queen sends you to the right.", {"queens": "redirect", "jacks": "ordinary"}, "Qh", "↻"
            ),
            RuleAnswer("jacks", "A jack refuses the swap.", {"queens": "ordinary", "jacks": "block"}, "Js", "⊘"),
            RuleAnswer(
                "both",
                "A queen sends you to the right, a jack refuses.",
                {"queens": "redirect", "jacks": "block"},
                "Qh Js",
                "!",
            ),
        ),
    ),
    RuleQuestion(
        "tie",
        "What if the last players tie?",
        (
            RuleAnswer("split", "A last tie shares the pot.", {"last_tie": "split"}, "5c 5d", "½"),
            RuleAnswer("replay", "A last tie is played again.", {"last_tie": "replay"}, "5c 5d", "↺"),
            RuleAnswer("cut", "The highest cut card wins a last tie.", {"last_tie": "cut"}, "5c 5d", "↑"),
        ),
    ),
)
