"""What a game tells the table besides its state: events, animations, badges, reasons for points."""
