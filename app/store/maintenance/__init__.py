"""What operators run: migrations, backups, integrity checks, rebuilds."""
