"""Who sits where and whose turn it is: rooms, their log, their clocks. No web, no SQL.

A command (`commands.py`) goes to a room's `runner.py`. `decide.py` says what comes of it, by `people.py`, `playing.py`,
`chairs.py` and `lending.py`: a `draft.py` of entries (`entries.py`), each folded at once (`fold.py`) into the next
`room.py`. The runner records them through `ports.py`, and then tells everybody (`pictures.py`, `updates.py`). What is
waited for next is in `clocks.py`. Start reading at `room.py`.
"""
