"""The interfaces that rooms need from outside: storage, a bus between nodes, and workers that think for hard bots."""
