"""Texts by language: the message catalogues, the texts that games declare, and events in words."""
