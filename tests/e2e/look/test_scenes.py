"""Test the scenes: they end, can be turned off, respect reduced motion, and are light."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import find
from tests.e2e.look.test_motion import Motion, NewContext
from tests.e2e.pictures.scene_films import Film, as_sent, films, open_page
from tests.e2e.pictures.scene_weight import MOST_MS, MOST_SHIFT, measure
from tests.e2e.pictures.stage import all_states
from tests.e2e.server import Server


@pytest.fixture(scope="module")
def scenes() -> dict[str, Film]:
    return {scene.name: scene for scene in films(all_states())}


@pytest.fixture
def code(server: Server, new_context: NewContext) -> str:
    asked = {"name": "Ana", "game": "president", "options": {}}
    request = new_context().request
    return str(request.post(f"{server.url}/api/rooms", data=asked, headers={"Origin": server.url}).json()["code"])


def show(
    new_context: NewContext, server: Server, code: str, scene: Film, *scripts: str, motion: Motion = "no-preference"
) -> Page:
    """Open a phone's page before this scene, with these scripts, and show the scene."""
    context = new_context(viewport={"width": 390, "height": 844})
    for script in scripts:
        context.add_init_script(script)
    page, socket = open_page(context, f"{server.url}/r/{code}", scene.before, code)
    page.emulate_media(reduced_motion=motion)
    page.evaluate("window.frozen = true")
    socket.send(json.dumps(as_sent(scene.update, code, 2)))
    page.wait_for_selector("[data-seq='2']")
    return page


def test_a_scene_covers_no_card_and_ends_with_a_press(
    new_context: NewContext, server: Server, code: str, scenes: dict[str, Film]
) -> None:
    page = show(new_context, server, code, scenes["exchange"])
    scene = page.locator("[data-celebrates~=scene-layer]")
    expect(scene).to_contain_text("You part with a joker.")
    box, hand = scene.bounding_box(), find.zone(page, "hand").bounding_box()
    assert box
    assert hand
    assert box["y"] + box["height"] <= hand["y"] + 1
    assert find.stage(page).evaluate("stage => getComputedStyle(stage).pointerEvents") == "none"
    find.cards(page).first.click(position={"x": 10, "y": 14})
    expect(scene).to_have_count(0)


def test_scenes_can_be_turned_off_and_stand_still_with_reduced_motion(
    new_context: NewContext, server: Server, code: str, scenes: dict[str, Film]
) -> None:
    off = show(new_context, server, code, scenes["exchange"], "localStorage.setItem('po.scenes', 'off')")
    expect(off.locator("[data-zone=status] [data-zone=latest]")).to_contain_text("Cat gives you")
    expect(find.stage(off).locator("[data-celebrates]")).to_have_count(0)
    still = show(new_context, server, code, scenes["exchange"], motion="reduce")
    expect(still.locator("[data-celebrates~=scene-layer] [data-part]").first).to_be_visible()
    parts = "all => all.flatMap((each) => each.getAnimations()).length"
    assert still.locator("[data-celebrates~=scene-layer] [data-part]").evaluate_all(parts) == 0
    # The news is in the words for screen readers, too.
    expect(still.locator("#live")).to_contain_text("You part with a joker.")


def test_birds_glide_from_their_last_places_until_a_press(
    new_context: NewContext, server: Server, code: str, scenes: dict[str, Film]
) -> None:
    gliding = "() => document.getAnimations().filter((each) => each.animationName === 'glide').length"
    page = show(new_context, server, code, scenes["hand_end"], motion="reduce")
    result = find.zone(page, "result")
    expect(result).to_be_visible()
    assert page.evaluate(gliding) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(gliding) == 8
    result.get_by_role("heading").click()
    assert page.evaluate(gliding) == 0


@pytest.mark.parametrize("name", ["exchange", "hand_end", "match_end"])
def test_a_scene_is_light_and_shifts_nothing(
    browser: Browser, server: Server, code: str, scenes: dict[str, Film], name: str
) -> None:
    weight = measure(browser, server.url, code, scenes[name], slowed=1)
    assert weight.longest < MOST_MS
    assert weight.shift < MOST_SHIFT
