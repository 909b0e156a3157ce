-- Split each table with a room into 16 partitions by room. Rooms of one partition are rows of one small table.
--
--     psql "$DATABASE_URL" --set ON_ERROR_STOP=1 --file split-tables.sql
--
-- Stop the server first. The database must be migrated. Its rows are copied, so the disk needs free space for a second
-- copy. All of this is one transaction: an error changes nothing. A second run splits only tables that are whole, such
-- as a new table of an upgrade. docs/database.md has the rest: "Split the tables".

DO $$
DECLARE
    parts CONSTANT text := current_schema() || '_partitions';  -- the schema of the partitions
    tables regclass[];
    foreign_keys text[] := '{}';
    others text[];  -- statements for the other keys and for indexes
    statement text;
    found record;
BEGIN
    IF NOT pg_try_advisory_xact_lock(1885692780) THEN
        RAISE EXCEPTION 'a server or a command of Pecking Order uses this database: stop it first';
    END IF;
    IF to_regclass('alembic_version') IS NULL OR to_regclass('migration_progress') IS NOT NULL THEN
        RAISE EXCEPTION 'the database has no complete schema: run `pecking-order migrate` first';
    END IF;
    -- Rows before an upgrade stay whole, in tables old_…
    SELECT array_agg(c.oid::regclass ORDER BY c.relname) INTO tables
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
    WHERE i.indisprimary AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
        AND (a.attname = 'room_id' OR c.relname = 'rooms') AND NOT starts_with(c.relname, 'old_');
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I', parts);

    FOR found IN
        SELECT conrelid::regclass::text AS name, conname AS key, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND (conrelid = ANY (tables) OR confrelid = ANY (tables))
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.name, found.key);
        foreign_keys := foreign_keys
            || format('ALTER TABLE %s ADD CONSTRAINT %I %s', found.name, found.key, found.definition);
    END LOOP;

    FOR found IN
        SELECT oid, relname::text AS name, CASE relname WHEN 'rooms' THEN 'id' ELSE 'room_id' END AS room
        FROM pg_class WHERE oid = ANY (tables)
    LOOP
        SELECT array_agg(each) INTO others FROM (
            SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', found.name, conname, pg_get_constraintdef(oid)) AS each
            FROM pg_constraint WHERE conrelid = found.oid AND contype IN ('p', 'u')
            UNION ALL
            SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = found.oid
                AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE conrelid = found.oid)
        ) AS statements;
        EXECUTE format('ALTER TABLE %I RENAME TO whole_table', found.name);
        EXECUTE format(
            'CREATE TABLE %I (LIKE whole_table INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (%I)',
            found.name, found.room
        );
        FOR number IN 0..15 LOOP
            EXECUTE format(
                'CREATE TABLE %I.%I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                parts, found.name || '_' || lpad(number::text, 2, '0'), found.name, number
            );
        END LOOP;
        EXECUTE format('INSERT INTO %I SELECT * FROM whole_table', found.name);
        DROP TABLE whole_table;
        FOREACH statement IN ARRAY others LOOP
            EXECUTE statement;
        END LOOP;
    END LOOP;

    FOREACH statement IN ARRAY foreign_keys LOOP
        EXECUTE statement;
    END LOOP;

    -- Statistics of an empty table would make PostgreSQL read whole partitions when they have rows.
    IF EXISTS (SELECT 1 FROM rooms) THEN
        ANALYZE;
    END IF;
END $$;
