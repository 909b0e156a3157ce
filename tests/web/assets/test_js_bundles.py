"""Test that scripts in folders are bundled like those in one folder."""

import shutil
import subprocess
from pathlib import Path

import pytest

from app.web.assets.js_bundles import Module, build_browser_files, build_bundles

MODULES = {
    "home.js": 'import { greet } from "./parts/greet.js";\nconst bird = console.log;\ngreet().then(bird);\n',
    "parts/greet.js": 'import { word } from "../words.js";\n'
    'import { bird } from "./birds/duck.js";\n'
    "export async function greet() {\n"
    '  const late = await import("./late.js");\n'
    "  return `${word} ${bird} ${late.last}`;\n"
    "}\n",
    "parts/birds/duck.js": 'export const bird = "duck";\n',
    "parts/late.js": 'import { word } from "../words.js";\nexport const last = word.toUpperCase();\n',
    "words.js": 'export const word = "hello";\n',
    "pages/other.js": 'import { word } from "../words.js";\n'
    'import("../parts/late.js").then((late) => console.log(word, late.last));\n',
    "pages/site.js": "\n",
    "net/early_socket.js": "\n",
    "pages/room_deferred.js": "\n",
}


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def run(script: Path) -> str:
    return subprocess.run(["node", script], capture_output=True, text=True, check=True).stdout.strip()


def test_bundled_scripts_from_folders_behave_like_the_separate_modules(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("no node is installed, which runs scripts as browsers do")
    alone = written(tmp_path / "js", {name: text.encode() for name, text in MODULES.items()})
    bundles = written(tmp_path / "bundles", dict(build_browser_files(alone)))
    for page, printed in (("home.js", "hello duck HELLO"), ("pages/other.js", "hello HELLO")):
        assert run(alone / page) == printed
        assert run(bundles / "js" / page) == printed
    assert not (bundles / "js" / "words.js").exists(), "it is part of the pages' bundles"


def test_two_scripts_of_a_page_cannot_export_the_same_name() -> None:
    doubled = MODULES | {"parts/birds/duck.js": 'export const bird = "duck";\nexport const word = "quack";\n'}
    with pytest.raises(ValueError, match=r"words\.js and parts/birds/duck\.js are on one page and both export word"):
        list(build_bundles({name: Module(name, text) for name, text in doubled.items()}))
