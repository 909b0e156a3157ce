"""Test that notices and supported versions agree with the files and settings that they describe."""

import re
import sqlite3
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_notices_name_every_picture_and_font_with_its_licence() -> None:
    named = re.findall(r"^\| `((?:static|app)/[^`]+)` \| [^|]+ \| [^|]+ \|$", read("NOTICES.md"), re.MULTILINE)
    folders = ("static/img", "static/fonts", "app/web/matches/fonts")
    files = {path for folder in folders for path in (ROOT / folder).iterdir()}
    assert sorted(named) == sorted(path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".txt")


def test_supported_versions_agree_with_what_is_declared_and_tested() -> None:
    rows = dict(re.findall(r"^\| ([^|]+?) \| (.+) \|$", read("docs/supported-versions.md"), re.MULTILINE))
    least = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"].removeprefix(">=")
    assert f"{least} and newer; the image has 3.13" in rows["Python"]
    assert "FROM python:3.13-slim" in read("Dockerfile")
    assert sys.version_info[:2] >= tuple(map(int, least.split(".")))
    assert "18;" in rows["PostgreSQL"]
    assert "image: postgres:18\n" in read("docker-compose.yml")
    assert sqlite3.sqlite_version_info >= (3, 40), rows["SQLite"]
    browsers = re.findall(r"(Chrome and Edge|Firefox|Safari) ([\d.]+)", read("README.md"))
    assert [number in rows[row] for (_, number), row in zip(
        browsers, ("Chromium, Chrome, Edge", "Firefox", "WebKit, Safari"), strict=True
    )] == [True] * 3  # fmt: skip
