"""How a game's events and state are shown: events, animations, badges, panels, reasons for points."""
