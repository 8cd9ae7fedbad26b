-- Creates the two roles of an Offertory database with separate roles for owner and service, and gives everything in it to
-- the owner. Run it in that database as a superuser. It is safe to run again, and on a database in use:
--
--   psql --set ON_ERROR_STOP=1 --file scripts/database-roles.sql postgres://postgres@127.0.0.1/offertory
--
-- Then set a password for both (\password offertory_owner, \password offertory_service) and set
--   MIGRATION_DATABASE_URL=postgres://offertory_owner:…@…   for the schema
--   DATABASE_URL=postgres://offertory_service:…@…           for the service
-- The service's rights in tables are granted by the owner with each migration (src/database/migrating/service-rights.ts).

DO $$
DECLARE
  item record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'offertory_owner') THEN
    CREATE ROLE offertory_owner LOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'offertory_service') THEN
    CREATE ROLE offertory_service LOGIN;
  END IF;

  -- The service may not create schemas, tables or temporary tables. Roles that read for reports keep their rights.
  EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('ALTER DATABASE %I OWNER TO offertory_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM offertory_service', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO offertory_service', current_database());
  ALTER SCHEMA public OWNER TO offertory_owner;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  GRANT USAGE ON SCHEMA public TO offertory_service;

  -- Only in an installation that was created by one role, before there were two.
  IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'pgboss') THEN
    ALTER SCHEMA pgboss OWNER TO offertory_owner;
  END IF;
  -- Indexes and sequences of identity columns follow their tables. Objects of extensions keep their owners.
  FOR item IN
    SELECT c.oid::regclass AS name FROM pg_class c
    WHERE c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'pgboss'))
      AND c.relkind IN ('r', 'p') AND pg_get_userbyid(c.relowner) <> 'offertory_owner'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO offertory_owner', item.name);
  END LOOP;
  FOR item IN
    SELECT p.oid::regprocedure AS name FROM pg_proc p
    WHERE p.pronamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'pgboss'))
      AND pg_get_userbyid(p.proowner) <> 'offertory_owner'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO offertory_owner', item.name);
  END LOOP;
  FOR item IN
    SELECT t.oid::regtype AS name FROM pg_type t
    WHERE t.typnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'pgboss'))
      AND t.typtype IN ('e', 'd') AND pg_get_userbyid(t.typowner) <> 'offertory_owner'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER TYPE %s OWNER TO offertory_owner', item.name);
  END LOOP;
END $$;
