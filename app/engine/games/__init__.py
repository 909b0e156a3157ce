"""The games, in the order in which they are offered. A new game is a folder and a line here."""

from ..game import Game

GAMES: dict[str, Game] = {}
