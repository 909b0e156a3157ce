"""The questions about Chase the Ace that groups play differently: data only."""

from app.engine.base.options import RuleAnswer, RuleQuestion

QUESTIONS = (
    RuleQuestion(
        "dimes",
        "How many dimes (lives) do you start with?",
        (
            RuleAnswer("one", "one dime each", {"dimes": 1}, "Ac", "1"),
            RuleAnswer("three", "three dimes each", {"dimes": 3}, "Ac", "3"),
            RuleAnswer("five", "five dimes each", {"dimes": 5}, "Ac", "5"),
        ),
    ),
    RuleQuestion(
        "equal",
        "What do cards of equal rank do?",
        (
            RuleAnswer("safe", "equal cards are safe", {"matching": "cancel"}, "5c 5d", "✓"),
            RuleAnswer("lose", "all lowest cards lose a dime", {"matching": "all_lose"}, "5c 5d", "✗"),
        ),
    ),
    RuleQuestion(
        "kings",
        "What does a king do?",
        (
            RuleAnswer("block", "a king refuses the swap", {"kings": "block"}, "Kh", "⊘"),
            RuleAnswer("ordinary", "a king is swapped like others", {"kings": "ordinary"}, "Kh", "⇄"),
            RuleAnswer("end", "a king asked for ends all swaps", {"kings": "end_trading"}, "Kh", "!"),
            RuleAnswer("face_up", "a king in the deal ends all swaps", {"kings": "face_up"}, "Kh", "✗"),
        ),
    ),
    RuleQuestion(
        "others",
        "What do queens and jacks do?",
        (
            RuleAnswer(
                "nothing", "ordinary queens and jacks", {"queens": "ordinary", "jacks": "ordinary"}, "Qh Js", "⇄"
            ),
            RuleAnswer(
                "queens", "a queen sends you to the right", {"queens": "redirect", "jacks": "ordinary"}, "Qh", "↻"
            ),
            RuleAnswer("jacks", "a jack refuses the swap", {"queens": "ordinary", "jacks": "block"}, "Js", "⊘"),
            RuleAnswer("both", "queens and jacks have powers", {"queens": "redirect", "jacks": "block"}, "Qh Js", "!"),
        ),
    ),
    RuleQuestion(
        "tie",
        "What if the last players tie?",
        (
            RuleAnswer("split", "a last tie shares the pot", {"last_tie": "split"}, "5c 5d", "½"),
            RuleAnswer("replay", "a last tie is played again", {"last_tie": "replay"}, "5c 5d", "↺"),
            RuleAnswer("cut", "the highest cut card wins a last tie", {"last_tie": "cut"}, "5c 5d", "↑"),
        ),
    ),
)
