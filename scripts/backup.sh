#!/bin/sh
# Writes a backup of the compose installation's database into a file of its own, while the service goes on, and prints
# its name. What is there by a name that ends in .dump is whole: it was read to its end before it got that name.
# A file beside it that ends in .seal has the hash of the latest seal of the audit trail in it, for "audit verify --seal".
#
#   scripts/backup.sh                     into backups/, beside docker-compose.yml
#   scripts/backup.sh /mnt/nas/offertory  into another directory
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/backups}
# It holds givers' names and addresses.
umask 077
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cd "$root"

# A line of the service's database.
sql() {
  docker compose exec -T postgres psql --username offertory --no-psqlrc --tuples-only --no-align \
    --set ON_ERROR_STOP=1 --dbname offertory --command "$1" </dev/null
}

file=$directory/offertory-$(date +%Y-%m-%dT%H%M%S).dump
trap 'exit 1' INT TERM
trap '[ $? = 0 ] || echo "There is no new backup; those of before are as they were." >&2; rm -f "$file.part"' EXIT
# Read before the backup, which then contains it. A version before seals has none.
seal=
[ "$(sql "SELECT to_regclass('public.audit_seal') IS NOT NULL")" = f ] ||
  seal=$(sql "SELECT encode(hash, 'hex') FROM audit_seal ORDER BY number DESC LIMIT 1")
docker compose exec -T postgres pg_dump --username offertory --format custom offertory </dev/null >"$file.part"
# Unpacks all of it, and throws that away: the list of contents alone is right in a file that was cut off, too.
docker compose exec -T postgres pg_restore --file /dev/null <"$file.part"
[ -z "$seal" ] || echo "$seal" >"${file%.dump}.seal"
mv "$file.part" "$file"
echo "$file"
