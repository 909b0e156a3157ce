"""The examples in README.md and in the docs for players, hosts and authors of bots work.

Records are replayed, commands run, programs run by these commands, and other JSON is parsed. A visible note, “not run
by the tests”, exempts commands, and outlines (JSON with “...” or “…”). It is in the text before an example, or before
the first section of its page. The options of such commands and the JSON are still checked. `docs/protocol.md` and
`docs/developing.md` have tests of their own.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml

from app.cli import COMMANDS, main as program
from app.engine.games import GAMES
from app.engine.match.record import FORMAT, replay_with_exit_status
from tests.e2e.pictures.animation import MAX_BYTES
from tests.for_each import for_each
from tools.__main__ import COMMANDS as TOOLS, main as developer_tools

ROOT = Path(__file__).parents[2]
DOCS = ("bots.md", "records.md", "running.md", "write-a-bot.md", "rules/*.md")
PAGES = [ROOT / "README.md", *(page for name in DOCS for page in sorted((ROOT / "docs").glob(name)))]

NOTE = "not run by the tests"
RUN_ELSEWHERE = re.compile(r"<!-- (tests/[\w/]+\.py) plays this -->")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HARMLESS = {"arena", "replay"}
CALL = re.compile(
    rf"\b(pecking-order|pecking|python -m app|python -m tools) ({'|'.join([*COMMANDS, *TOOLS])})\b([^|;&<>`#]*)"
)
UNKNOWN_CALL = re.compile(rf"\bpython -m (?:app|tools) (?!{'|'.join([*COMMANDS, *TOOLS])})\w+")


class Example(NamedTuple):
    """A fenced block of a page, with the text before it since the block before or the last heading."""

    page: Path
    language: str
    text: str
    before: str

    @property
    def noted(self) -> bool:
        """Whether a note says that this example is not run."""
        intro = self.page.read_text(encoding="utf-8").partition("\n## ")[0]
        kind = "JSON" if self.language == "json" else "ommands"
        notes = [part for part in FENCE.sub("", intro).split("\n\n") if kind in part]
        return any(NOTE in " ".join(text.split()) for text in (self.before, *notes))

    @property
    def is_outline(self) -> bool:
        """Whether parts of this JSON are left out."""
        return "..." in self.text or "…" in self.text

    def __str__(self) -> str:
        """Return the page and the first line, for the name of the test."""
        return f"{self.page.relative_to(ROOT)}: {self.text.strip().splitlines()[0][:40]}"


def examples(page: Path) -> Iterator[Example]:
    """Yield the fenced blocks of a page."""
    text, end = page.read_text(encoding="utf-8"), 0
    for block in FENCE.finditer(text):
        before = re.split(r"^#+ ", text[end : block.start()], flags=re.MULTILINE)[-1]
        yield Example(page, block[1], block[2], before)
        end = block.end()


EXAMPLES = [example for page in PAGES for example in examples(page)]
RUN_HERE = [example for example in EXAMPLES if example.language == "sh" and not example.noted]


def of(*languages: str) -> pytest.MarkDecorator:
    """Parametrize a test with the examples in these languages."""
    return pytest.mark.parametrize("example", [each for each in EXAMPLES if each.language in languages], ids=str)


def commands(text: str) -> list[str]:
    """Return the commands of a shell example, without comments."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [line for each in lines if (line := re.sub(r"(^|\s)#.*", "", each).strip())]


def calls(text: str) -> Iterator[tuple[click.Group, list[str]]]:
    """Yield the calls of our own command line and of the developers' tools, with their arguments."""
    assert not UNKNOWN_CALL.search(text), text
    for name, command, rest in CALL.findall(text):
        yield (developer_tools if name.endswith("tools") else program), [command, *shlex.split(rest)]


def parse(group: click.Group, arguments: list[str], folder: Path) -> None:
    """Parse arguments as the command line does, without running the command. Their files exist in the folder."""
    command: click.Command | None = group
    while isinstance(command, click.Group):
        context, name = click.Context(command), arguments[0]
        command, arguments = command.get_command(context, name), arguments[1:]
        assert command is not None, f"no command {name}"
    assert command is not None
    for argument in arguments:
        if not argument.startswith("-") and "/" not in argument:
            (folder / argument).touch()
    here = Path.cwd()
    os.chdir(folder)
    try:
        command.make_context(command.name, arguments)
    finally:
        os.chdir(here)


