"""Processes beside the server that think for bots, so that rooms need not wait: `pool.py` there, `worker.py` here."""
