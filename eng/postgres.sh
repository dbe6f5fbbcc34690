#!/usr/bin/env bash
# A PostgreSQL server of this checkout's own for tests: on loopback only, on a port that was free, with a password that is made for it.
#
#   eval "$(eng/postgres.sh start)"   starts the server, waits until it answers, and sets WIRE_POSTGRES, a connection string of Npgsql
#   eng/postgres.sh env               prints what `start` prints, and starts nothing
#   eng/postgres.sh stop              stops the server; its data and port are the same at the next start
#   eng/postgres.sh clean             stops the server and deletes its folder
#
# The server is Debian's package, which is installed when it is missing and root asks. Each verb takes a folder as a second argument: another
# folder is another server; WIRE_POSTGRES_FOLDER names it too. Where WIRE_POSTGRES names a server already and no folder is given, `start`
# uses that one. It exits with 3 where there is no server and none can be installed, and with 1 where it does not start.
set -euo pipefail

say() { echo "postgres: $1" >&2; }
die() { say "$1"; exit "${2-1}"; }

# Not where only the client is.
programs() { find /usr/lib/postgresql -mindepth 3 -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname; }

# Gets what is missing, without the cluster that the package would start.
install() {
  if [ -n "$(programs)" ]; then return; fi
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    die "there is no postgresql, and only root can install it, with apt-get; or set WIRE_POSTGRES to a connection string." 3
  fi
  say "installing postgresql"
  export DEBIAN_FRONTEND=noninteractive
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  { apt-get update && apt-get install -o DPkg::Lock::Timeout=300 --yes --no-install-recommends postgresql; } >/dev/null ||
    die "postgresql could not be installed; what apt-get said is above." 3
}

# The server refuses to run as root.
as_owner() {
  if [ "$(id -u)" -eq 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

runs() { [ -e "$folder/data/PG_VERSION" ] && as_owner "$bin/pg_ctl" -D "$folder/data" status >/dev/null 2>&1; }

create() {
  if [ -e "$folder/port" ]; then return; fi
  if [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then die "$folder holds other things; give a folder that is empty or does not exist."; fi
  (umask 077 && mkdir -p "$folder" && od -An -tx1 -N 20 /dev/urandom | tr -d ' \n' >"$folder/password")
  if [ "$(id -u)" -eq 0 ]; then chown -R postgres "$folder"; fi
  as_owner "$bin/initdb" -D "$folder/data" -U wire -E UTF8 --locale=C.UTF-8 -A scram-sha-256 --pwfile="$folder/password" \
    >"$folder.log" 2>&1 || { rm -rf "$folder"; die "the data could not be made: $folder.log"; }
  rm -f "$folder.log"
  local port=$((32000 + RANDOM % 700))
  while taken "$port"; do port=$((port + 1)); done
  echo "$port" >"$folder/port"
}

start() {
  install
  bin=$(programs)
  create
  local port
  port=$(cat "$folder/port")
  if ! runs; then
    as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w -t 60 \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=''" start >/dev/null </dev/null ||
      die "the server does not start: $folder/data/log"
  fi
  say "port $port, in $folder"
  assignments
}

assignments() {
  [ -e "$folder/port" ] || die "no server was started in $folder."
  echo "export WIRE_POSTGRES='Host=127.0.0.1;Port=$(cat "$folder/port");Username=wire;Password=$(cat "$folder/password");Database=postgres'"
  printf 'export WIRE_POSTGRES_FOLDER=%q\n' "$folder"
}

stop() {
  bin=$(programs)
  if [ -n "$bin" ] && runs; then as_owner "$bin/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null; fi
}

clean() {
  stop
  if [ -e "$folder/port" ] || [ -e "$folder/password" ]; then rm -rf "$folder"; fi
}

folder=${2:-${WIRE_POSTGRES_FOLDER:-${TMPDIR:-/tmp}/wire-postgres-$(id -u)-$(realpath "${BASH_SOURCE[0]}" | cksum | cut -d ' ' -f 1)}}
folder=$(realpath -m "$folder")

# What an earlier start has set is no server given from outside: that has no folder.
given=${WIRE_POSTGRES-}
if [ -n "${2-}" ] || [ -n "${WIRE_POSTGRES_FOLDER-}" ]; then given=; fi

case ${1-} in
  start)
    if [ -n "$given" ]; then
      say "the server of WIRE_POSTGRES is used"
      printf 'export WIRE_POSTGRES=%q\n' "$given"
    else
      start
    fi
    ;;
  env) assignments ;;
  stop | clean) "$1" ;;
  *) die "usage: eng/postgres.sh start|env|stop|clean [folder]" 2 ;;
esac
