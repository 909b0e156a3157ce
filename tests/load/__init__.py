"""Load: real sockets at one server process, ours beside boardgame.io. See README.md."""
