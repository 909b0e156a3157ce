"""Test that the statements in the README are true."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_readme_follows_its_outline() -> None:
    """Purpose in two lines, animation, three commands, ten short features, two more pictures, honest limits."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    title, purpose, animation, *_ = text.split("\n\n")
    assert title == "# Pecking Order"
    assert len(purpose.splitlines()) == 2
    assert animation.startswith("![")
    [commands] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    run, test, docker = commands.splitlines()
    assert run.startswith("make run ")
    assert "docker compose up" in docker
    [minutes] = re.findall(r"^make test +# (\d+) minutes", test)
    for page in ("Makefile", "docs/developing.md"):
        assert f" {minutes} minutes on two" in (ROOT / page).read_text(encoding="utf-8")
    features = re.findall(r"^- (.*)$", text.partition("## Features\n")[2].partition("\n\n|")[0], re.MULTILINE)
    assert len(features) == 10
    assert all(len(feature.split()) <= 12 for feature in features)
    assert text.count("<img ") == 2
    assert "## Is it for you?" in text


def test_the_readme_names_the_oldest_supported_browsers() -> None:
    """Each feature that requires a browser version must still be in use. Otherwise older browsers would work."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Chrome and Edge 120, Firefox 128, Safari 17.2" in text
    sheets = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "static" / "css").rglob("*.css"))
    # CSS nesting with an element first needs Chrome 120 and Safari 17.2, `@property` needs Firefox 128.
    assert re.search(r"^ {4,}(?:td|th|li|h2|p|a)\b[^;]*\{$", sheets, re.MULTILINE)
    assert "@property" in sheets


def test_every_file_linked_from_the_docs_exists() -> None:
    for page in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link.replace("\\", "")).exists(), f"{page.name} links to {link}"


def test_every_heading_linked_from_the_docs_exists() -> None:
    pages = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
    linked = [
        (page, page.parent / file if file else page, heading)
        for page in pages
        for file, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(linked) > 10
    for page, target, heading in linked:
        titles = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
        assert heading in slugs, f"{page.name} links to {target.name}#{heading}"


def test_every_function_named_in_how_a_play_travels_exists() -> None:
    text = (ROOT / "docs" / "how-a-play-travels.md").read_text(encoding="utf-8")
    stops = re.findall(r"^\| `([\w./]+)` \| `(\w+)` \|", text, re.MULTILINE)
    assert len(stops) > 20
    for file, name in stops:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^\s*(export |async )*(def|class|function) {name}\b", source, re.MULTILINE), (
            f"{file}: {name}"
        )


def test_every_file_named_in_the_guides_exists() -> None:
    """A file may be named by its whole path or by the end of it."""
    places = ("app", "docs", "static", "tests", "tools")
    there = [f"/{file.relative_to(ROOT)}" for place in places for file in (ROOT / place).rglob("*.*")]
    for page in ("design.md", "developing.md", "how-a-play-travels.md"):
        named = re.findall(r"`([\w/.-]+\.(?:py|js|json|md|ts))`", (ROOT / "docs" / page).read_text(encoding="utf-8"))
        assert named
        for name in named:
            assert any(path.endswith(f"/{name}") for path in there), f"{page} names {name}"


def test_the_command_recipe_names_exactly_the_files_of_a_command() -> None:
    text = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
    recipe = text.partition("## A command\n")[2].partition("\n## ")[0]
    named = re.findall(r"^\d\. `([\w/.]+)`", recipe, re.MULTILINE)
    of_the_lock = re.compile(r"\bclass Lock\(|\bask\.Lock\b|\"menu\.lock\"|\block\.check\(|\broom_locked\b|\.locked\b")
    places = ("app/rooms", "app/store", "app/web", "static", "templates", "tests/rooms", "tests/web", "tests/e2e")
    kinds = {".py", ".js", ".json", ".html"}
    files = [file for place in places for file in (ROOT / place).rglob("*") if file.suffix in kinds]
    found = {str(file.relative_to(ROOT)) for file in files if of_the_lock.search(file.read_text(encoding="utf-8"))}
    assert found == set(named)
    assert len(named) == 7
