"""Load tests: real sockets at one server process, of this project and of boardgame.io. See README.md."""
