"""Clients of a room: the views merged from their updates, and the views that they should have."""

import json
from typing import Any

from app.rooms.model.state import Room
from app.rooms.views.delta import UpdateBuilder
from app.rooms.views.guests import NO_GUESTS, Guests
from tools.local_server.client_view import merge_update, without_update_metadata


class Reader:
    """A connection that takes updates at its own pace."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.picture: dict[str, Any] | None = None
        self._shown = 0

    def read(self, updates: UpdateBuilder) -> bytes:
        """Take the newest update and return it as sent."""
        frame = updates.build_update_for(self.person, self._shown).text
        self._shown = updates.version
        self.picture = without_update_metadata(merge_update(self.picture, json.loads(frame)))
        return frame


def whole(room: Room, person: str | None, guests: Guests = NO_GUESTS) -> dict[str, Any]:
    """Return the view of a new connection, made without a cache."""
    updates = UpdateBuilder()
    updates.update_view(room, 0, guests)
    return without_update_metadata(json.loads(updates.build_update_for(person, 0).text))
