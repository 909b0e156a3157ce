"""Which member sits where: seats of the next deal, and bots that stand in for absent players. Pure."""
