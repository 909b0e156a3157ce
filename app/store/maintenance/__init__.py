"""Maintenance for operators and at startup: migrations, backups, integrity checks, rebuilds."""
