"""Test that docs/protocol.md is up to date."""

import re
import shutil
from pathlib import Path

from app.engine.base.errors import CODES
from app.rooms import errors as room_errors
from app.settings import Limits
from app.web.protocol import client_messages, server_messages
from app.web.reference import docs_pages
from tests.web import exchange

PAGE = exchange.PAGE.read_text(encoding="utf-8")


async def test_the_documented_exchange_matches_a_real_exchange(migrated: Path, tmp_path: Path) -> None:
    database = tmp_path / "exchange.sqlite3"
    shutil.copy(migrated, database)
    assert exchange.current() == await exchange.run(database), "run: python -m tests.web.exchange"


def test_every_message_is_documented_with_its_fields() -> None:
    shown = docs_pages.read_docs_page("protocol.md")
    assert shown.startswith("# Protocol\n")
    assert "<!-- messages -->" not in shown
    section = shown.partition("## From the client")[2].partition("### Actions")[0]
    rows = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| ([^|]*)\| (\w+) \|", section, re.MULTILINE)}
    for name, kind in client_messages.MESSAGES.items():
        fields, who = rows[name]
        assert set(re.findall(r"`(\w+)\??`", fields)) == set(kind.__struct_fields__) - {"by", "id"}
        assert who == kind.allowed_for
    for reason, code in server_messages.CLOSE_CODES.items():
        assert f"| `{reason}` | {code} |" in PAGE


def test_every_error_code_is_documented() -> None:
    section = PAGE.partition("## Codes")[2].partition("## Limits")[0]
    of_rooms = re.findall(r"^    (\w+)  ", room_errors.__doc__ or "", re.MULTILINE)
    assert of_rooms
    for code in {*CODES, *of_rooms} - {"bad_record"}:
        assert f"`{code}`" in section, code


def test_every_limit_is_documented_with_its_default() -> None:
    section = PAGE.partition("## Limits")[2].partition("## HTTP")[0]
    for name, field in Limits.model_fields.items():
        [row] = [line for line in section.splitlines() if f"`{name.upper()}`" in line]
        assert f"{field.default:g}" in row.replace(",", " ").split("|")[2].split() or str(field.default) in row, name
