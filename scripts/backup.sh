#!/bin/sh
# Writes a backup of the compose installation's database to a new file while the service runs, and prints its name. A
# file gets a name that ends in .dump only after it was read to its end: so every such file is whole. The file beside it
# that ends in .seal contains the hash of the latest seal of the audit trail, for "audit verify --seal".
#
#   scripts/backup.sh                     to backups/, beside docker-compose.yml
#   scripts/backup.sh /mnt/nas/offertory  to another directory
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/backups}
# The backup holds givers' names and addresses. A file or a link that is already there is not written to.
umask 077
set -C
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cd "$root"

# A line of the service's database.
sql() {
  docker compose exec -T postgres psql --username offertory --no-psqlrc --tuples-only --no-align \
    --set ON_ERROR_STOP=1 --dbname offertory --command "$1" </dev/null
}

name_of_now() { echo "$directory/offertory-$(date +%Y-%m-%dT%H%M%S).dump"; }
file=$(name_of_now)
# The backup before was made in this second.
[ ! -e "$file" ] || { sleep 1 && file=$(name_of_now); }
trap 'exit 1' INT TERM
trap '[ $? = 0 ] || echo "There is no new backup in $directory. Earlier backups are unchanged." >&2; rm -f "$file.part"' EXIT
# Read before the backup, which then contains it. A version before seals has none.
seal=
[ "$(sql "SELECT to_regclass('public.audit_seal') IS NOT NULL")" = f ] ||
  seal=$(sql "SELECT encode(hash, 'hex') FROM audit_seal ORDER BY number DESC LIMIT 1")
docker compose exec -T postgres pg_dump --username offertory --format custom offertory </dev/null >"$file.part"
# Unpacks the whole file and discards the output: the list of contents alone is also intact in a file that was cut off.
docker compose exec -T postgres pg_restore --file /dev/null <"$file.part"
[ -z "$seal" ] || echo "$seal" >"${file%.dump}.seal"
mv "$file.part" "$file"
echo "$file"
