"""Shared code of the commands: lazy group, error messages, KEY=VALUE options."""
