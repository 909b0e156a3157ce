"""The room's own game events with their texts, for changes outside of the cards.

The log events beside this module use them.
"""

from app.engine.display.events import GameEventType

ENTERED = GameEventType(
    "entered", "{by} joins the room.", you="You join the room.", program="{by}, an API client, joins the room."
)
RECONNECTED = GameEventType("reconnected", "{by} is back.", you="")
CONNECTION_LOST = GameEventType("connection_lost", "{by} has lost the connection.", you="")
CHOSEN_NAME_CHANGED = GameEventType(
    "chosen_name_changed", "{before} is now called {now}.", you="You are now called {now}."
)
RENAMED = GameEventType("renamed", "{before} is now called {by}.", you="You are now called {by}.")
BOT_ADDED = GameEventType("bot_added", "{by} (bot) takes a seat.")
BOT_LEVEL_CHANGED = GameEventType("bot_level_changed", "{by} (bot) now plays at another level.")
LEAVE_PLANNED = GameEventType("leave_planned", "{by} leaves after this hand.", you="You leave after this hand.")
LEAVE_CANCELLED = GameEventType("leave_cancelled", "{by} stays in the game.", you="You stay in the game.")
LEFT_ROOM = GameEventType("left_room", "{by} has left the room.", you="You have left the room.")
READY = GameEventType("ready", "{by} is ready.", you="You are ready.")
NOT_READY = GameEventType("not_ready", "{by} is not ready yet.", you="You are not ready yet.")

