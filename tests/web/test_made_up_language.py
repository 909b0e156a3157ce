"""Every refusal of random matches is said in a made-up language without a word of English, and as it was in English."""

import re
from random import Random

import pytest

from app import resources
from app.engine.errors import RuleError
from app.engine.games import GAMES
from app.engine.match import Match
from app.engine.words import Said
from app.soak import playout
from app.soak.playout import NAMES, Playout
from app.soak.refusals import tried
from app.web.texts import Catalogues, Texts
from tests.made_up import LANGUAGE, catalogue

ENGLISH = Catalogues(resources.static() / "messages").english
MADE_UP = Texts(LANGUAGE, catalogue(ENGLISH))
MATCHES = 16
KEPT = re.compile(rf"\b({'|'.join(NAMES)}|lub|rank|red|deal|exchange|play|over)\b|[(“]\w+[”)]")
"""Names, the Polish “or” of lists, and what programs say: calls, phases and words in quotes."""


@pytest.mark.parametrize("key", GAMES)
def test_every_refusal_can_be_said_in_another_language(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: dict[str, Said | str] = {}

    def listen(match: Match, rng: Random) -> None:
        for by, action in tried(match, rng):
            try:
                match.act(by, action)
            except RuleError as error:
                heard[str(error.sentence)] = error.sentence

    monkeypatch.setattr(playout, "check_refusals", listen)
    for number in range(MATCHES):
        played = Playout.random(GAMES[key], Random(number))
        played.refusals = 0.05
        played.hand(check=False)
    assert heard
    left = {}
    for english, said in heard.items():
        assert ENGLISH.say(said) == english
        anew = MADE_UP.say(said)
        if not isinstance(said, Said) or re.search("[A-Za-z]{3}", KEPT.sub("", anew)):
            left[english] = anew
    assert not left
