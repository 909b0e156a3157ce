"""The web layer: HTML pages, a small JSON API and one WebSocket per room.

Start reading at `protocol/client_messages.py` and `room_socket.py`. The web layer checks the sender, passes commands
on, and shows the answers of rooms and store. It decides no rules and names no option or game.
"""
