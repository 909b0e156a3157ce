"""Documentation for developers: pages of docs/, and the descriptions of the protocol."""

import functools

from app import resources
from app.web.reference import schema

KEYS = "protocol-keys.md"
FOR_PROGRAMS = ("write-a-bot.md", "protocol.md", KEYS)
"""Page names in reading order."""
_GENERATED = "<!-- messages -->"
"""Marks the lines of a page of docs/ that are replaced by the table of messages."""


@functools.cache
def read_docs_page(name: str) -> str:
    """Return a page of the documentation for developers as Markdown; `name` is one of `FOR_PROGRAMS`.

    The page of keys, and the table of messages in other pages, are made from the protocol's schema.
    """
    if name == KEYS:
        return schema.protocol_keys_text()
    text = (resources.docs_folder() / name).read_text(encoding="utf-8")
    before, _, marked = text.partition(_GENERATED)
    return before + schema.messages_table_text() + marked.partition(_GENERATED)[2] if marked else text
