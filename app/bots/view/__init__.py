"""What a bot can see and work out from it: its seat's view, known cards, groups, orders and combinations of cards."""
