#!/usr/bin/env bash
# Checks the image without a container engine: follows the Dockerfile in a temporary directory, then starts the result as
# an ordinary user on a new database and uses it. Needs `npm ci` in this directory, and a PostgreSQL: TEST_DATABASE_URL,
# or postgres://postgres@127.0.0.1:5432/postgres
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
