"""Limits on what people add to the logs of rooms. By default logs are never deleted, so no stranger may fill the disk.

Two limits: changes of the settings of a room, and bytes from an address. Bots and timers count for nobody.
"""

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.rooms.model import commands as ask
from app.settings import Limits
from app.web.http.rate_limit import RateLimiter

ALWAYS_ALLOWED = frozenset(
    (ask.Act, ask.Start, ask.DealNext, ask.SeedHash, ask.Seed, ask.CastVote, ask.Leave, ask.BeForgotten)
)
"""Commands that no address is refused because of its bytes: play goes on, and everybody can leave."""

SETTINGS_TOO_OFTEN = MessageTemplate(
    "refused.settings_too_often",
    {
        "one": "The settings of this room changed too often. Try again in {count} second.",
        "other": "The settings of this room changed too often. Try again in {count} seconds.",
    },
)
TOO_MUCH_SAVED = MessageTemplate(
    "refused.too_much_saved",
    {
        "one": "The server has saved too much for your network. Try again in {count} second.",
        "other": "The server has saved too much for your network. Try again in {count} seconds.",
    },
)


class LogLimits:
    """Limits the changes of settings of each room, and the bytes that each client address adds to the logs of rooms."""

    def __init__(self, limits: Limits) -> None:
        self._settings_limiter = RateLimiter(limits.settings_changes_per_minute, 60)
        most = limits.log_bytes_per_hour
        self._byte_limiter = RateLimiter(most, 3600) if most else None

    def seconds_until_allowed(self, client: str) -> float:
        """Return the seconds until this address may add to a log again, apart from play; 0 if it may now."""
        limiter = self._byte_limiter
        return 0.0 if limiter is None else limiter.seconds_until_allowed(client, consume=False)

    def refusal(self, client: str, room: str, command: ask.ClientCommand) -> TranslatableMessage | None:
        """Return why an address may not send this command to a room (its id) now, as a sentence; None: it may."""
        if command.changes_settings:
            wait = self._settings_limiter.seconds_until_allowed(room, consume=False)
            if wait:
                return SETTINGS_TOO_OFTEN(count=max(1, round(wait)))
        wait = 0.0 if type(command) in ALWAYS_ALLOWED else self.seconds_until_allowed(client)
        return TOO_MUCH_SAVED(count=max(1, round(wait))) if wait else None

    def count(self, client: str, room: str, command: ask.ClientCommand, size: int) -> None:
        """Count the `size` bytes that a command of this address has added to the log of a room (its id)."""
        if size and command.changes_settings:
            self._settings_limiter.count(room)
        self.count_bytes(client, size)

    def count_bytes(self, client: str, size: int) -> None:
        """Count the bytes that an address has added to any log, for example by opening a room."""
        if size and self._byte_limiter is not None:
            self._byte_limiter.count(client, size)
