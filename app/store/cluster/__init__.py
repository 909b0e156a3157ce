"""Run several nodes on one PostgreSQL: heartbeats, live nodes, and the bus that carries hints between nodes."""
