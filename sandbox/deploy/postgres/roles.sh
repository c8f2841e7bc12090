#!/bin/sh
# Runs once, in an empty primary: makes a role and a database for each service. $1: connection string, from Patroni
set -eu
keys=${KEYS:-/keys/postgres}
{
  for file in "$keys"/roles/*; do
    name=$(basename "$file")
    # A password has no quote: “prepare” makes it in base64url.
    printf "create role \"%s\" login password '%s';\n" "$name" "$(cat "$file")"
    printf 'create database "%s" owner "%s";\nrevoke all on database "%s" from public;\n' "$name" "$name" "$name"
    # A relay reads there that the standby is synchronous.
    printf 'grant pg_read_all_stats to "%s";\n' "$name"
  done
} | PGUSER=${POSTGRES_USER:-postgres} psql --set ON_ERROR_STOP=1 --quiet --dbname "${1:-postgres}"
