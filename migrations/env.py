"""How Alembic runs our migrations: on a connection that app/store/maintenance/migrations.py hands over, already locked.

`alembic revision --autogenerate -m …` and the like (see alembic.ini) come without one: then DATABASE_URL says where.
"""

import os
from typing import Any

import sqlalchemy as sa
from alembic import context
from alembic.autogenerate.api import AutogenContext

from app.store.db.database import make_engine, parse_url
from app.store.db.schema import metadata
from app.store.db.types import CleanText, UtcTime


def render(kind: str, thing: Any, _context: AutogenContext) -> str | bool:
    """Plain types in migrations: an old one should not change with our own types."""
    if kind == "type" and isinstance(thing, CleanText):
        return "sa.Text()"
    if kind == "type" and isinstance(thing, UtcTime):
        return "sa.DateTime(timezone=True)"
    return False


def refuse_steps(*, step: Any, **_context: Any) -> None:
    """Alembic's command line doesn't know `STEPS`, and would leave rows unchanged."""
    if hasattr(step.up_revision.module, "STEPS"):
        raise SystemExit("This migration changes rows in batches: run `pecking-order migrate`.")


def run(connection: sa.Connection, *, knows_steps: bool = True) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_item=render,
        render_as_batch=True,  # SQLite changes a table by copying it
        transactional_ddl=True,  # SQLite too, since we begin transactions ourselves
        on_version_apply=() if knows_steps else (refuse_steps,),
    )
    with context.begin_transaction():
        context.run_migrations()


if context.is_offline_mode():
    raise SystemExit("Migrations need a database: they look at what is there.")
given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = make_engine(parse_url(os.environ.get("DATABASE_URL", "sqlite:///data/develop.sqlite3")))
    with engine.begin() as connection:
        run(connection, knows_steps=False)
    engine.dispose()
