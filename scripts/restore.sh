#!/bin/sh
# Replaces the compose installation's books with a backup: restores it into a new database, checks it, and only then
# renames the databases. The previous books are kept as the database offertory_before. If anything fails before the
# renaming, the service continues with the books it had.
#
#   scripts/restore.sh backups/offertory-2026-11-28T031500.dump
#   scripts/restore.sh --other-books backups/….dump   replaces gifts by the books of another church or installation
set -eu

fail() {
  echo "$1" >&2
  exit 1
}

# Runs a statement in a database. psql must not read the standard input of this script.
sql() {
  docker compose exec -T postgres psql --username offertory --no-psqlrc --tuples-only --no-align \
    --set ON_ERROR_STOP=1 --dbname "$1" --command "$2" </dev/null
}

# Whether a database is of a version that had no such table yet.
lacks_table() {
  [ "$(sql "$1" "SELECT to_regclass('public.$2') IS NOT NULL")" = f ]
}

now='Nothing was changed: the books are as they were.'
trap '[ $? = 0 ] || echo "The restore has stopped. $now" >&2' EXIT
trap 'exit 1' INT TERM

other_books=
[ "${1:-}" != --other-books ] || { other_books=allowed && shift; }
[ $# = 1 ] || fail 'Which backup? scripts/restore.sh backups/offertory-….dump'
[ -s "$1" ] || fail "There is no backup in $1."
dump=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."

docker compose up --detach --wait postgres </dev/null
kept=$(sql postgres "SELECT count(*) FROM pg_database WHERE datname = 'offertory_before'")
[ "$kept" = 0 ] || fail 'The books from before the last restore are still kept as the database offertory_before. Drop
them first: docker compose exec -T postgres dropdb --username offertory offertory_before'

# An interrupted restore leaves this database behind.
sql postgres 'DROP DATABASE IF EXISTS offertory_restored' >/dev/null
sql postgres 'CREATE DATABASE offertory_restored' >/dev/null
docker compose exec -T postgres pg_restore --username offertory --dbname offertory_restored \
  --no-owner --no-privileges --single-transaction --exit-on-error <"$dump"

# If the database has two roles, its tables belong to the owner, who then grants the service its rights.
owners=$(sql postgres "SELECT count(*) FROM pg_roles WHERE rolname = 'offertory_owner'")
[ "$owners" = 0 ] || docker compose exec -T postgres psql --username offertory --no-psqlrc --quiet \
  --set ON_ERROR_STOP=1 --dbname offertory_restored <scripts/database-roles.sql

of_test=0
lacks_table offertory_restored database_mode ||
  of_test=$(sql offertory_restored "SELECT count(*) FROM database_mode WHERE mode = 'test'")
[ "$of_test" = 0 ] || fail 'The backup is one of a test system, whose gifts are not real. It cannot replace the books.'

migrations=$(sql offertory_restored 'SELECT count(*) FROM migrations')
gifts=$(sql offertory_restored 'SELECT count(*) FROM contribution')
if [ "$migrations" = 0 ] || [ "$gifts" = 0 ]; then
  fail "The backup holds $migrations migrations and $gifts contributions. It is not a backup of the books."
fi
# When the books began, to the microsecond. A backup has the same value as the books that it is of.
beginning_of() {
  lacks_table "$1" books_epoch ||
    sql "$1" 'SELECT extract(epoch FROM began_at) FROM books_epoch ORDER BY number LIMIT 1'
}
here=$(beginning_of offertory)
there=$(beginning_of offertory_restored)
if [ -z "$other_books" ] && [ -n "$here" ] && [ -n "$there" ] && [ "$here" != "$there" ] &&
  [ "$(sql offertory 'SELECT EXISTS (SELECT FROM contribution)')" = t ]; then
  fail "The backup is of other books than those here, such as those of another church. If it shall replace them all the same:
scripts/restore.sh --other-books $1"
fi
echo "The backup holds $gifts contributions, the last of $(sql offertory_restored 'SELECT max(created_at) FROM contribution')."

running=$(docker compose ps --services --status running)
docker compose stop api
# The service reads these notes when it connects: it begins a new epoch of the books, and does not reuse ids of the
# previous books (docs/adr/0025). This script cannot do so itself: the backup may be from a version without epochs.
used=$(sql offertory "SELECT quote_literal(COALESCE(json_object_agg(sequencename, last_value)::text, '{}'))
  FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL") || used=
notes="ALTER DATABASE offertory_restored SET offertory.restored = '$(date -u +%Y-%m-%dT%H%M%SZ)';
  ALTER DATABASE offertory_restored SET offertory.ids_above = $used;"
# One transaction: all statements take effect or none.
if [ -z "$used" ] || ! sql postgres "$notes ALTER DATABASE offertory RENAME TO offertory_before;
  ALTER DATABASE offertory_restored RENAME TO offertory" >/dev/null; then
  ! echo "$running" | grep -qx api || docker compose start api
  fail 'The database could not be renamed. Disconnect other clients from it, and try again.'
fi
now='The backup is in place; the previous books are kept as offertory_before. See: docker compose logs api'
docker compose up --detach
echo 'The backup is in place. The previous books are kept as the database offertory_before.'
