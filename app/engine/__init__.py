"""The engine: what the cards allow. Pure rules for climbing games; start reading here.

The words, letter for letter in code, protocol and pages:

- A *match* is a series of *hands* among the people at one table, with a hierarchy and a *ledger* that last (match.py).
- A *hand* is one deal, played out; a player holds *cards*. A *trick* runs from a *lead* until nobody beats it.
- A *combination* is cards that may be played together: *kind*, *size*, *strength* (climbing/combinations.py).
- The *standing* is the order of finish, best first; carried into the next hand it is the *hierarchy*, with *titles*.
- The *exchange* is the giving of cards between high and low after the deal (climbing/exchange.py).
- A *switch* is one declared option of a game; a *preset* is a named bundle of them (options.py).

Everything here is a value: `match.act(by, action)` gives a new match and what happened, or raises `RuleError` and
changes nothing. No clock, no chance, no I/O: shuffled packs and seeds come in as arguments.

A game is a folder below games/ and a line in `games.GAMES`; game.py says what it must answer.
"""

from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import Game
from app.engine.match.hand import Deal, HandResult
from app.engine.match.match import Match, Step

__all__ = ["Deal", "Game", "HandResult", "Match", "Options", "RuleError", "Step"]
