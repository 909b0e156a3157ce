"""What a room tells besides what happens in its game, and its words. The fold tells it (`reducer.py`)."""

from app.engine.display.events import EventType

CAME = EventType("came", "{by} comes in.", you="You come in.", program="{by}, a program, comes in.")
CAME_BACK = EventType("came_back", "{by} is back.", you="")
WENT_AWAY = EventType("went_away", "{by} has lost touch.", you="")
NAMED = EventType("named", "{before} is called {now} now.", you="You are called {now} now.")
RENAMED = EventType("renamed", "{before} is called {by} now.", you="You are called {by} now.")
BOT_CAME = EventType("bot_came", "{by}, a bot, sits down.")
BOT_SET = EventType("bot_set", "{by}, a bot, plays at another level from now on.")
GOING = EventType("going", "{by} leaves after this hand.", you="You leave after this hand.")
STAYS = EventType("stays", "{by} stays after all.", you="You stay after all.")
WENT = EventType("went", "{by} is gone.", you="You have left the room.")
READY = EventType("ready", "{by} is ready.", you="You are ready.")
NOT_READY = EventType("not_ready", "{by} is not ready yet.", you="You are not ready yet.")

ROLES = {
    "seated": EventType("seated", "{by} takes a seat.", you="You take a seat."),
    "watcher": EventType("watcher", "{by} watches.", you="You watch."),
    "waiting": EventType("waiting", "{by} asks for a chair.", you="You ask for a chair."),
}
"""What somebody does who takes this role."""
CHAIR_TAKEN = EventType(
    "chair_taken",
    "{by} takes the chair of {of} with the next deal.",
    you="You take the chair of {of} with the next deal.",
)
LINK_MADE = EventType(
    "link_made",
    "{host} has made a link that gives {by}’s seat to another browser, once.",
    you="{host} has made a link that gives your seat to another browser, once.",
    host_you="You have made a link that gives the seat of {by} to another browser, once.",
)
LINK_ASKED = EventType(
    "link_asked",
    "{by} allows a link to their seat again.",
    you="You allow a link to your seat again.",
)
SEAT_MOVED = EventType(
    "seat_moved",
    "Another browser plays as {by} now.",
    you="Another browser plays as you now.",
    host="Another browser plays as {by} now. {host} let it in.",
    you_host="Another browser plays as you now. {host} let it in.",
    host_you="Another browser plays as {by} now. You let it in.",
)
SEAT_REQUESTED = EventType(
    "seat_requested",
    "Somebody asks the host to come back as {by} with another browser.",
    you="Somebody asks the host to come back as you with another browser.",
)
SEAT_REFUSED = EventType(
    "seat_refused",
    "The host does not let the other browser play as {by}.",
    you="The host does not let the other browser play as you.",
)
PLAYERS_PARTED = EventType(
    "players_parted",
    "The statistics count {by} and the earlier player of this seat as two people.",
    you="The statistics count you and the earlier player of this seat as two people.",
)
SEAT_TAKEN_BACK = EventType(
    "seat_taken_back",
    "{by} takes the seat back from the other browser.",
    you="You take your seat back from the other browser.",
)
REMOVED = EventType("removed", "{by} is kept out of the room.", you="You are kept out of the room.")
RECODED = EventType("recoded", "The room has a new code and a new link now.")
UNSEATED = EventType(
    "unseated",
    "The host has taken {by}’s seat.",
    you="The host has taken your seat. You can watch, and take a chair again.",
)

STOOD_IN = EventType("stood_in", "A bot plays for {by} now.", you="A bot played for you.")
LENT = {
    "turn": EventType(
        "lent_turn",
        "A bot plays this turn of {by}’s: {asked_by} asked for it.",
        you="A bot plays this turn for you: {asked_by} asked for it.",
        asked_by_you="A bot plays this turn for {by}: you asked for it.",
    ),
    "seat": EventType(
        "lent_seat",
        "A bot plays for {by} until they touch their cards: {asked_by} asked for it.",
        you="A bot plays for you until you touch your cards: {asked_by} asked for it.",
        asked_by_you="A bot plays for {by} until they touch their cards: you asked for it.",
    ),
}
"""For how long a bot was let play, at somebody’s wish."""
TIMED_OUT = EventType("timed_out", "{by} ran out of time.", you="You ran out of time.")
HURRIED = EventType(
    "hurried", "{by} has the bots play this hand to its end.", you="The bots play this hand to its end."
)

PROPOSED = {
    "rest": EventType("rest_asked", "{by} asks for a pause.", you="You ask for a pause."),
    "rematch": EventType("rematch_asked", "{by} wants to play again.", you="You want to play again."),
    "take_back": EventType(
        "take_back_asked",
        "{by} asks to take back what they just played.",
        you="You ask to take back what you just played.",
    ),
}
"""What is asked of the table, by its matter."""
CONSENTED = EventType("consented", "{by} agrees.", you="You agree.")
DECLINED = EventType("declined", "{by} does not want that.", you="You do not want that.")
WITHDRAWN = EventType("withdrawn", "{by} no longer asks for it.", you="You no longer ask for it.")
LAPSED = EventType("lapsed", "Not all have agreed in time: nothing comes of it.")
RESTED = EventType("rested", "The game pauses.")
WENT_ON = EventType("went_on", "{by} goes on with the game.", you="You go on with the game.")
TAKEN_BACK = EventType(
    "taken_back", "{by} takes back what they just played.", you="You take back what you just played."
)

REWOUND = EventType(
    "rewound",
    {
        "one": "The server lost the last move, and it is undone.",
        "other": "The server lost the last {count} moves, and they are undone.",
    },
)

HOST = EventType("host", "{by} is the host now.", you="You are the host now.")
SEEDED = EventType("seeded", "")
"""A seed was revealed: for programs, not for people."""
SEED_LEFT_OUT = EventType(
    "seed_left_out",
    "The seed of {by} came too late and is left out of this deal.",
    you="Your seed came too late and is left out of this deal.",
)
SEED_PROMISED = EventType("seed_promised", "")
"""A seed was promised by its hash: for programs, not for people."""
DEALING = EventType("dealing", "")
"""The list of a deal was closed, and seeds are awaited: for programs, not for people."""
MATCH_STARTED = EventType("match_started", "The match begins.")
RESUMED = EventType("resumed", "A variation: cards and hand are those of another match, and it counts for nothing.")
SAT_DOWN = EventType(
    "sat_down",
    "{by} is played by somebody who has come.",
    you="You play {by} now.",
    before="{before} plays {by} now.",
    you_before="You play {by} now.",
)
MATCH_STOPPED = EventType("match_stopped", "The match ends here.")
REMATCH = EventType("rematch", "Back to the waiting room, for another match.")
