"""Who sits where and whose turn it is: rooms, their log, their clocks. No web, no SQL.

A command (`commands.py`) goes to a room's `room_actor.py`. `dispatch.py` says what comes of it, by `membership.py`,
`match.py`, `next_deal.py` and `stand_ins.py`: a `pending_events.py` of entries (`events.py`), each folded at once
(`reducer.py`) into the next `state.py`. The runner records them through `storage.py`, and then tells everybody
(`room_view.py`, `delta.py`). What is waited for next is in `deadlines.py`. Start reading at `state.py`.
"""
