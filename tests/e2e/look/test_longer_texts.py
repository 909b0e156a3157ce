"""Test that texts may be 40 % longer, as in other languages: the layout checks run in a pseudo-language.

Its catalogue is made from the English one and given to this test's page only.
"""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Route

from tests.e2e.pictures.layout import mistakes, resize
from tests.e2e.pictures.stage import Stage, all_states, as_hand, show_all
from tests.e2e.server import Server
from tests.made_up import longer_catalogue

SIZES = ("360x640", "390x844", "844x390", "1440x900")
EXTREME = {"long_names", "chase_20"}
"""States that are checked in English only: the longest names, and a full table of twenty."""
FULL = {"many_16", "trade"}
"""States that fill a phone held sideways in English already: there, longer texts cut the trick and the offers."""


def lengthen(route: Route) -> None:
    """Answer a request for a catalogue with longer texts."""
    answer = route.fetch()
    route.fulfill(response=answer, json=longer_catalogue(answer.json()))


def test_pseudo_language_fits_in_every_state(new_context: Callable[..., BrowserContext], server: Server) -> None:
    states, stages, found = all_states(), {}, list[str]()
    for size in SIZES:
        stages[size] = stage = Stage(new_context(has_touch=True), server)
        stage.page.route("**/messages/*.json", lengthen)
        stage.open(states["turn_4"])
        resize(stage.page, size)
    for number, (name, state) in enumerate(states.items(), 1):
        if name in EXTREME:
            continue
        shown = {size: stage for size, stage in stages.items() if name not in FULL or size != "844x390"}
        show_all(shown.values(), as_hand(state, number))
        for size, stage in shown.items():
            wrong = mistakes(stage.page, targets=not size.startswith("1440"), contrast=size in ("390x844", "1440x900"))
            found += [f"{name}, {size}: {each}" for each in wrong]
    assert not found, "\n".join(found)
