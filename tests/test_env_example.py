"""The settings that .env.example and the container files name are settings that exist, and none is missing."""

import re
from pathlib import Path

from app.settings import PREFIX, Settings

ROOT = Path(__file__).parent.parent
SHORT = {"DATABASE_URL", "PORT"}


def names(file: str, pattern: str) -> set[str]:
    return set(re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))


def settings() -> set[str]:
    fields = {name.upper() for name in Settings.model_fields}
    return SHORT | {f"{PREFIX}{name}" for name in fields - SHORT}


def test_the_example_names_every_setting_and_no_other() -> None:
    here = {name.partition("__")[0] for name in names(".env.example", r"^#?([A-Z][A-Z_]+)=")}
    assert here - {"POSTGRES_PASSWORD"} == settings()


def test_containers_set_what_exists() -> None:
    used = names("docker-compose.yml", rf"\b({PREFIX}[A-Z_]+|DATABASE_URL)\b") | names(
        "Dockerfile", rf"\b({PREFIX}[A-Z_]+)="
    )
    assert used <= settings()
