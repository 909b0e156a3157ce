"""How the world talks to us: pages, a small JSON API and one socket per room.

Start reading at `messages.py` and `room_socket.py`. The web judges nothing: it checks who speaks, hands on what they
ask, and shows what rooms and store answer. It names no switch and no game's rule.
"""
