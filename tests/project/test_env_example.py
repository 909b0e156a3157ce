"""Test that the settings in .env.example and the container files exist, and that none is missing."""

import re
from pathlib import Path

import yaml

from app.settings import ENV_FILE, PREFIX, SECRETS, Limits, Settings, known_variable_names as known

ROOT = Path(__file__).parents[2]
SHORT = {"DATABASE_URL", "PORT"}


def names(file: str, pattern: str) -> set[str]:
    return set(re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))


def settings() -> set[str]:
    fields = {name.upper() for name in Settings.model_fields}
    names = SHORT | {f"{PREFIX}{name}" for name in fields - SHORT}
    return names | {f"{name}_FILE" for name in names if name.removeprefix(PREFIX).lower() in SECRETS}


def test_the_example_names_exactly_the_existing_settings() -> None:
    here = {name.partition("__")[0] for name in names(".env.example", r"^#?([A-Z][A-Z_]+)=")}
    assert here - {"POSTGRES_PASSWORD"} == settings()


def test_containers_receive_every_setting() -> None:
    app = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]["app"]
    # The container gets everything that .env may contain, and the file may be missing.
    assert app["env_file"] == [{"path": ".env", "required": False}]
    # Fixed settings use the names with the highest priority, so that .env can't change them.
    fixed = set(app["environment"])
    assert fixed == {f"{PREFIX}{name}" for name in ("HOST", "PORT", "DATABASE_URL")}
    assert fixed <= known()
    assert names("Dockerfile", rf"\b({PREFIX}[A-Z_]+|PORT|DATABASE_URL)=") <= known()


def test_docs_and_examples_name_only_existing_settings() -> None:
    files = [*(ROOT / "docs").rglob("*.md"), *filter(Path.is_file, (ROOT / "deploy").rglob("*")), ROOT / "README.md"]
    for file in files:
        named = names(str(file), rf"\b{PREFIX}[A-Z_]+[A-Z]") - {f"{PREFIX}SERVICE_HOST"}  # set by Kubernetes
        assert named <= known(), file.name


def test_the_container_runs_as_a_numeric_user() -> None:
    [user] = names("Dockerfile", r"^USER (\S+)")
    assert user.isdecimal()
    assert names("Dockerfile", r"--uid (\d+)") == {user}


def test_every_accepted_setting_name_is_declared() -> None:
    limits = {f"{PREFIX}LIMITS__{name.upper()}" for name in Limits.model_fields}
    files = {ENV_FILE, f"{PREFIX}DATABASE_URL_FILE"}
    assert known() == settings() | limits | {f"{PREFIX}{name}" for name in SHORT} | files
