"""The messages of the WebSocket: their types, how they are parsed, and what is wrong with an invalid one."""
