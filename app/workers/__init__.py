"""Worker processes that search for hard bots: `pool.py` runs in the server, `worker.py` in each worker."""
