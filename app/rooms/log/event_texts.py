"""The room's own game events with their texts, for changes outside of the cards.

The reducer uses them (`reducer.py`).
"""

from app.engine.display.events import GameEventType

CAME = GameEventType(
    "came", "{by} joins the room.", you="You join the room.", program="{by}, an API client, joins the room."
)
CAME_BACK = GameEventType("came_back", "{by} is back.", you="")
WENT_AWAY = GameEventType("went_away", "{by} has lost the connection.", you="")
NAMED = GameEventType("named", "{before} is now called {now}.", you="You are now called {now}.")
RENAMED = GameEventType("renamed", "{before} is now called {by}.", you="You are now called {by}.")
BOT_CAME = GameEventType("bot_came", "{by} (bot) takes a seat.")
BOT_SET = GameEventType("bot_set", "{by} (bot) now plays at another level.")
GOING = GameEventType("going", "{by} leaves after this hand.", you="You leave after this hand.")
STAYS = GameEventType("stays", "{by} stays in the game.", you="You stay in the game.")
WENT = GameEventType("went", "{by} has left the room.", you="You have left the room.")
READY = GameEventType("ready", "{by} is ready.", you="You are ready.")
NOT_READY = GameEventType("not_ready", "{by} is not ready yet.", you="You are not ready yet.")

ROLES = {
    "seated": GameEventType("seated", "{by} takes a seat.", you="You take a seat."),
    "watcher": GameEventType("watcher", "{by} is now a spectator.", you="You are now a spectator."),
    "waiting": GameEventType("waiting", "{by} asks for a seat.", you="You ask for a seat."),
}
"""Events for taking a role, by role."""
CHAIR_TAKEN = GameEventType(
    "chair_taken",
    "{by} takes the seat of {of} with the next deal.",
    you="You take the seat of {of} with the next deal.",
)
LINK_MADE = GameEventType(
    "link_made",
    "{host} has made a link that gives the seat of {by} to another browser. It works once.",
    you="{host} has made a link that gives your seat to another browser. It works once.",
    host_you="You have made a link that gives the seat of {by} to another browser. It works once.",
)
LINK_ASKED = GameEventType(
    "link_asked",
    "{by} again allows links to their seat.",
    you="You again allow links to your seat.",
)
SEAT_MOVED = GameEventType(
    "seat_moved",
    "Another browser now plays as {by}.",
    you="Another browser now plays as you.",
    host="Another browser now plays as {by}. {host} let it in.",
    you_host="Another browser now plays as you. {host} let it in.",
    host_you="Another browser now plays as {by}. You let it in.",
)
SEAT_REQUESTED = GameEventType(
    "seat_requested",
    "Someone asks the host to come back as {by} with another browser.",
    you="Someone asks the host to come back as you with another browser.",
)
SEAT_REFUSED = GameEventType(
    "seat_refused",
    "The host does not let the other browser play as {by}.",
    you="The host does not let the other browser play as you.",
)
PLAYERS_PARTED = GameEventType(
    "players_parted",
    "The stats count {by} and the earlier player of this seat as two people.",
    you="The stats count you and the earlier player of this seat as two people.",
)
SEAT_TAKEN_BACK = GameEventType(
    "seat_taken_back",
    "{by} takes the seat back from the other browser.",
    you="You take your seat back from the other browser.",
)
REMOVED = GameEventType(
    "removed", "The host has blocked {by} from the room.", you="The host has blocked you from the room."
)
RECODED = GameEventType("recoded", "The room has a new code and a new link.")
UNSEATED = GameEventType(
    "unseated",
    "The host has removed {by} from their seat.",
    you="The host has removed you from your seat. You can watch, or take a seat again.",
)

STOOD_IN = GameEventType("stood_in", "A bot now plays for {by}.", you="A bot played for you.")
LENT = {
    "turn": GameEventType(
        "lent_turn",
        "A bot plays this turn for {by}, as {asked_by} asked.",
        you="A bot plays this turn for you, as {asked_by} asked.",
        asked_by_you="A bot plays this turn for {by}, as you asked.",
    ),
    "seat": GameEventType(
        "lent_seat",
        "A bot plays for {by} until they are back, as {asked_by} asked.",
        you="A bot plays for you until you touch your cards, as {asked_by} asked.",
        asked_by_you="A bot plays for {by} until they are back, as you asked.",
    ),
}
"""Events for a bot that takes over at another player's request, by period."""
TIMED_OUT = GameEventType("timed_out", "{by} ran out of time.", you="You ran out of time.")
HURRIED = GameEventType("hurried", "{by} lets the bots finish this hand.", you="You let the bots finish this hand.")

PROPOSED = {
    "rest": GameEventType("rest_asked", "{by} asks for a pause.", you="You ask for a pause."),
    "rematch": GameEventType("rematch_asked", "{by} wants to play again.", you="You want to play again."),
    "take_back": GameEventType(
        "take_back_asked",
        "{by} asks to undo their last play.",
        you="You ask to undo your last play.",
    ),
}
"""Events for the start of a vote, by subject."""
CONSENTED = GameEventType("consented", "{by} agrees.", you="You agree.")
DECLINED = GameEventType("declined", "{by} declines the request.", you="You decline the request.")
WITHDRAWN = GameEventType("withdrawn", "{by} cancels the request.", you="You cancel the request.")
LAPSED = GameEventType("lapsed", "The request has ended: not everyone agreed in time.")
RESTED = GameEventType("rested", "The game is paused.")
WENT_ON = GameEventType("went_on", "{by} resumes the game.", you="You resume the game.")
TAKEN_BACK = GameEventType("taken_back", "{by} undoes their last play.", you="You undo your last play.")

REWOUND = GameEventType(
    "rewound",
    {
        "one": "The server lost the last move, so it is undone.",
        "other": "The server lost the last {count} moves, so they are undone.",
    },
)

HOST = GameEventType("host", "{by} is now the host.", you="You are now the host.")
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
RESUMED = GameEventType("resumed", "A variation: the cards come from another match, so it does not count for stats.")
SAT_DOWN = GameEventType(
    "sat_down",
    "A new player now plays {by}.",
    you="You now play {by}.",
    before="{before} now plays {by}.",
    you_before="You now play {by}.",
)
MATCH_STOPPED = GameEventType("match_stopped", "The match was ended.")
REMATCH = GameEventType("rematch", "Back to the waiting room for another match.")
