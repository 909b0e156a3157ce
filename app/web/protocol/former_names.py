"""Names of messages and fields that clients of older protocol versions send, each with its name of today.

The server understands only the names of today. A client that sends a former name gets an error that states the new
one. Nothing else knows former names of the protocol.

>>> error_for_former_name("propose.matter")
'“propose.matter” is now “propose.subject”.'
>>> error_for_former_name("ping")
"""

from collections.abc import Mapping
from typing import Final

from app.engine.base.messages import MessageTemplate, TranslatableMessage

IS_NOW = MessageTemplate("message.is_now", "“{former}” is now “{current}”.")

FORMER_NAMES: Final[Mapping[str, str]] = {
    "back": "resume_seat",
    "consent": "vote",
    "count_apart": "count_separately",
    "go_on": "resume",
    "hand_over": "transfer_host",
    "host_again": "take_host_back",
    "hurry": "finish_hand",
    "look": "preview_cards",
    "next": "deal_next",
    "prospects": "preview_actions",
    "renew": "rotate_code",
    "sight": "page_visibility",
    "take_chair": "take_bot_seat",
    "write": "send_chat",
    "configure.ranks": "configure.carry_titles",
    "configure.take_back": "configure.allow_undo",
    "propose.matter": "propose.subject",
    "propose.subject.rest": "propose.subject.pause",
    "propose.subject.take_back": "propose.subject.undo",
    "vote.question": "vote.vote_id",
}
"""The names of messages, of their fields (`message.field`) and of values (`message.field.value`)."""

FORMER_REQUEST_FIELDS: Final[Mapping[str, str]] = {
    "chair": "seat",
    "for_good": "confirm",
    "ranks": "carry_titles",
}
"""Fields in the bodies of HTTP requests."""


def error_for_former_name(name: str) -> TranslatableMessage | None:
    """Return the error that states today's name for a former `message`, `message.field` or `message.field.value`.

    None for other names.
    """
    current = FORMER_NAMES.get(name)
    return None if current is None else IS_NOW(former=name, current=current)


def error_for_former_request_field(name: str) -> TranslatableMessage | None:
    """Return the error for a former name of a field of an HTTP request; None for other names."""
    current = FORMER_REQUEST_FIELDS.get(name)
    return None if current is None else IS_NOW(former=name, current=current)
