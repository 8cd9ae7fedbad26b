#!/bin/sh
# Patroni calls this once, on the first primary of a new cluster, with the connection of the superuser.
set -eu
psql "$1" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --command 'CREATE DATABASE offertory'
