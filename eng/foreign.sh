#!/usr/bin/env bash
# Fetches the clients of others that messages are exchanged with in tests/Wire.Foreign.Tests, into a folder: from npm those in
# JavaScript, and from Debian, without installing it, the one in Python. A client that cannot be had is left out, which it says in one
# line; the folder has a file with the name of each that is there.
#
#   eng/foreign.sh FOLDER    and then, with a broker: WIRE_FOREIGN_FOLDER=FOLDER dotnet test tests/Wire.Foreign.Tests
set -euo pipefail
mkdir -p "${1:?the folder}"
folder=$(cd "$1" && pwd)
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")/../tests/Wire.Foreign.Tests/Clients" && pwd)

amqplib() {
  command -v node >/dev/null && command -v npm >/dev/null || return 1
  cp "$clients/package.json" "$clients/package-lock.json" "$folder"
  (cd "$folder" && npm ci --no-audit --no-fund) >&2
}

pika() {
  command -v python3 >/dev/null && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  mkdir -p "$folder/debian"
  (cd "$folder/debian" && apt-get -o APT::Sandbox::User=root download python3-pika) >&2 || return 1
  dpkg-deb -x "$folder"/debian/python3-pika_*.deb "$folder/debian" || return 1
  mv "$folder/debian/usr/lib/python3/dist-packages" "$folder/python"
}

for client in amqplib pika; do
  if [ -e "$folder/$client" ]; then continue; fi
  if "$client"; then
    : >"$folder/$client"
  else
    echo "Left out: the tests with $client, which could not be fetched."
  fi
done
