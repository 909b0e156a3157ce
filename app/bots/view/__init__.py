"""Reading a seat's view for bots: known cards, the order of cards, and the combinations in a hand."""
