"""The database layer: schema, column types, connections, threads, batches of writes, and write health."""
