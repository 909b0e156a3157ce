"""Commands become events: one module for each group of commands, and a dispatcher. Pure."""
