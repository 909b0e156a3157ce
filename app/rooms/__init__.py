"""Who sits where and whose turn it is: rooms, their log and their clocks. No web, no SQL. Start reading at `room.py`."""
