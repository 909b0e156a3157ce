"""Neural networks for bots: features of a turn, network evaluation, and values of actions."""
