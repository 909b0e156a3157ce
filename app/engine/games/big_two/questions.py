"""The questions about Big Two's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "direction",
        "Which way round do you play?",
        (
            RuleAnswer("right", "anticlockwise", {"direction": "anticlockwise"}, "3d", "↺"),
            RuleAnswer("left", "clockwise", {"direction": "clockwise"}, "3d", "↻"),
        ),
    ),
    RuleQuestion(
        "suits",
        "How do suits rank from the highest down?",
        (
            RuleAnswer("shcd", "suits rank ♠\u00a0♥\u00a0♣\u00a0♦", {"suit_order": "shcd"}, "2s 2h 2c 2d"),
            RuleAnswer("shdc", "suits rank ♠\u00a0♥\u00a0♦\u00a0♣", {"suit_order": "shdc"}, "2s 2h 2d 2c"),
            RuleAnswer("dhsc", "suits rank ♦\u00a0♥\u00a0♠\u00a0♣", {"suit_order": "dhsc"}, "2d 2h 2s 2c"),
        ),
    ),
    RuleQuestion(
        "starter",
        "Which player begins the next hand?",
        (
            RuleAnswer("low_card", "the lowest card begins", {"starter": "low_card"}, "3d"),
            RuleAnswer("winner", "the winner begins", {"starter": "winner"}, "first"),
            RuleAnswer("loser", "the most cards left begin", {"starter": "loser"}, "last"),
        ),
    ),
    RuleQuestion(
        "pass",
        "May you play again after a pass?",
        (
            RuleAnswer("back", "back in after a pass", {"passing": "free"}, "6c", "↺"),
            RuleAnswer("out", "out of the trick after a pass", {"passing": "ends"}, "6c", "⊘"),
        ),
    ),
    RuleQuestion(
        "straights",
        "Which straight is the highest?",
        (
            RuleAnswer("ten_to_ace", "10 to A is highest", {"straights": "two_low"}, "Qh Ks Ac"),
            RuleAnswer("ace_to_five", "A to 5 is highest", {"straights": "hong_kong"}, "3h 4s 5c"),
            RuleAnswer("two_to_six", "2 to 6 is highest", {"straights": "23456_top"}, "4h 5s 6c"),
            RuleAnswer("jack_to_two", "J to 2 is highest", {"straights": "two_high"}, "Kh As 2c"),
        ),
    ),
    RuleQuestion(
        "points",
        "What do losers pay?",
        (
            RuleAnswer(
                "doubled",
                "cards left cost double from ten",
                {"scoring": "cards", "play_on": False, "doubling": [[10, 2], [13, 3]]},
                "4c 8d Jh",
                "2×",
            ),
            RuleAnswer(
                "plain",
                "each card left costs a point",
                {"scoring": "cards", "play_on": False, "doubling": []},
                "4c 8d Jh",
                "1",
            ),
            RuleAnswer("winner", "only the winner scores", {"scoring": "pusoy_dos"}, "first"),
            RuleAnswer("places", "points go by place", {"scoring": "places", "play_on": True}, "first second"),
        ),
    ),
)
