"""What is written for those who write programs: pages of docs/, and what the protocol's declarations say."""

import functools

from app import resources
from app.web.reference import schema

KEYS = "protocol-keys.md"
FOR_PROGRAMS = ("write-a-bot.md", "protocol.md", KEYS)
"""In the order in which one reads them."""
_MADE = "<!-- messages -->"
"""Marks the lines of a page of docs/ that tell where the table of messages is: here it is put in their place."""


@functools.cache
def page(name: str) -> str:
    """Give the page of that name, one of `FOR_PROGRAMS`, whole."""
    if name == KEYS:
        return schema.keys_text()
    text = (resources.docs() / name).read_text(encoding="utf-8")
    before, _, marked = text.partition(_MADE)
    return before + schema.messages_text() + marked.partition(_MADE)[2] if marked else text
