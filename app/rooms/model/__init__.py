"""The values of a room: state, members, settings, commands, events and votes. Pure."""
