"""Everything that runs: rooms in memory, their connections, timers and alerts. Only this part uses asyncio."""
