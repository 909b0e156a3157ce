"""Test that every refusal can be translated, with a made-up language, and that English texts are unchanged.

The refusals come from random matches and rooms, and from invalid messages, records and requests.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app import resources
from app.arena.random_rules import PLAYER_NAMES
from app.engine.base.messages import TranslatableMessage
from app.engine.games import GAMES
from app.engine.match.record import InvalidRecord, parse_record, replay_steps
from app.rooms.model import commands as ask
from app.rooms.model.decision import Decision
from app.web.assets.static_files import Assets
from app.web.assets.templates import Templates
from app.web.http import errors, guards
from app.web.i18n.catalogues import Catalogues, Texts
from app.web.protocol import client_messages
from app.web.protocol.message_errors import BadMessage
from tests.made_up import LANGUAGE, catalogue, write_po
from tests.random_refusals import random_refusals
from tests.rooms.test_random_rooms import PEOPLE, take
from tests.rooms.world import World
from tools.property_checks.playout import Playout

ENGLISH = Catalogues().english
MADE_UP = Texts(LANGUAGE, catalogue(ENGLISH))
MATCHES = 16
ROOMS = 30
STEPS = 60
CALLED = "|".join((*PLAYER_NAMES, "Nobody", *GAMES, *client_messages.MESSAGES))
KEPT = re.compile(rf"\b({CALLED}|lub|rank|red|deal|exchange|play|over|climbing-record)\b|[(“][\w.]+[”)]")
"""What stays in a translation: names, the Polish “or”, calls, phases, games, messages and quoted words."""


def untranslated(heard: Iterable[TranslatableMessage]) -> dict[str, str]:
    """Return the translations that still contain English, by their English texts."""
    left = {}
    for said in set(heard):
        assert ENGLISH.say(said) == said
        anew = MADE_UP.say(said)
        if re.search("[A-Za-z]{3}", KEPT.sub("", anew)):
            left[str(said)] = anew
    return left


@pytest.mark.parametrize("key", GAMES)
def test_every_refusal_by_a_game_can_be_translated(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = random_refusals(GAMES[key], MATCHES, monkeypatch)
    assert heard
    assert not untranslated(heard)


@pytest.mark.parametrize("key", GAMES)
def test_every_reason_for_points_can_be_translated(key: str) -> None:
    reasons = set[tuple[str, str]]()
    for number in range(MATCHES):
        played = Playout.random_match(GAMES[key], Random(number))
        for _ in range(3):
            if not played.match.over:
                played.play_hand(check=False)
        for result in played.results():
            for reason in result.reasons:
                reasons.add((ENGLISH.t(reason.key, **reason.values), MADE_UP.t(reason.key, **reason.values)))
    assert reasons
    assert not {english: said for english, said in reasons if re.search("[A-Za-z]{3}", KEPT.sub("", said))}


class Heard(World):
    """A room that records its refusals and the reasons why a match could not start."""

    def __init__(self, seed: int, **settings: Any) -> None:
        self.heard: list[TranslatableMessage] = []
        super().__init__(seed=seed, **settings)

    def tell(self, command: ask.Command) -> Decision:
        outcome = super().tell(command)
        self.heard += filter(None, (outcome.reply.message, self.room.deal_refusal()))
        return outcome


def test_every_refusal_by_a_room_can_be_translated() -> None:
    heard: list[TranslatableMessage] = []
    games, commands = (
        list(GAMES),
        ["play", "bots", "hand", "absent", "present", "wait", "make_link", *ask.MESSAGES_BY_TAG],
    )
    for number in range(ROOMS):
        rng = Random(number)
        world = Heard(number, game=games[number % len(games)])
        for _ in range(STEPS):
            take(world, (rng.choice(commands), rng.choice(PEOPLE), rng.choice(PEOPLE), rng.randrange(100)))
        heard += world.heard
    assert len(set(heard)) > 25
    assert not untranslated(heard)


NO_MESSAGES = (
    "{",
    "[1, 2]",
    '{"t": "dance", "id": "a"}',
    '{"t": "join", "id": "a"}',
    '{"t": "start", "id": "a", "now": 1}',
    '{"t": "join", "id": "a", "name": ""}',
    '{"t": "join", "id": "a", "name": 7}',
    '{"t": "configure", "id": "a", "clock": {"away": null}}',
    '{"t": "configure", "id": "a", "clock": []}',
    '{"t": "join", "id": "a", "name": "x\\u0000"}',
    '{"t": "act", "id": "a", "action": ' + '{"a":' * 9 + "1" + "}" * 9 + "}",
)


def test_every_error_of_an_invalid_message_can_be_translated() -> None:
    heard: list[TranslatableMessage] = []
    for text in NO_MESSAGES:
        with pytest.raises(BadMessage) as bad:
            client_messages.parse_message(text, "p1")
        heard.append(bad.value.sentence)
    assert len(set(heard)) > 9
    assert not untranslated(heard)


RECORD = {"format": "climbing-record/1", "game": "president", "players": ["Ana", "Bob", "Cat"]}
CARDS = {"Ana": "3c 4c", "Bob": "5c", "Cat": "6c"}
HAND = {"dealer": "Cat", "cards": CARDS, "actions": []}
NO_RECORDS: tuple[object, ...] = (
    7,
    {},
    {**RECORD, "game": "chess"},
    {**RECORD, "players": "Ana"},
    {**RECORD, "players": ["Ana", "Ana", "Bob"]},
    {**RECORD, "players": ["Ana"]},
    {**RECORD, "hands": [7]},
    {**RECORD, "hands": [{}]},
    {**RECORD, "hands": [{**HAND, "dealer": "Dan"}]},
    {**RECORD, "hands": [{**HAND, "cards": "3c"}]},
    {**RECORD, "hands": [{**HAND, "cards": {"Ana": "3c"}}]},
    {**RECORD, "hands": [{**HAND, "cards": {**CARDS, "Cat": "5c"}}]},
    {**RECORD, "hands": [{**HAND, "cards": {**CARDS, "Cat": "1c"}}]},
    {**RECORD, "hands": [HAND, HAND]},
    {**RECORD, "hands": [{**HAND, "actions": 7}]},
    {**RECORD, "hands": [{"seed": "one"}]},
)


def test_every_error_of_an_invalid_record_can_be_translated() -> None:
    heard: list[TranslatableMessage] = []
    for record in NO_RECORDS:
        with pytest.raises(InvalidRecord) as bad:
            list(replay_steps(*parse_record(record, GAMES)))
        heard.append(bad.value.error.sentence)
    assert len(set(heard)) > 12
    assert not untranslated(heard)


def test_every_error_page_is_in_the_language_of_the_request(tmp_path: Path) -> None:
    write_po(tmp_path / f"{LANGUAGE}.po", MADE_UP.catalogue)
    templates = Templates(resources.templates_folder(), Catalogues(tmp_path), Assets(resources.static_folder()))
    scope = {"type": "http", "path": "/", "headers": [(b"accept", b"text/html"), (b"accept-language", b"pl")]}
    refused = {
        400: errors.BAD_REQUEST(),
        403: guards.ONLY_OWN_PAGES(),
        404: ENGLISH.message("error.not_found"),
        405: errors.BAD_METHOD(),
        413: guards.TOO_MANY_BYTES(most=1),
        422: errors.NOT_ASKED_FOR(where="nothing"),
        429: errors.rate_limit_error(3).sentence,
        500: ENGLISH.message("error.trouble"),
        503: ENGLISH.message("error.unavailable"),
    }
    for status, sentence in refused.items():
        page = bytes(errors.error_response(templates, scope, status, "code", sentence).body).decode()
        main = page[page.index("<main") : page.index("</main>")]
        text = re.sub(r"<[^>]*>", "", main)
        assert not re.search("[A-Za-z]{3}", KEPT.sub("", text)), (status, text)
        assert re.search("[ȧḗīǿŭ]", text)
