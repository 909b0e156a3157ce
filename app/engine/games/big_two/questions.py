"""The questions about Big Two's rules that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "direction",
        "Which way round do you play?",
        (
            RuleAnswer("right", "Play goes anticlockwise.", {"direction": "anticlockwise"}, "3d", "↺"),
            RuleAnswer("left", "Play goes clockwise.", {"direction": "clockwise"}, "3d", "↻"),
        ),
    ),
    RuleQuestion(
        "suits",
        "How do suits rank from the highest down?",
        (
            RuleAnswer("shcd", "Suits rank ♠\u00a0♥\u00a0♣\u00a0♦.", {"suit_order": "shcd"}, "2s 2h 2c 2d"),
            RuleAnswer("shdc", "Suits rank ♠\u00a0♥\u00a0♦\u00a0♣.", {"suit_order": "shdc"}, "2s 2h 2d 2c"),
            RuleAnswer("dhsc", "Suits rank ♦\u00a0♥\u00a0♠\u00a0♣.", {"suit_order": "dhsc"}, "2d 2h 2s 2c"),
        ),
    ),
    RuleQuestion(
        "starter",
        "Which player leads the next hand?",
        (
            RuleAnswer("low_card", "The lowest card leads the next hand.", {"starter": "low_card"}, "3d"),
            RuleAnswer("winner", "The winner leads the next hand.", {"starter": "winner"}, "first"),
            RuleAnswer("loser", "The player with the most cards left leads.", {"starter": "loser"}, "last"),
        ),
    ),
    RuleQuestion(
        "pass",
        "May you play again after a pass?",
        (
            RuleAnswer("back", "After a pass you may play again.", {"passing": "free"}, "6c", "↺"),
            RuleAnswer("out", "After a pass you are out of the trick.", {"passing": "ends"}, "6c", "⊘"),
        ),
    ),
    RuleQuestion(
        "straights",
        "Which straight is the highest?",
        (
            RuleAnswer("ten_to_ace", "10 to A is the highest straight.", {"straights": "two_low"}, "Qh Ks Ac"),
            RuleAnswer("ace_to_five", "A to 5 is the highest straight.", {"straights": "hong_kong"}, "3h 4s 5c"),
            RuleAnswer("two_to_six", "2 to 6 is the highest straight.", {"straights": "23456_top"}, "4h 5s 6c"),
            RuleAnswer("jack_to_two", "J to 2 is the highest straight.", {"straights": "two_high"}, "Kh As 2c"),
        ),
    ),
    RuleQuestion(
        "points",
        "What do losers pay?",
        (
            RuleAnswer(
                "doubled",
                "Cards left cost double from ten on.",
                {"scoring": "cards", "play_on": False, "doubling": [[10, 2], [13, 3]]},
                "4c 8d Jh",
                "2×",
            ),
            RuleAnswer(
                "plain",
                "Each card left costs a point.",
                {"scoring": "cards", "play_on": False, "doubling": []},
                "4c 8d Jh",
                "1",
            ),
            RuleAnswer("winner", "Only the winner scores.", {"scoring": "pusoy_dos"}, "first"),
            RuleAnswer("places", "Points go by place.", {"scoring": "places", "play_on": True}, "first second"),
        ),
    ),
)
