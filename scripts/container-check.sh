#!/usr/bin/env bash
# Proves the image without a container engine: does what the Dockerfile says in a temporary directory, then starts
# the result as an ordinary user on a database of its own and uses it. Needs `npm ci` done here, and a PostgreSQL:
# TEST_DATABASE_URL, otherwise postgres://postgres@127.0.0.1:5432/postgres
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d "${TMPDIR:-/tmp}/container-check.XXXXXX")
clean_up() {
  # The image's files are read-only, directories included.
  chmod -R u+w "$work"
  rm -rf "$work"
}
trap clean_up EXIT
# The service's user must be able to enter, as it can in an image.
chmod 0755 "$work"
umask 022

node scripts/container-check.mjs "$work"
