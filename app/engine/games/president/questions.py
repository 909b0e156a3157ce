"""The questions about President's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

FOUR = "8c 8d 8h 8s"

QUESTIONS = (
    RuleQuestion(
        "jokers",
        "Do you play with jokers?",
        (
            RuleAnswer("none", "no jokers", {"jokers": 0}, "Xr", "✗"),
            RuleAnswer("high", "jokers are highest", {"jokers": 2, "joker_role": "rank"}, "2s Xr", "↑"),
            RuleAnswer("wild", "jokers are wild", {"jokers": 2, "joker_role": "wild"}, "7c Xr", "∗"),
            RuleAnswer("trump", "one joker beats any play", {"jokers": 2, "joker_role": "trump"}, "9c 9d Xr", "!"),
        ),
    ),
    RuleQuestion(
        "revolution",
        "Does four of a kind start a revolution?",
        (
            RuleAnswer("none", "no revolution", {"four_of_a_kind": "normal"}, FOUR, "✗"),
            # The Toronto rules for power cards allow no revolution.
            RuleAnswer(
                "ranks",
                "a revolution reverses the ranks",
                {"four_of_a_kind": "inverts", "power_cards": "none"},
                FOUR,
                "⇅",
            ),
            RuleAnswer(
                "both",
                "a revolution reverses ranks and direction",
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
            RuleAnswer("back", "back in after a pass", {"passing": "free", "rounds": "many"}, "6c", "↺"),
            RuleAnswer("out", "out of the trick after a pass", {"passing": "out", "rounds": "many"}, "6c", "⊘"),
            RuleAnswer("one", "one turn each in a trick", {"rounds": "one"}, "6c", "1"),
        ),
    ),
    RuleQuestion(
        "exchange",
        "What do first and last place exchange?",
        (
            RuleAnswer("none", "no exchange", {"exchange": "none"}, "2s", "✗"),
            RuleAnswer("one", "exchange of one card", {"exchange": "one"}, "2s", "1"),
            RuleAnswer("two", "exchange of two cards", {"exchange": "two"}, "2s", "2"),
            RuleAnswer("two_one", "exchange of two and one", {"exchange": "two_one"}, "2s", "2+1"),
        ),
    ),
    RuleQuestion(
        "lead",
        "Which player leads the next hand?",
        (
            RuleAnswer("first", "first place leads", {"next_lead": "top"}, "first"),
            RuleAnswer("last", "last place leads", {"next_lead": "bottom"}, "last"),
            RuleAnswer("low_card", "the lowest card leads", {"next_lead": "low_card"}, "3c"),
        ),
    ),
    RuleQuestion(
        "seats",
        "Do you change seats after a hand?",
        (
            RuleAnswer("fixed", "same seats", {"seating": "fixed"}, "second first"),
            RuleAnswer("by_place", "new seats by place", {"seating": "by_rank"}, "first second", "⇄"),
        ),
    ),
)
