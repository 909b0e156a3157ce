"""Make a database with rooms in which people typed text that breaks into other pages.

Run `python -m tests.e2e.databases.markup_in_names FILE`.
"""

import asyncio
import sys
from pathlib import Path
from typing import Final

from app.engine.cards.action_codec import MAX_DECREE_LENGTH
from app.rooms.model import commands as ask
from tests.e2e.databases.played_rooms import write
from tests.rooms.world import World
from tests.store.played import play

NAMES: Final = (
    "<svg onload=ran()>",
    "'\"><i onclick=ran()>",
    "</script><script>",
    "{{7*7}}${7*7}<%=7%>",
    "javascript:ran()",
    "__proto__",
    "constructor",
)
"""Names of people, at most 20 characters."""
UNIT: Final = "<img src onerror=ran()>"
STAKE: Final = {"amount": 1, "unit": UNIT}
TEXTS: Final = tuple(
    text[:MAX_DECREE_LENGTH]
    for text in (
        "<script>ran()</script>",
        '"><img src=x onerror=ran()>',
        "</textarea></title></script><svg/onload=ran()>",
        "<iframe srcdoc='<script>parent.ran()</script>'>",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=ran()>",
        "<a href='java&#9;script:ran()'>x</a> [x](javascript:ran())",
        "&lt;script&gt;ran()&lt;/script&gt; &#60;img src onerror=ran()&#62; \\x3cimg src onerror=ran()\\x3e",
        "{{constructor.constructor('ran()')()}} ${ran()} #{ran()} <%= ran() %> {% raw %}",
        '\\"}]}</script><!--<script>ran()//--> ]]> */ran()/*',
        "\u202e<b>\u2066ran()\u2069\u2028\ufeff＜script＞ran()＜/script＞",
        "%3Cimg%20src%20onerror%3Dran()%3E +ADw-script+AD4-ran()+ADw-/script+AD4-",
        "<base href=//evil.example><meta http-equiv=refresh content='0;url=javascript:ran()'>",
        "<noscript><p title='</noscript><img src onerror=ran()>'><template><img src onerror=ran()>" + "<b>" * 200,
    )
)
"""Texts for longer fields."""


def typed() -> tuple[World, World]:
    """Make two rooms of Ceausescu with these people.

    One is in a hand before which the king gave a decree of each text. The other is at the end of a hand.
    """
    worlds = World(game="ceausescu", seed=5, stake=STAKE), World(room="CODE43", game="ceausescu", stake=STAKE)
    for world in worlds:
        play(world.join(*NAMES), 1, stop=False)
    match = worlds[0].room.match
    assert match is not None
    king, *others = match.hierarchy
    for number, text in enumerate(TEXTS):
        to = others[number % len(others)]
        worlds[0].ok(king, ask.Act, action={"do": "decree", "text": text, "to": to})
        worlds[0].ok(to, ask.Act, action={"do": ("obey", "defy")[number % 2]})
    worlds[0].ok("Ana", ask.DealNext)
    worlds[0].play()
    worlds[0].ok("Ana", ask.DealNext)
    worlds[0].play(until=5)
    return worlds


if __name__ == "__main__":
    print(asyncio.run(write(Path(sys.argv[1]), *typed())))
