"""Several nodes on one PostgreSQL: heartbeats, which nodes are alive, and the bus that carries hints between them."""