def test_every_example_has_a_language_that_a_test_knows() -> None:
    assert {example.language for example in EXAMPLES} <= {"sh", "python", "json", "text"}
    assert {page.name for page in PAGES} >= {"README.md", "write-a-bot.md", "president.md"}
    assert len(RUN_HERE) == 3, [str(example) for example in RUN_HERE]


@of("json")
def test_json_examples_parse_and_complete_records_replay(example: Example) -> None:
    value = json.loads(example.text)
    if example.is_outline:
        assert example.noted, "an outline needs a note"
    elif value.get("format") == FORMAT:
        assert replay_with_exit_status(value, GAMES)[1] == 0


@of("sh")
def test_commands_of_the_project_exist_with_their_options(example: Example, tmp_path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands(example.text):
        for group, arguments in calls(command):
            parse(group, arguments, tmp_path)
        for target in re.findall(r"^make (\w+)", command):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), command


@pytest.mark.parametrize("example", RUN_HERE, ids=str)
def test_commands_without_a_note_run(example: Example, tmp_path: Path) -> None:
    """The arena plays one deal here, whatever the example says."""
    for other in examples(example.page):
        names = {"python": r"python (\w+\.py)", "json": r"(\w+\.json)"}.get(other.language)
        found = re.search(names, example.text) if names else None
        if found is not None and not other.is_outline:
            (tmp_path / found[1]).write_text(other.text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands(example.text):
        [(group, arguments)] = calls(command)
        assert group is program
        assert arguments[0] in HARMLESS, f"{command}: run it here, or add a note"
        line = [sys.executable, "-m", "app", *(re.sub(r"^\d+$", "1", each) for each in arguments)]
        ran = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip()


@of("python")
def test_python_examples_compile_and_are_run_by_a_command_or_by_the_test_that_they_name(example: Example) -> None:
    compile(example.text, example.page, "exec")
    [marked] = RUN_ELSEWHERE.findall(example.before) or [None]
    if marked is not None:
        assert example.page.name in (ROOT / marked).read_text(encoding="utf-8")
    else:
        assert any(
            other.language == "sh" and not other.noted and "python my_bot.py" in other.text
            for other in examples(example.page)
        )


@for_each("page", PAGES, ids=lambda page: page.name)
def test_commands_within_sentences_exist(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for code in re.findall(r"`((?:pecking-order|python -m app|python -m tools) [^`]+)`", text):
        for group, arguments in calls(code):
            command = group.get_command(click.Context(group), arguments[0])
            assert command is not None, code
            if isinstance(command, click.Group) and len(arguments) > 1:
                command = command.get_command(click.Context(command), arguments[1])
                assert command is not None, code
            known = {option for parameter in command.params for option in parameter.opts}
            assert {each for each in arguments if each.startswith("--")} <= known, code


def test_the_record_shows_what_its_page_says() -> None:
    record = json.loads(next(examples(ROOT / "docs" / "records.md")).text)
    result, status = replay_with_exit_status(record, GAMES)
    assert status == 0
    assert result["hands"][0]["events"] == ["skipped"]
    assert result["state"]["to_act"] == ["Cat"]


def test_the_readme_gives_compose_everything_that_it_requires() -> None:
    [given] = re.findall(
        r"^(\w+)=\w+ docker compose up\b", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+):\?", compose)) == {given}
    assert "build" in yaml.safe_load(compose)["services"]["app"], "a clone needs no published image"


def test_make_run_serves() -> None:
    recipe = re.search(r"^run:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert recipe is not None
    assert "-m app serve" in recipe[1]


def test_pictures_in_the_readme_exist_and_are_small() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [ROOT / path for path in re.findall(r"docs/pictures/[\w.-]+", text)]
    assert len(shown) == 3
    assert {path.name for path in shown} == {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert next(path for path in shown if path.suffix == ".webp").stat().st_size <= MAX_BYTES
