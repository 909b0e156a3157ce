"""Films of the scenes, as frames: `python -m tests.e2e.pictures.scene_films FOLDER [NAME …]`.

A page shows a state of tests/js/fixtures.js, then an update with the events of a scene. All animations are stopped and
moved on in steps, so each run makes the same frames, also on a busy machine. Each scene is filmed on a phone, a desktop
and a television, and has a folder of frames and one sheet with all of them. NAME may be a part of a film's name.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, sync_playwright

from app.engine import games
from app.engine.display.events import animations_by_event, prominence_by_event
from tests.e2e.conftest import installed
from tests.e2e.server import ROOT, Server

Update = dict[str, Any]

SCREENS: Mapping[str, tuple[int, int]] = {"phone": (390, 844), "desktop": (1440, 900), "television": (1920, 1080)}
STEP, LASTS = 125, 1500
"""Milliseconds between two frames, and of a scene."""
LEAST_HEIGHT = 330
"""Height of a frame on a sheet, in pixels."""
RESULT = ":is([data-zone=result], [data-zone=screen-result])"
STRANGER: Update = {"person": False, "name": None, "role": None, "host": False, "cards": "", "legal": []}

FREEZE = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const moving = animate.apply(this, given);
    if (window.frozen) moving.pause();
    return moving;
  };
  addEventListener("animationstart", () => {
    if (window.frozen) for (const each of document.getAnimations()) each.pause();
  }, true);
"""
"""Stops each new animation once `frozen` is set."""
AT = """async (ms) => {
  for (const each of document.getAnimations()) {
    each.pause();
    each.currentTime = Math.min(ms, each.effect.getComputedTiming().endTime - 1);
  }
  await new Promise(requestAnimationFrame);
}"""
"""Shows the state of all animations at this time. A finished animation would remove its element: it stops before."""


class Film(NamedTuple):
    """A scene to film: what the page shows before, and the update with the events of the scene."""

    name: str
    before: Update
    update: Update
    appears: str
    """Selector of what the update brings."""


def _events(state: Update, *events: Update, **you: Any) -> Update:
    return {**state, "events": list(events), "you": {**state["you"], **you}}


def films(states: Mapping[str, Update]) -> Iterator[Film]:
    """Yield all films, made of these states."""
    layer = "[data-celebrates~=scene-layer]"
    gave = [{"e": "gave", "by": "Ana", "to": "Cat", "count": 2}, {"e": "gave", "by": "Cat", "to": "Ana", "count": 2}]
    seen = [
        {"e": "gave_cards", "by": "Ana", "to": "Cat", "cards": "Xr 2s"},
        {"e": "gave_cards", "by": "Cat", "to": "Ana", "cards": "3c 4d"},
    ]
    others = [{"e": "gave", "by": "Dan", "to": "Bob", "count": 1}, {"e": "gave", "by": "Bob", "to": "Dan", "count": 1}]
    lead = _with_places(states["lead_5"], "Cat Bob Eve Dan Ana")
    yield Film("exchange", lead, _events(lead, *gave, *seen), layer)
    yield Film("exchange_two_pairs", lead, _events(lead, *gave, *others), layer)
    eight = _with_places(states["turn_8_of_18"], "Cat Bob Eve Finn Gudrun Hilde Dan Ana")
    taxes = [{"e": "gave", "by": name, "to": "Cat", "count": 1} for name in ("Ana", "Dan", "Hilde", "Gudrun")]
    yield Film("exchange_taxes", eight, _events(eight, *taxes), layer)
    choosing = {**states["exchange_low"], "events": []}
    yield Film("exchange_choosing", choosing, _with_places(choosing, "Cat Bob Eve Dan Ana"), "[data-zone=exchange]")
    turned = states["revolution"]
    usual = {**turned, "table": {**turned["table"], "inverted": False, "signs": []}}
    yield Film("revolution", usual, _events(turned, {"e": "revolution", "by": "Bob"}), "[data-celebrates]")
    over = states["finished"]
    last_play = {"e": "played", "by": "Dan", "cards": "4c 4h", "kind": "pair"}
    playing = {**states["turn_4"], "table": {**states["turn_4"]["table"], "to_act": ["Dan"]}}
    won = {"e": "match_won", "people": ["Ana"]}
    yield Film("match_end", playing, _events(over, last_play, won), "[data-scene]")
    yield Film("last_card", playing, _events(over, last_play, won), "[data-flies]")
    equal = {**over["table"]["last"], "totals": {"Ana": 11, "Bob": 11, "Cat": 4, "Dan": 2}}
    shared = {**over, "table": {**over["table"], "winners": ["Ana", "Bob"], "last": equal}}
    yield Film("match_shared", playing, _events(shared, won), "[data-scene]")
    yield Film("hand_end", playing, _events(states["result_8"], {"e": "out", "by": "Hilde"}), RESULT)


