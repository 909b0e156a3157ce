"""Test that pages and `pecking-order verify` name each cheat of a server. Four pages run their own modules in Node."""

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.cli import main
from app.settings import Settings
from tests.web.conftest import serving
from tests.web.fair_deals import cheating_servers as cheats
from tests.web.visitors import visiting

NAMES = ("Ana", "Bob", "Cat", "Dan")
RUN = Path(__file__).parents[2] / "js" / "pages" / "run_pages.js"


async def played(
    settings: Settings,
    *,
    hands: int = 1,
    cheat: Callable[[pytest.MonkeyPatch], None] | None = None,
    game: str = "president",
    **plan: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let four pages play hands on a server. Return what each page told, by name, and the record of the match."""
    with pytest.MonkeyPatch.context() as patch:
        if cheat is not None:
            cheat(patch)
        quick = settings.limits.model_copy(update={"messages_per_second": 1000.0, "messages_at_once": 1000})
        async with serving(settings.model_copy(update={"limits": quick})) as live, visiting(live.base) as come:
            visitors = [come() for _ in NAMES]
            code = (await visitors[0].open("Ana", game=game))["code"]
            for visitor, name in zip(visitors, NAMES, strict=True):
                desk = await visitor.sit(code, None if name == "Ana" else name)
                await desk.close()
            pages = [{"name": name, "cookie": visitor.cookies} for name, visitor in zip(NAMES, visitors, strict=True)]
            plan |= {"base": live.base, "code": code, "pages": pages, "hands": hands}
            node = await asyncio.create_subprocess_exec(
                "node", "--experimental-websocket", "--no-warnings", str(RUN), json.dumps(plan),
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            try:
                async with asyncio.timeout(60):
                    out, err = await node.communicate()
            finally:
                if node.returncode is None:
                    node.kill()
            assert node.returncode == 0, err.decode()
            told = json.loads(out.splitlines()[-1])
            record = (await visitors[0].http.get(f"/matches/{told['match']}/record.json")).json()
    return {page["name"]: page for page in told["pages"]}, record


def verified(folder: Path, record: dict[str, Any], *lists: Any) -> tuple[int, str]:
    """Verify a record, with the lists that pages copied. Return the exit status and the output."""
    file = folder / "record.json"
    file.write_text(json.dumps(record))
    arguments = ["verify", str(file)]
    for number, each in enumerate(lists):
        (folder / f"list{number}.json").write_text(json.dumps(each))
        arguments += ["--list", str(folder / f"list{number}.json")]
    told = CliRunner().invoke(main, arguments)
    return told.exit_code, told.output


LINES = {
    "cards": "Unfair deal: the seeds make other cards.",
    "seats": "Unfair deal: the cards went to other seats.",
    "foreign": "Unfair deal: a player had another player’s card.",
    "list": "Unfair deal: the list of seeds was changed.",
    "redrawn": "The server drew again after seeds were sent.",
    "off": "Your seed was left off the list of this deal.",
    "alone": "This deal has no players’ seeds.",
    "unheard": "This deal was made without your seed.",
    "late": "Your seed was left out of the last deal.",
}
ALL = frozenset(NAMES)


@dataclass(frozen=True)
class Cheat:
    """A cheat: what the pages say by name, and what `verify` says with the lists that the pages copied."""

    server: Callable[[pytest.MonkeyPatch], None]
    pages: Mapping[str, Collection[str]]
    """Pages by the kind of their only line."""
    status: int
    verified: str
    game: str = "chase_the_ace"
    unheard: bool = False


CHEATS = (
    Cheat(cheats.deal_another_deck, {"cards": ALL}, 1, "was dealt other cards"),
    Cheat(cheats.draw_again, {"redrawn": ALL}, 1, "the server drew again after seeds were sent"),
    Cheat(cheats.draw_again_for_seats, {"redrawn": ALL}, 1, "without a word or with a false reason"),
    Cheat(cheats.draw_again_for_lost_entries, {"redrawn": ALL}, 4, "a deal was cancelled: the server lost data"),
    Cheat(cheats.leave_hashes_off, {"off": ALL - {"Ana"}}, 1, "the player’s hash was left off the list"),
    Cheat(cheats.swap_piles, {"seats": ALL}, 1, "was dealt other cards"),
    Cheat(cheats.swap_piles_without_event, {"seats": ALL}, 1, "was dealt other cards"),
    Cheat(
        cheats.swap_piles_with_false_statement,
        {"seats": {"Ana", "Bob"}, "foreign": {"Cat", "Dan"}},
        1,
        "was dealt other cards",
        "president",
    ),
    Cheat(cheats.close_sockets, {"cards": ALL}, 1, "was dealt other cards"),
    Cheat(cheats.deal_without_seeds, {"alone": ALL}, 4, "it depends on the server alone"),
    Cheat(cheats.show_another_list, {"list": {"Bob"}}, 1, "not the list that the player saw: it has another hashes"),
    Cheat(cheats.never_acknowledge, {"unheard": ALL}, 4, "it depends on the server alone", unheard=True),
)


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.server.__name__)
async def test_pages_and_verify_name_the_cheat(settings: Settings, tmp_path: Path, cheat: Cheat) -> None:
    told, record = await played(settings, cheat=cheat.server, game=cheat.game, unheard=cheat.unheard)
    kinds = {name: kind for kind, names in cheat.pages.items() for name in names}
    for name, page in told.items():
        # The server's own event says its false reason first.
        lines = [line for line in page["lines"] if not line.startswith("This hand was drawn again: ")]
        assert lines == ([LINES[kinds[name]]] if name in kinds else []), page
        assert page["counts"] == ({kinds[name]: 1} if name in kinds else {}), page
    lists = [page["copy"] for page in told.values() if page["copy"] is not None]
    status, output = verified(tmp_path, record, *lists)
    assert (status, cheat.verified in output) == (cheat.status, True), output


async def test_a_told_cancellation_is_calm_and_counts(settings: Settings, tmp_path: Path) -> None:
    cheat = cheats.draw_again_with_an_accomplice
    told, record = await played(settings, hands=2, cheat=cheat, game="chase_the_ace", reloads=True)
    for name, page in told.items():
        lines = [line.replace("you deleted your", "Dan deleted their") for line in page["lines"]]
        assert lines == ["This hand was drawn again: Dan deleted their data."] * 2, page
        assert (page["counts"], page["deals"], page["open"]) == ({"cancelled": 2}, 2, 0), (name, page)
    status, output = verified(tmp_path, record, *(page["copy"] for page in told.values()))
    assert (status, "Drawn again: 2 told, 0 without a word" in output) == (4, True), output


async def test_the_owner_of_a_dropped_seed_and_verify_name_it(settings: Settings, tmp_path: Path) -> None:
    told, record = await played(settings, cheat=cheats.drop_last_seed, game="chase_the_ace")
    [owner] = [name for name, page in told.items() if page["lines"]]
    assert told[owner]["lines"] == [LINES["late"]]
    status, output = verified(tmp_path, record, *(page["copy"] for page in told.values()))
    assert (status, f"left out: the seeds of {owner}" in output) == (0, True), output


async def test_honest_hands_give_no_line_and_are_fair(settings: Settings, tmp_path: Path) -> None:
    told, record = await played(settings, hands=2, reloads=True, game="president")
    for page in told.values():
        assert page["lines"] == [], page
        assert (page["deals"], page["open"], page["counts"]) == (2, 0, {}), page
        assert (page["last"]["verdict"], page["last"]["unseen"]) == ("fair", []), page
    status, output = verified(tmp_path, record, told["Ana"]["copy"])
    assert status == 0, output
