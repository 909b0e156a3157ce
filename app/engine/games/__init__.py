"""The games, in the order in which pages offer them. To add a game, add a folder and an entry here."""

from typing import cast

from app.engine.match.game import AnyGame, Game
from app.engine.match.hand import AnyHand

from .big_two import BigTwo
from .ceausescu import Ceausescu
from .chase_the_ace import ChaseTheAce
from .pao_de_kuai import PaoDeKuai
from .president import President
from .tien_len import TienLen


def _for_any(game: Game[AnyHand]) -> AnyGame:
    return cast("AnyGame", game)


_GAMES = (
    _for_any(President()),
    _for_any(Ceausescu()),
    _for_any(BigTwo()),
    _for_any(ChaseTheAce()),
    _for_any(TienLen()),
    _for_any(PaoDeKuai()),
)

GAMES: dict[str, AnyGame] = {game.key: game for game in _GAMES}
