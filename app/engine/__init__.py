"""The engine: the rules of all card games, without I/O. Start reading here.

These words have the same meaning in code, protocol and pages:

- A *match* is a series of *hands* of the players at one table. Its hierarchy and *ledger* last (match.py).
- A *hand* is one deal, played out; a player holds *cards*. A *trick* runs from a *lead* until nobody beats it.
- A *combination* is cards that may be played together: *kind*, *size*, *strength* (climbing/combinations.py).
- The *standing* is the order of finish, best first. In the next hand it is the *hierarchy*, with *titles*.
- The *exchange* is the giving of cards between high and low after the deal (climbing/exchange.py).
- An *option* is one declared setting of a game; a *preset* is a named set of options (options.py).

All states are immutable: `match.act(by, action)` returns a new match and its events, or raises `RuleError` and
changes nothing. The engine uses no clock and no randomness: shuffled decks and seeds are arguments.

A game is a folder below games/ and an entry in `games.GAMES`; match/game.py defines its interface.
"""

from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.match.game import Game
from app.engine.match.hand import Deal, HandResult
from app.engine.match.match import Match, MatchTransition

__all__ = ["Deal", "Game", "HandResult", "Match", "MatchTransition", "Options", "RuleError"]
