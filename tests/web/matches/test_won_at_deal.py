"""Test a hand that a player wins with the cards dealt: pages show it, although nobody plays."""

import json
from typing import Any

from tests.web.visitors import Visitor

DRAGON = "3s 4s 5c 6d 7h 8s 9c Td Jh Qs Kc Ad 2s"
RECORD: dict[str, Any] = {
    "format": "climbing-record/1",
    "game": "tien_len",
    "options": {"preset": "southern"},
    "players": ["Ana", "Bob", "Cat"],
    "hands": [
        {"dealer": "Ana", "cards": {"Ana": "3c 9h", "Bob": DRAGON, "Cat": "9d"}, "actions": []},
        {
            "dealer": "Cat",
            "cards": {"Ana": "9s", "Bob": "3d", "Cat": "4d"},
            "actions": [{"by": "Bob", "do": "play", "cards": "3d"}, {"by": "Cat", "do": "play", "cards": "4d"}],
        },
    ],
}


async def test_replay_and_story_show_a_hand_won_at_the_deal(ana: Visitor) -> None:
    headers = {"Content-Type": "application/json"}
    kept = await ana.http.post("/api/imports/kept", content=json.dumps(RECORD), headers=headers)
    [match_id] = kept.json()["matches"]
    hand = (await ana.http.get(f"/api/matches/{match_id}/hands/0")).json()
    [frame] = hand["frames"]
    assert [event["e"] for event in frame["events"]][:2] == ["dealt", "instant_dragon"]
    assert (frame["highlight"], frame["table"]["phase"]) == (True, "over")
    assert hand["event_prominence"]["instant_dragon"] == "great"
    page = (await ana.http.get(f"/matches/{match_id}", headers={"Accept": "text/html"})).text
    assert "A run from 3 to ace! Bob wins at once." in page
    assert "hand=0&amp;move=0" in page
