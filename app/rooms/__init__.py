"""Who sits where and whose turn it is: rooms, their log, their clocks. No web, no SQL. Start reading at `room.py`."""