def _with_places(state: Update, order: str) -> Update:
    places = {name: place for place, name in enumerate(order.split(), 1)}
    players = {name: {**each, "place": places.get(name)} for name, each in state["table"]["players"].items()}
    return {**state, "table": {**state["table"], "players": players}}


def film(browser: Browser, site: str, code: str, scene: Film, screen: str, folder: Path) -> None:
    """Write the frames of a scene on this screen, and a sheet with all of them."""
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    television = screen == "television"
    before, update = (
        {**each, "you": {**each["you"], **STRANGER} if television else each["you"]} for each in scene[1:3]
    )
    if television:
        update = {**update, "events": [each for each in update["events"] if each["e"] != "gave_cards"]}
    page, socket = open_page(context, f"{site}/r/{code}{'/screen' if television else ''}", before, code)
    page.evaluate("window.frozen = true")
    socket.send(json.dumps(as_sent(update, code, 2)))
    page.wait_for_selector(scene.appears, state="attached")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    to = folder / f"{scene.name}-{screen}"
    to.mkdir(parents=True, exist_ok=True)
    frames = []
    for at in range(0, LASTS + 1, STEP):
        page.evaluate(AT, at)
        frames.append(to / f"{at:04}.png")
        page.screenshot(path=frames[-1])
    context.close()
    _sheet([Image.open(frame) for frame in frames]).save(folder / f"{scene.name}-{screen}.png")


def as_sent(update: Update, code: str, seq: int) -> Update:
    """Return an update as the server sends it to a room with this code."""
    assert games.GAMES  # their events are declared
    told = {"event_animations": animations_by_event(), "event_prominence": prominence_by_event()}
    fair = {**update["room"]["fair"], "commitment": "", "hashes": {}}
    return {**update, **msgspec.to_builtins(told), "room": {**update["room"], "code": code, "fair": fair}, "seq": seq}


def open_page(context: BrowserContext, address: str, update: Update, code: str) -> tuple[Page, WebSocketRoute]:
    """Open the page in this state, with all its scripts."""
    page, sockets = context.new_page(), list[WebSocketRoute]()
    page.set_default_timeout(10_000)
    page.on("pageerror", lambda error: print(error, file=sys.stderr))

    def answer(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.send(json.dumps(as_sent({**update, "events": []}, code, 1)))

    page.add_init_script(f"Date.now = () => {update['server_time']};{FREEZE}")
    page.route_web_socket("**/ws/**", answer)
    page.goto(address)
    page.wait_for_selector("[data-seq='1']")
    page.wait_for_load_state("networkidle")
    return page, sockets[0]


def _sheet(frames: list[Image.Image]) -> Image.Image:
    columns = 7 if frames[0].width < frames[0].height else 4
    scale = LEAST_HEIGHT / frames[0].height
    size = (round(frames[0].width * scale), LEAST_HEIGHT)
    rows = -(-len(frames) // columns)
    sheet = Image.new("RGB", (columns * (size[0] + 4), rows * (size[1] + 4)), "white")
    for at, frame in enumerate(frames):
        sheet.paste(frame.convert("RGB").resize(size), (at % columns * (size[0] + 4), at // columns * (size[1] + 4)))
    return sheet


@contextmanager
def room_and_states() -> Iterator[tuple[Browser, str, str, Mapping[str, Update]]]:
    """Start a server with a room. Yield a browser, the server's address, the room's code, and the states to show."""
    made = subprocess.run(["node", str(ROOT / "tests/js/fixtures.js")], check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place))
        server.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=installed())
                asked = {"name": "Ana", "game": "president", "options": {}}
                context = browser.new_context()
                answer = context.request.post(f"{server.url}/api/rooms", data=asked, headers={"Origin": server.url})
                yield browser, server.url, answer.json()["code"], json.loads(made.stdout)
                browser.close()
        finally:
            server.stop()


def main() -> None:
    """Film the wanted scenes, or all."""
    folder, *wanted = sys.argv[1:]
    with room_and_states() as (browser, site, code, states):
        for scene in films(states):
            for screen in SCREENS:
                if not wanted or any(each in f"{scene.name}-{screen}" for each in wanted):
                    film(browser, site, code, scene, screen, Path(folder))


if __name__ == "__main__":
    main()
