"""The questions about Tien Len's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "suits",
        "Must you follow suit?",
        (
            RuleAnswer("any", "Suits only break ties.", {"suits": "any"}, "5s 6d 7h"),
            RuleAnswer(
                "follow",
                "You follow suit, and pairs by colour.",
                {"suits": "follow", "suited_runs": "plain"},
                "5h 6h 7h",
            ),
        ),
    ),
    RuleQuestion(
        "fours",
        "How many twos does four of a kind beat?",
        (
            RuleAnswer("two", "Four of a kind beats a pair of twos.", {"four_chops": "two_twos"}, "2s 2h"),
            RuleAnswer("one", "Four of a kind beats one two.", {"four_chops": "one_two"}, "2h"),
        ),
    ),
    RuleQuestion(
        "interruptions",
        "May you chop after a pass?",
        (
            RuleAnswer(
                "four_pairs",
                "Four pairs in a row chop after a pass.",
                {"interruptions": "four_pairs"},
                "4s 4d 5c 5h",
                "!",
            ),
            RuleAnswer("none", "After a pass you can’t chop.", {"interruptions": "none"}, "4s 4d 5c 5h", "⊘"),
            RuleAnswer("every", "You may chop after a pass.", {"interruptions": "every"}, "7s 7c 7d 7h", "!"),
        ),
    ),
    RuleQuestion(
        "last_twos",
        "May your last play be a two?",
        (
            RuleAnswer("allowed", "You may finish with a two.", {"no_last_twos": False}, "2h"),
            RuleAnswer("forbidden", "You can’t finish with a two.", {"no_last_twos": True}, "2h", "⊘"),
        ),
    ),
    RuleQuestion(
        "points",
        "Who pays at the end of a hand?",
        (
            RuleAnswer(
                "places",
                "The last pays the first, the third the second.",
                {"payments": "places", "play_on": True},
                "first second last",
            ),
            RuleAnswer("winner", "All pay the first.", {"payments": "winner", "play_on": True}, "first"),
            RuleAnswer(
                "cards",
                "All pay the first for their cards left.",
                {"payments": "cards", "play_on": False},
                "4c 8d Jh",
                "1",
            ),
        ),
    ),
)
