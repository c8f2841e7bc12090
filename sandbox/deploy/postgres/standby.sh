#!/bin/sh
# Copies the primary once, then follows it.
set -eu
keys=${KEYS:-/keys/postgres}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # An earlier copy may have been broken off.
  find "$PGDATA" -mindepth 1 -delete
  password=$(cat "$keys/replication-password")
  pg_basebackup --pgdata "$PGDATA" --write-recovery-conf --checkpoint fast \
    --dbname "host=${PRIMARY_HOST:-postgres} port=${PRIMARY_PORT:-5432} user=replication password=$password application_name=standby"
  chmod 700 "$PGDATA"
fi
exec postgres "$@"
