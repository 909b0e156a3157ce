"""An adapter for Pecking Order: real hands with full rules. Each seat plays its first legal play, or passes.

A seat finds what its next move needs in the changes by a search for bytes. Only `verify` merges them into whole
updates.

A move is one accepted command, and a room never has more than one under way. An update shows the move if its `seq` is
newer than all that the table's seats had seen when the move was sent.
"""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.local_server.client_view import merge_update

from .adapter import NOTHING, READY, SEATS, Adapter

if TYPE_CHECKING:
    import aiohttp

    from .tables import Seat, Table

NAMES = ("Ana", "Bob", "Cat", "Dan")
_UPDATE = b'{"t":"update","seq":'
_ANSWER = b'{"t":"answer"'
_ASKED = {b"between_hands": b"deal_next", b"finished": b"rematch", b"lobby": b"start", b"playing": b""}
"""The host's command for each phase of the room. The phases of a hand have other names."""


@dataclass(slots=True)
class Place:
    """The state of a seat, from its updates."""

    action: bytes = b""
    """The next action: the first listed play, or else the first action."""
    request: bytes = b""
    """The request number of that action."""
    picture: dict[str, Any] | None = None
    """The whole merged update, for `verify`."""
    cards: str = ""
    """The seat's own cards."""

    def hear(self, data: bytes) -> None:
        """Read the next action from this update, if it has one."""
        at = data.find(b'"legal":[')
        if at > 0:
            play = data.find(b'{"do":"play"', at)
            start = play if play > 0 else at + 9
            self.action = b"" if data[at + 9] == ord("]") else data[start : data.find(b"}", start) + 1]
        elif data.find(b'"table":null') > 0:
            self.action = b""
        at = data.find(b'"request":')
        if at > 0:
            self.request = _number(data, at + 10)


def _number(data: bytes, at: int) -> bytes:
    """Return the number (or null) at this position."""
    return data[at : min(end for end in (data.find(b",", at), data.find(b"}", at)) if end > 0)]


