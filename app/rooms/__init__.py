"""Rooms: their members, seats and matches, as a log of events. Start reading at `state.py`.

This package contains neither web nor SQL code.

A command (`commands.py`) goes to the room's actor (`room_actor.py`). `dispatch.py` calls its handler in
`membership.py`, `match.py`, `next_deal.py`, `stand_ins.py` or a similar module. The handler adds events
(`events/`) to a `PendingEvents`. The reducer (`reducer.py`) applies each event at once to get the next state
(`state.py`). The actor stores the events by `storage.py`, and then sends views to everybody (`room_view.py`,
`delta.py`). The deadlines that a room waits for are in `deadlines.py`.
"""
