"""An adapter for boardgame.io, with its Socket.IO messages on a plain WebSocket."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .adapter import NOTHING, READY, SEATS, Adapter

if TYPE_CHECKING:
    import aiohttp

    from .tables import Seat, Table

_HAND = b'"hand":["'


@dataclass(frozen=True, slots=True)
class Place:
    """The credentials of a seat, and its move without the changing parts."""

    match: str
    credentials: str
    move: bytes
    """A move with gaps for the card and the number of moves."""


class BoardgameIO(Adapter):
    """The card table of boardgameio/server.cjs."""

    async def join(self, http: "aiohttp.ClientSession", table: "Table", seat: int) -> str:
        """See `Adapter.join`."""
        games = f"http://{self.address}/games/table"
        if seat == 0:
            async with http.post(f"{games}/create", json={"numPlayers": SEATS}) as answer:
                table.data["match"] = (await answer.json())["matchID"]
        match = table.data["match"]
        joining = {"playerID": str(seat), "playerName": f"p{seat}"}
        async with http.post(f"{games}/{match}/join", json=joining) as answer:
            credentials = (await answer.json())["playerCredentials"]
        payload = f'{{"type":"play","args":["%b"],"playerID":"{seat}","credentials":"{credentials}"}}'
        move = f'42/table,["update",{{"type":"MAKE_MOVE","payload":{payload}}},%d,"{match}","{seat}"]'
        table.seats[seat].data = Place(match, credentials, move.encode())
        return f"ws://{self.address}/socket.io/?EIO=4&transport=websocket"

    def message(self, seat: "Seat", data: bytes) -> int | None:
        """See `Adapter.message`. An illegal move also leads to an update, equal to the one before."""
        if data.startswith(b'42/table,["update"'):
            seat.last = data
            at = data.find(b'"seq":') + 6
            return int(data[at : data.find(b",", at)])
        if data == b"2":  # a ping of Socket.IO
            seat.send(b"3")
        elif data.startswith(b"0{"):
            seat.send(b"40/table,")
        elif data.startswith(b"40/table,"):
            place: Place = seat.data
            seat.send(f'42/table,["sync","{place.match}","{seat.number}","{place.credentials}",{SEATS}]'.encode())
        elif data.startswith(b'42/table,["sync"'):
            seat.last = data
            return READY
        return NOTHING

    def turn(self, table: "Table") -> int:
        """See `Adapter.turn`."""
        return table.moves % SEATS

    def move(self, table: "Table", seat: int) -> bytes:
        """Play the first card."""
        last = table.seats[seat].last
        at = last.find(_HAND) + len(_HAND)
        return self._play(table, seat, last[at : at + 2], table.moves)

    def illegal(self, table: "Table") -> list[tuple[int, bytes]]:
        """Return a move out of turn, a missing card, a late move, and a move with another seat's credentials."""
        now = table.moves % SEATS
        other = (now + 1) % SEATS
        mine, theirs = _hand(table.seats[now].last), _hand(table.seats[other].last)
        absent = next(rank + suit for rank in "23456789TJQKA" for suit in "CDHS" if rank + suit not in mine)
        place: Place = table.seats[now].data
        right = self._play(table, now, mine[0].encode(), table.moves)
        return [
            (other, self._play(table, other, theirs[0].encode(), table.moves)),
            (now, self._play(table, now, absent.encode(), table.moves)),
            (now, self._play(table, now, mine[0].encode(), table.moves - 1)),
            (other, right.replace(place.credentials.encode(), b"forged")),
        ]

    def position(self, seat: "Seat") -> Any:
        """See `Adapter.position`."""
        data = seat.last
        state = json.loads(data[data.index(b"[") :])[2]
        return state["G"], state["ctx"]

    def check(self, seat: "Seat", data: bytes, moves: int) -> None:
        """Check that the update has only the seat's own cards, no secrets, and the right number and turn."""
        state = json.loads(data[data.index(b"[") :])[2]
        game = state["G"]
        assert game["seq"] == moves, (game["seq"], moves)
        assert state["ctx"]["currentPlayer"] == str(moves % SEATS)
        assert "secret" not in game
        assert list(game["players"]) == [str(seat.number)]
        assert len(game["players"][str(seat.number)]["hand"]) == game["counts"][seat.number] == 13

    def _play(self, table: "Table", seat: int, card: bytes, moves: int) -> bytes:
        place: Place = table.seats[seat].data
        return place.move % (card, moves)


def _hand(data: bytes) -> list[str]:
    at = data.find(_HAND) + len(_HAND) - 2
    hand: list[str] = json.loads(data[at : data.find(b"]", at) + 1])
    return hand
