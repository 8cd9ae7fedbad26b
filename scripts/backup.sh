#!/bin/sh
# Writes a backup of the compose installation's database into a file of its own, while the service goes on, and prints
# its name. What is there by a name that ends in .dump is whole: it was read to its end before it got that name.
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

file=$directory/offertory-$(date +%Y-%m-%dT%H%M%S).dump
trap 'exit 1' INT TERM
trap '[ $? = 0 ] || echo "There is no new backup; those of before are as they were." >&2; rm -f "$file.part"' EXIT
docker compose exec -T postgres pg_dump --username offertory --format custom offertory </dev/null >"$file.part"
# Unpacks all of it, and throws that away: the list of contents alone is right in a file that was cut off, too.
docker compose exec -T postgres pg_restore --file /dev/null <"$file.part"
mv "$file.part" "$file"
echo "$file"
