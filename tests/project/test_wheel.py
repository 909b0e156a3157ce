"""Test that the wheel contains the pages, scripts and migrations, and finds them from any folder."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(installed: Path, cwd: Path, *arguments: str) -> str:
    command = [sys.executable, "-P", *arguments]
    environment = {"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "PYTHONWARNINGS": "error"}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@pytest.mark.parametrize("name", ["static", "templates", "locale", "docs", "migrations"])
def test_the_wheel_contains_every_resource_file(installed: Path, tmp_path: Path, name: str) -> None:
    found = Path(python(installed, tmp_path, "-c", f"from app import resources; print(resources.{name}_folder())"))
    assert found == installed / "app" / "_data" / name

    here = {path.relative_to(ROOT / name) for path in (ROOT / name).rglob("*") if path.is_file()}
    there = {path.relative_to(found) for path in found.rglob("*") if path.is_file()}
    assert {path for path in here if "__pycache__" not in path.parts} <= there


def test_the_wheel_contains_no_developer_tools(installed: Path) -> None:
    found = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    assert {name for name in found if name.endswith(".c") or "numpy" in name} == set()
    assert {name.split("/")[0] for name in found if "dist-info" not in name} == {"app"}
    assert "app/bots/weights/president.json" in found


def test_an_installed_wheel_can_run_the_arena(installed: Path, tmp_path: Path) -> None:
    measured = python(installed, tmp_path, "-m", "app", "arena", "--game", "president", "--deals", "1")
    assert "easy" in measured.splitlines()[-1]


def test_an_installed_wheel_runs_from_any_folder(installed: Path, tmp_path: Path) -> None:
    assert "serve" in python(installed, tmp_path, "-m", "app", "--help")


def test_an_installed_program_knows_its_commit(installed: Path, tmp_path: Path) -> None:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    known = python(installed, tmp_path, "-c", "from app.version import commit_hash; print(commit_hash())")
    assert head.startswith(known)
    assert len(known) == 12


def test_an_installed_wheel_shows_the_generated_reference_pages(installed: Path, tmp_path: Path) -> None:
    program = (
        "from app.web.reference import docs_pages; print(*map(docs_pages.read_docs_page, docs_pages.FOR_PROGRAMS))"
    )
    shown = python(installed, tmp_path, "-c", program)
    assert "| `ping` |  | anybody | Check the connection. The answer has `ok: true`. |" in shown
    assert "## `table` of `president`" in shown
