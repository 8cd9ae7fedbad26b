#!/bin/sh
# Creates .env from .env.example, or adds to an existing .env the passwords and secrets that it lacks. What is set stays
# as it is. Only the owner of .env may read it.
#
#   scripts/secrets.sh
set -eu

cd "$(dirname "$0")/.."
umask 077

# 192 random bits in letters and digits, which need no escaping in a URL.
random() {
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

# A link stays a link, to a file that is replaced.
target=.env
[ ! -L .env ] || target=$(readlink -f .env)
source=$target
[ -e "$target" ] || source=.env.example

new=$(mktemp "$target.XXXXXX")
trap 'rm -f "$new" "$new.next"' EXIT
trap 'exit 1' INT TERM
cat "$source" >"$new"
for name in POSTGRES_PASSWORD OWNER_PASSWORD SERVICE_PASSWORD LOGIN_SECRET \
  TEST_POSTGRES_PASSWORD TEST_OWNER_PASSWORD TEST_SERVICE_PASSWORD TEST_LOGIN_SECRET; do
  # A value in a file, as NAME_FILE, is a value too.
  ! grep -Eq "^(${name}|${name}_FILE)=.+" "$new" || continue
  # In the place of its line in .env.example, or at the end.
  SECRET=$(random) awk -v name="$name" '
    !done && $0 ~ "^#?" name "=$" { print name "=" ENVIRON["SECRET"]; done = 1; next }
    { print }
    END { if (!done) print name "=" ENVIRON["SECRET"] }' "$new" >"$new.next"
  mv "$new.next" "$new"
  echo "$name was added to .env."
done
mv "$new" "$target"
# The containers read these in the names of other users.
chmod a+r Caddyfile deploy/church.caddy deploy/cluster/haproxy.cfg scripts/database-roles.sh scripts/database-roles.sql
