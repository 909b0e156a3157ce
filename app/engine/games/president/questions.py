"""The questions about President's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

FOUR = "8c 8d 8h 8s"

QUESTIONS = (
    RuleQuestion(
        "jokers",
        "Do you play with jokers?",
        (
            RuleAnswer("none", "No jokers.", {"jokers": 0}, "Xr", "✗"),
            RuleAnswer("high", "Jokers are highest.", {"jokers": 2, "joker_role": "rank"}, "2s Xr", "↑"),
            RuleAnswer("wild", "Jokers are wild.", {"jokers": 2, "joker_role": "wild"}, "7c Xr", "∗"),
            RuleAnswer("trump", "One joker beats any play.", {"jokers": 2, "joker_role": "trump"}, "9c 9d Xr", "!"),
        ),
    ),
    RuleQuestion(
        "revolution",
        "Does four of a kind start a revolution?",
        (
            RuleAnswer("none", "No revolution.", {"four_of_a_kind": "normal"}, FOUR, "✗"),
            # The Toronto rules for power cards allow no revolution.
            RuleAnswer(
                "ranks",
                "A revolution reverses the ranks.",
                {"four_of_a_kind": "inverts", "power_cards": "none"},
                FOUR,
                "⇅",
            ),
            RuleAnswer(
                "both",
                "A revolution reverses ranks and direction.",
                {"four_of_a_kind": "inverts_and_reverses", "power_cards": "none"},
                FOUR,
                "↺",
            ),
        ),
    ),
    RuleQuestion(
        "pass",
        "May you play again after a pass?",
        (
            RuleAnswer("back", "After a pass you may play again.", {"passing": "free", "rounds": "many"}, "6c", "↺"),
            RuleAnswer(
                "out", "After a pass you are out of the trick.", {"passing": "out", "rounds": "many"}, "6c", "⊘"
            ),
            RuleAnswer("one", "Each player has only one turn in a trick.", {"rounds": "one"}, "6c", "1"),
        ),
    ),
    RuleQuestion(
        "exchange",
        "Which places exchange cards after a hand?",
        (
            RuleAnswer("none", "No cards are exchanged.", {"exchange": "none"}, "2s", "✗"),
            RuleAnswer("one", "First and last place exchange one card.", {"exchange": "one"}, "2s", "1"),
            RuleAnswer("two", "First and last place exchange two cards.", {"exchange": "two"}, "2s", "2"),
            RuleAnswer(
                "two_one",
                "First and last place exchange two cards, second and second-last one.",
                {"exchange": "two_one"},
                "2s",
                "2+1",
            ),
        ),
    ),
    RuleQuestion(
        "lead",
        "Which player leads the next hand?",
        (
            RuleAnswer("first", "First place leads the next hand.", {"next_lead": "top"}, "first"),
            RuleAnswer("last", "Last place leads the next hand.", {"next_lead": "bottom"}, "last"),
            RuleAnswer("low_card", "The lowest card leads the next hand.", {"next_lead": "low_card"}, "3c"),
        ),
    ),
    RuleQuestion(
        "seats",
        "Do you change seats after a hand?",
        (
            RuleAnswer("fixed", "Players keep their seats.", {"seating": "fixed"}, "second first"),
            RuleAnswer("by_place", "Places decide the seats.", {"seating": "by_rank"}, "first second", "⇄"),
        ),
    ),
)
