"""The hard bot: search by sampled deals (worlds), the jobs it sends to workers, and the analysis of past turns."""