ROLES = {
    "seated": GameEventType("seated", "{by} takes a seat.", you="You take a seat."),
    "spectator": GameEventType("spectator", "{by} is now a spectator.", you="You are now a spectator."),
    "waiting": GameEventType("waiting", "{by} asks for a seat.", you="You ask for a seat."),
}
"""Events for taking a role, by role."""
BOT_SEAT_TAKEN = GameEventType(
    "bot_seat_taken",
    "{by} takes the seat of {of} with the next deal.",
    you="You take the seat of {of} with the next deal.",
)
SEAT_OFFERED = GameEventType(
    "seat_offered",
    "{by} offers {other} their seat from the next hand on.",
    you="You offer {other} your seat from the next hand on.",
)
SEAT_OFFER_ENDED = {
    "declined": GameEventType(
        "seat_offer_declined", "{by} keeps the seat: nobody takes it.", you="You keep your seat: nobody takes it."
    ),
    "withdrawn": GameEventType("seat_offer_withdrawn", "{by} keeps the seat after all.", you="You keep your seat."),
    "gone": GameEventType(
        "seat_offer_failed",
        "{by} keeps the seat, because the next player is not here.",
        you="You keep your seat, because the next player is not here.",
    ),
    "rules": GameEventType(
        "seat_offer_refused",
        "{by} keeps the seat, because the rules allow no change now.",
        you="You keep your seat, because the rules allow no change now.",
    ),
}
"""The event for each reason for which an offer of a seat ends."""
SEAT_LINK_MADE = GameEventType(
    "seat_link_made",
    "{host} has made a link that gives the seat of {by} to another browser. It works once.",
    you="{host} has made a link that gives your seat to another browser. It works once.",
    host_you="You have made a link that gives the seat of {by} to another browser. It works once.",
)
SEAT_LINK_ALLOWED = GameEventType(
    "seat_link_allowed",
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
COUNTED_SEPARATELY = GameEventType(
    "counted_separately",
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
CODE_CHANGED = GameEventType("code_changed", "The room has a new code and a new link.")
UNSEATED = GameEventType(
    "unseated",
    "The host has removed {by} from their seat.",
    you="The host has removed you from your seat. You can watch, or take a seat again.",
)

BOT_TOOK_OVER = GameEventType("bot_took_over", "A bot now plays for {by}.", you="A bot played for you.")
BOT_PLAYS = {
    "turn": GameEventType(
        "bot_plays_turn",
        "A bot plays this turn for {by}, as {asked_by} asked.",
        you="A bot plays this turn for you, as {asked_by} asked.",
        asked_by_you="A bot plays this turn for {by}, as you asked.",
    ),
    "seat": GameEventType(
        "bot_plays_seat",
        "A bot plays for {by} until they are back, as {asked_by} asked.",
        you="A bot plays for you until you touch your cards, as {asked_by} asked.",
        asked_by_you="A bot plays for {by} until they are back, as you asked.",
    ),
}
"""Events for a bot that takes over at another player's request, by period."""
TIMED_OUT = GameEventType("timed_out", "{by} ran out of time.", you="You ran out of time.")
BOTS_FINISH_HAND = GameEventType(
    "bots_finish_hand", "{by} lets the bots finish this hand.", you="You let the bots finish this hand."
)

PROPOSED = {
    "pause": GameEventType("pause_asked", "{by} asks for a pause.", you="You ask for a pause."),
    "rematch": GameEventType("rematch_asked", "{by} wants to play again.", you="You want to play again."),
    "undo": GameEventType(
        "undo_asked",
        "{by} asks to undo their last play.",
        you="You ask to undo your last play.",
    ),
}
"""Events for the start of a vote, by subject."""
VOTE_AGREED = GameEventType("vote_agreed", "{by} agrees.", you="You agree.")
VOTE_DECLINED = GameEventType("vote_declined", "{by} declines the request.", you="You decline the request.")
VOTE_WITHDRAWN = GameEventType("vote_withdrawn", "{by} cancels the request.", you="You cancel the request.")
VOTE_EXPIRED = GameEventType("vote_expired", "The request has ended: not everyone agreed in time.")
PAUSED = GameEventType("paused", "The game is paused.")
PAUSE_ENDED = GameEventType("pause_ended", "{by} resumes the game.", you="You resume the game.")
UNDONE = GameEventType("undone", "{by} undoes their last play.", you="You undo your last play.")

REWOUND = GameEventType(
    "rewound",
    {
        "one": "The server lost the last move, so it is undone.",
        "other": "The server lost the last {count} moves, so they are undone.",
    },
)

HOST_CHANGED = GameEventType("host_changed", "{by} is now the host.", you="You are now the host.")
SEED_RECEIVED = GameEventType("seed_received", "")
"""For programs only, without text: a seed was revealed."""
SEED_LEFT_OUT = GameEventType(
    "seed_left_out",
    "The seed of {by} came too late and is left out of this deal.",
    you="Your seed came too late and is left out of this deal.",
)
SEED_PROMISED = GameEventType("seed_promised", "")
"""For programs only, without text: a seed was promised by its hash."""
SEED_LIST_CLOSED = GameEventType("seed_list_closed", "")
"""For programs only, without text: the list of a deal was closed, and the room waits for seeds."""
DEAL_CANCELLED = GameEventType(
    "deal_cancelled",
    "This hand was drawn again: the seats changed.",
    deleted="This hand was drawn again: {by} deleted their data.",
    you_deleted="This hand was drawn again: you deleted your data.",
    match_ended="The deal was cancelled: the match was ended.",
    lost_entries="This hand was drawn again: the server lost data.",
)
"""A deal was cancelled after its list was closed. The event has its reason as a key, which picks the words."""
MATCH_STARTED = GameEventType("match_started", "The match begins.")
VARIATION_STARTED = GameEventType(
    "variation_started", "A variation: the cards come from another match, so it does not count for stats."
)
VARIATION_SEAT_TAKEN = GameEventType(
    "variation_seat_taken",
    "A new player now plays {by}.",
    you="You now play {by}.",
    before="{before} now plays {by}.",
    you_before="You now play {by}.",
)
MATCH_STOPPED = GameEventType("match_stopped", "The match was ended.")
RETURNED_TO_LOBBY = GameEventType("returned_to_lobby", "Back to the waiting room for another match.")
