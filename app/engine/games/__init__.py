"""The games, in the order in which they are offered. A new game is a folder and a line here."""

from app.engine.game import Game

from .big_two import BigTwo
from .ceausescu import Ceausescu
from .chase_the_ace import ChaseTheAce
from .president import President

_GAMES: tuple[Game, ...] = (President(), Ceausescu(), BigTwo(), ChaseTheAce())

GAMES: dict[str, Game] = {game.key: game for game in _GAMES}
