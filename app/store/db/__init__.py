"""The database itself: schema, column types, connections, threads, batches of writes, and whether writes succeed."""
