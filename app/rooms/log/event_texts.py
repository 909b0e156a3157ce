"""The room's own game events with their texts, for changes outside of the cards.

The reducer uses them (`reducer.py`).
"""

from app.engine.display.events import GameEventType

CAME = GameEventType("came", "{by} comes in.", you="You come in.", program="{by}, a program, comes in.")
CAME_BACK = GameEventType("came_back", "{by} is back.", you="")
WENT_AWAY = GameEventType("went_away", "{by} has lost touch.", you="")
NAMED = GameEventType("named", "{before} is called {now} now.", you="You are called {now} now.")
RENAMED = GameEventType("renamed", "{before} is called {by} now.", you="You are called {by} now.")
BOT_CAME = GameEventType("bot_came", "{by}, a bot, sits down.")
BOT_SET = GameEventType("bot_set", "{by}, a bot, plays at another level from now on.")
GOING = GameEventType("going", "{by} leaves after this hand.", you="You leave after this hand.")
STAYS = GameEventType("stays", "{by} stays after all.", you="You stay after all.")
WENT = GameEventType("went", "{by} is gone.", you="You have left the room.")
READY = GameEventType("ready", "{by} is ready.", you="You are ready.")
NOT_READY = GameEventType("not_ready", "{by} is not ready yet.", you="You are not ready yet.")

ROLES = {
    "seated": GameEventType("seated", "{by} takes a seat.", you="You take a seat."),
    "watcher": GameEventType("watcher", "{by} watches.", you="You watch."),
    "waiting": GameEventType("waiting", "{by} asks for a chair.", you="You ask for a chair."),
}
"""Events for taking a role, by role."""
CHAIR_TAKEN = GameEventType(
    "chair_taken",
    "{by} takes the chair of {of} with the next deal.",
    you="You take the chair of {of} with the next deal.",
)
LINK_MADE = GameEventType(
    "link_made",
    "{host} has made a link that gives {by}’s seat to another browser, once.",
    you="{host} has made a link that gives your seat to another browser, once.",
    host_you="You have made a link that gives the seat of {by} to another browser, once.",
)
LINK_ASKED = GameEventType(
    "link_asked",
    "{by} allows a link to their seat again.",
    you="You allow a link to your seat again.",
)
SEAT_MOVED = GameEventType(
    "seat_moved",
    "Another browser plays as {by} now.",
    you="Another browser plays as you now.",
    host="Another browser plays as {by} now. {host} let it in.",
    you_host="Another browser plays as you now. {host} let it in.",
    host_you="Another browser plays as {by} now. You let it in.",
)
SEAT_REQUESTED = GameEventType(
    "seat_requested",
    "Somebody asks the host to come back as {by} with another browser.",
    you="Somebody asks the host to come back as you with another browser.",
)
SEAT_REFUSED = GameEventType(
    "seat_refused",
    "The host does not let the other browser play as {by}.",
    you="The host does not let the other browser play as you.",
)
PLAYERS_PARTED = GameEventType(
    "players_parted",
    "The statistics count {by} and the earlier player of this seat as two people.",
    you="The statistics count you and the earlier player of this seat as two people.",
)
SEAT_TAKEN_BACK = GameEventType(
    "seat_taken_back",
    "{by} takes the seat back from the other browser.",
    you="You take your seat back from the other browser.",
)
REMOVED = GameEventType("removed", "{by} is kept out of the room.", you="You are kept out of the room.")
RECODED = GameEventType("recoded", "The room has a new code and a new link now.")
UNSEATED = GameEventType(
    "unseated",
    "The host has taken {by}’s seat.",
    you="The host has taken your seat. You can watch, and take a chair again.",
)

STOOD_IN = GameEventType("stood_in", "A bot plays for {by} now.", you="A bot played for you.")
LENT = {
    "turn": GameEventType(
        "lent_turn",
        "A bot plays this turn of {by}’s: {asked_by} asked for it.",
        you="A bot plays this turn for you: {asked_by} asked for it.",
        asked_by_you="A bot plays this turn for {by}: you asked for it.",
    ),
    "seat": GameEventType(
        "lent_seat",
        "A bot plays for {by} until they touch their cards: {asked_by} asked for it.",
        you="A bot plays for you until you touch your cards: {asked_by} asked for it.",
        asked_by_you="A bot plays for {by} until they touch their cards: you asked for it.",
    ),
}
"""Events for a bot that takes over at another player's request, by period."""
TIMED_OUT = GameEventType("timed_out", "{by} ran out of time.", you="You ran out of time.")
HURRIED = GameEventType(
    "hurried", "{by} has the bots play this hand to its end.", you="The bots play this hand to its end."
)

PROPOSED = {
    "rest": GameEventType("rest_asked", "{by} asks for a pause.", you="You ask for a pause."),
    "rematch": GameEventType("rematch_asked", "{by} wants to play again.", you="You want to play again."),
    "take_back": GameEventType(
        "take_back_asked",
        "{by} asks to take back what they just played.",
        you="You ask to take back what you just played.",
    ),
}
"""Events for the start of a vote, by subject."""
CONSENTED = GameEventType("consented", "{by} agrees.", you="You agree.")
DECLINED = GameEventType("declined", "{by} does not want that.", you="You do not want that.")
WITHDRAWN = GameEventType("withdrawn", "{by} no longer asks for it.", you="You no longer ask for it.")
LAPSED = GameEventType("lapsed", "Not all have agreed in time: nothing comes of it.")
RESTED = GameEventType("rested", "The game pauses.")
WENT_ON = GameEventType("went_on", "{by} goes on with the game.", you="You go on with the game.")
TAKEN_BACK = GameEventType(
    "taken_back", "{by} takes back what they just played.", you="You take back what you just played."
)

REWOUND = GameEventType(
    "rewound",
    {
        "one": "The server lost the last move, and it is undone.",
        "other": "The server lost the last {count} moves, and they are undone.",
    },
)

HOST = GameEventType("host", "{by} is the host now.", you="You are the host now.")
SEEDED = GameEventType("seeded", "")
"""For programs only, without text: a seed was revealed."""
SEED_LEFT_OUT = GameEventType(
    "seed_left_out",
    "The seed of {by} came too late and is left out of this deal.",
    you="Your seed came too late and is left out of this deal.",
)
SEED_PROMISED = GameEventType("seed_promised", "")
"""For programs only, without text: a seed was promised by its hash."""
DEALING = GameEventType("dealing", "")
"""For programs only, without text: the list of a deal was closed, and the room waits for seeds."""
MATCH_STARTED = GameEventType("match_started", "The match begins.")
RESUMED = GameEventType("resumed", "A variation: cards and hand are those of another match, and it counts for nothing.")
SAT_DOWN = GameEventType(
    "sat_down",
    "{by} is played by somebody who has come.",
    you="You play {by} now.",
    before="{before} plays {by} now.",
    you_before="You play {by} now.",
)
MATCH_STOPPED = GameEventType("match_stopped", "The match ends here.")
REMATCH = GameEventType("rematch", "Back to the waiting room, for another match.")
