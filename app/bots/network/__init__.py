"""Bots that use a neural network: features, networks, and the scores of actions."""
