"""Commands with which an operator looks after a running site: its state, rooms, people and bans."""
