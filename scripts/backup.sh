#!/bin/sh
# Writes a backup of the compose installation's database to a new file while the service runs, and prints its name. A
# file gets a name that ends in .dump only after it was read to its end: so every such file is whole.
#
#   scripts/backup.sh                     to backups/, beside docker-compose.yml
#   scripts/backup.sh /mnt/nas/offertory  to another directory
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
directory=${1:-$root/backups}
# The backup holds givers' names and addresses.
umask 077
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cd "$root"

file=$directory/offertory-$(date +%Y-%m-%dT%H%M%S).dump
trap 'exit 1' INT TERM
trap '[ $? = 0 ] || echo "There is no new backup; earlier backups are unchanged." >&2; rm -f "$file.part"' EXIT
docker compose exec -T postgres pg_dump --username offertory --format custom offertory </dev/null >"$file.part"
# Unpacks the whole file and discards the output: the list of contents alone is also intact in a file that was cut off.
docker compose exec -T postgres pg_restore --file /dev/null <"$file.part"
mv "$file.part" "$file"
echo "$file"