class PeckingOrder(Adapter):
    """A room of four browsers, with cookies and Origin headers. It asks the server for the version of the protocol."""

    version = 0
    """The version of the server's protocol; 0 until the first room is opened."""

    async def join(self, http: "aiohttp.ClientSession", table: "Table", seat: int) -> str:
        """See `Adapter.join`."""
        data = table.data
        if seat == 0:
            if not self.version:
                async with http.get(f"http://{self.address}/api/protocol") as answer:
                    self.version = (await answer.json())["version"]
            asked = {"name": NAMES[0], "game": self.game, "options": {}}  # the basic game, as in all figures
            async with http.post(f"http://{self.address}/api/rooms", json=asked) as answer:
                opened = await answer.json()
                assert answer.status == 201, opened
                cookies = answer.headers.getall("Set-Cookie")
            data.update(code=opened["code"], cookies=[], seq=0, base=0, turn=0, phase=b"")
        else:
            async with http.get(f"http://{self.address}/r/{data['code']}") as answer:
                cookies = answer.headers.getall("Set-Cookie")
        http.cookie_jar.clear()
        ours = next(cookie for cookie in cookies if cookie.startswith("pecking_order="))
        data["cookies"].append(ours.partition(";")[0])
        table.seats[seat].data = Place()
        return f"ws://{self.address}/ws/{data['code']}?protocol={self.version}"

    def headers(self, table: "Table", seat: int) -> dict[str, str]:
        """See `Adapter.headers`."""
        return {"Origin": f"http://{self.address}", "Cookie": table.data["cookies"][seat]}

    def opened(self, seat: "Seat") -> None:
        """Join under a name."""
        seat.send(b'{"t":"join","id":"j","name":"%b"}' % NAMES[seat.number].encode())

    def message(self, seat: "Seat", data: bytes) -> int | None:
        """See `Adapter.message`."""
        if data.startswith(_ANSWER):
            return self._answered(seat, data)
        if not data.startswith(_UPDATE):
            return NOTHING  # chat, for example
        place: Place = seat.data
        place.hear(data)
        if seat.table.counts.checking:
            place.picture = merge_update(place.picture, json.loads(data))
        seq = self._told(seat.table.data, data)
        if not seat.ready:
            return READY if seat.number == SEATS - 1 and seat.table.data["phase"] == b"playing" else NOTHING
        return seat.table.moves if seq > seat.table.data["base"] else NOTHING

    def _told(self, table: dict[str, Any], data: bytes) -> int:
        """Read the public part: the number of the update, the player in turn, the phase of the room."""
        seq = int(data[len(_UPDATE) : data.find(b",", len(_UPDATE))])
        if seq > table["seq"]:
            table["seq"] = seq
            at = data.find(b'"to_act":[')
            if at > 0:
                nobody = data[at + 10] == ord("]")
                table["turn"] = 0 if nobody else NAMES.index(data[at + 11 : data.find(b'"', at + 11)].decode())
            elif data.find(b'"table":null') > 0:
                table["turn"] = 0
        at = data.find(b'"commitment":"')
        if at > 0:
            table["commitment"] = data[at + 14 : data.find(b'"', at + 14)]
        at = data.find(b'"phase":"')
        while at > 0:
            phase = data[at + 9 : data.find(b'"', at + 9)]
            if phase in _ASKED:
                table["phase"] = phase
            at = data.find(b'"phase":"', at + 9)
        return seq

    def _answered(self, seat: "Seat", data: bytes) -> int | None:
        if not seat.ready:
            if data.find(b'"ok":true') < 0:
                raise ConnectionError(data)
            if seat.number < SEATS - 1:
                return READY
            # All players have joined. The last seat is ready when cards are dealt.
            seat.table.seats[0].send(b'{"t":"start","id":"s","commitment":"%b"}' % seat.table.data["commitment"])
        elif data.find(b'"ok":false') > 0 and data.find(b'"id":"m') > 0:
            seat.table.failed(f"refused: {data!r} for {seat.data.action!r}")
        elif data.find(b'"id":"i') > 0:
            seat.table.data["refused"] = seat.table.data.get("refused", 0) + 1
            if data.find(b'"ok":false') < 0:
                seat.table.failed(f"an illegal move was accepted: {data!r}")
        return NOTHING

    def turn(self, table: "Table") -> int:
        """See `Adapter.turn`."""
        turn: int = table.data["turn"]
        return turn

    def move(self, table: "Table", seat: int) -> bytes:
        """Return the first listed play or action. Between hands the host continues."""
        table.data["base"] = table.data["seq"]
        place: Place = table.seats[seat].data
        if place.action:
            return b'{"t":"act","id":"m%d","action":%b,"request":%b}' % (table.moves, place.action, place.request)
        asked = _ASKED[table.data["phase"]]
        assert asked, f"nothing to do for {NAMES[seat]}: {table.data}"
        deal = b"" if asked == b"rematch" else b',"commitment":"%b"' % table.data["commitment"]
        return b'{"t":"%b","id":"m%d"%b}' % (asked, table.moves, deal)

    def illegal(self, table: "Table") -> list[tuple[int, bytes]]:
        """Return a move out of turn, and a play with a card that the seat does not hold."""
        now = table.data["turn"]
        mine = table.seats[now].data.picture["you"].get("cards", "").split()
        absent = next(rank + suit for rank in "3456789TJQKA2" for suit in "cdhs" if rank + suit not in mine)
        asked = table.seats[now].data.request.decode()
        tries = [((now + 1) % SEATS, '{"do":"pass"}'), (now, f'{{"do":"play","cards":"{absent}"}},"request":{asked}')]
        return [
            (seat, f'{{"t":"act","id":"i{table.moves}-{n}","action":{action}}}'.encode())
            for n, (seat, action) in enumerate(tries)
        ]

    def position(self, seat: "Seat") -> Any:
        """See `Adapter.position`."""
        return seat.data.picture["table"], seat.data.picture["you"]

    def check(self, seat: "Seat", data: bytes, moves: int) -> None:
        """Check that the seat sees only its own cards, in the right number, and choices only if it has to act."""
        place: Place = seat.data
        assert place.picture is not None
        room, table, you, name = place.picture["room"], place.picture["table"], place.picture["you"], NAMES[seat.number]
        playing = room["phase"] == "playing"
        assert you["name"] == name
        assert [person["name"] for person in room["people"]] == [*NAMES]
        if table is None:  # the waiting room before a rematch
            return
        mine = you["cards"].split()
        assert len(set(mine)) == len(mine)
        assert len(mine) == table["players"][name]["cards"] or table["over"], (len(mine), table["players"][name])
        if you["legal"] and playing and self.game != "big_two":  # those games have plays out of turn
            assert name in table["to_act"], (name, table["to_act"])
        place.cards = you["cards"]
        for other in seat.table.seats:
            theirs = other.data.cards
            if playing and other is not seat and theirs.count(" ") > 4:
                assert theirs not in json.dumps(place.picture), f"{name} was shown the cards of {NAMES[other.number]}"
