#!/bin/sh
# Runs once, in an empty primary: admits the standby.
set -eu
keys=${KEYS:-/keys/postgres}
{
  printf "create role replication login replication password '%s';\n" "$(cat "$keys/replication-password")"
  echo "alter system set wal_keep_size = '1GB';"
  # Takes effect at the start after this script, when a standby can connect.
  echo "alter system set synchronous_standby_names = 'standby';"
} | psql --set ON_ERROR_STOP=1 --quiet --username "${POSTGRES_USER:-postgres}" --dbname postgres
echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
