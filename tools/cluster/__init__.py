"""Run the high availability of `deploy/patroni/` on this machine, and check it under accidents."""
