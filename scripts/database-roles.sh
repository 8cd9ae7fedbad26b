#!/bin/sh
# Gives the compose installation's database its roles for owner and service, with the passwords of .env. The container
# "roles" runs it with each `docker compose up`, so it also converts an installation from before there were roles.
set -eu

if [ -z "${OWNER_PASSWORD:-}" ] && [ -z "${SERVICE_PASSWORD:-}" ]; then
  echo 'WARNING: The service uses the superuser of the database, because .env has no OWNER_PASSWORD and no SERVICE_PASSWORD.'
  echo 'To give it a role of its own: scripts/secrets.sh && docker compose up --build --detach'
  exit 0
fi
if [ -z "${OWNER_PASSWORD:-}" ] || [ -z "${SERVICE_PASSWORD:-}" ]; then
  echo 'Set both OWNER_PASSWORD and SERVICE_PASSWORD in .env, or run scripts/secrets.sh' >&2
  exit 1
fi

# Passwords come from the environment: other programs can see the arguments of psql.
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --file - <<END
\\i '$(dirname "$0")/database-roles.sql'
\\getenv owner_password OWNER_PASSWORD
\\getenv service_password SERVICE_PASSWORD
ALTER ROLE offertory_owner PASSWORD :'owner_password';
ALTER ROLE offertory_service PASSWORD :'service_password';
END
echo 'The database has the roles offertory_owner and offertory_service.'
