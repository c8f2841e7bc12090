#!/bin/sh
# Runs once, in an empty primary: makes a role and a database for each service, and admits the standby.
set -eu
keys=${KEYS:-/keys/postgres}

# A password has no quote: “prepare” makes it in base64url.
make_role() {
  printf "create role \"%s\" login %s password '%s';\n" "$1" "$2" "$(cat "$3")"
}

{
  for file in "$keys"/roles/*; do
    name=$(basename "$file")
    make_role "$name" '' "$file"
    printf 'create database "%s" owner "%s";\nrevoke all on database "%s" from public;\n' "$name" "$name" "$name"
    # A relay reads there that the standby is synchronous.
    printf 'grant pg_read_all_stats to "%s";\n' "$name"
  done
  make_role replication replication "$keys/replication-password"
  echo "alter system set wal_keep_size = '1GB';"
  # Takes effect at the start after this script, when a standby can connect.
  echo "alter system set synchronous_standby_names = 'standby';"
} | psql --set ON_ERROR_STOP=1 --quiet --username "${POSTGRES_USER:-postgres}" --dbname postgres
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
