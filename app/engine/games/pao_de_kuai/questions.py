"""The questions about Pao De Kuai's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "deck",
        "How many cards does each player get?",
        (
            RuleAnswer("sixteen", "Each player gets 16 cards.", {"deck": "sixteen"}, "Ac Ad Ah 2s", "16"),
            RuleAnswer("fifteen", "Each player gets 15 cards.", {"deck": "fifteen"}, "Ah 2s", "15"),
            RuleAnswer("thirteen", "Each player gets 13 cards.", {"deck": "thirteen"}, "2s 2c 2d 2h", "13"),
        ),
    ),
    RuleQuestion(
        "must_beat",
        "Must you beat if you can?",
        (
            RuleAnswer("must", "If you can beat, you must.", {"must_beat": True}, "9c Td", "!"),
            RuleAnswer("free", "You may pass whenever you like.", {"must_beat": False}, "9c Td"),
        ),
    ),
    RuleQuestion(
        "loose",
        "How many cards go with a triple?",
        (
            RuleAnswer("two", "A triple takes two loose cards.", {"loose_cards": "two"}, "8s 8c 8d 4h 6c"),
            RuleAnswer("one", "A triple takes one loose card.", {"loose_cards": "one"}, "8s 8c 8d 4h"),
            RuleAnswer("any", "A triple takes up to two loose cards.", {"loose_cards": "any"}, "8s 8c 8d"),
        ),
    ),
    RuleQuestion(
        "last_card",
        "What if the next player has one card?",
        (
            RuleAnswer("highest", "A single must be your highest.", {"last_card_duty": "highest"}, "Kc", "!"),
            RuleAnswer("liable", "You pay for all if you let them win.", {"last_card_duty": "liable"}, "4c", "!"),
            RuleAnswer("none", "You play as always.", {"last_card_duty": "none"}, "4c"),
        ),
    ),
    RuleQuestion(
        "one_left",
        "Does one card left cost a point?",
        (
            RuleAnswer("free", "One card left is free.", {"one_left": "free"}, "4c"),
            RuleAnswer("paid", "One card left costs 1 point.", {"one_left": "paid"}, "4c", "1"),
        ),
    ),
)
