#!/usr/bin/env bash
# Fetches the clients of others that messages are exchanged with in tests/Wire.Foreign.Tests, into a folder: from npm those in
# JavaScript, and from Debian, without installing them, those in Python. A client that cannot be had is left out, which it says in one
# line; the folder has a file with the name of each that is there.
#
#   eng/foreign.sh FOLDER    and then, with a broker: WIRE_FOREIGN_FOLDER=FOLDER dotnet test tests/Wire.Foreign.Tests
set -euo pipefail
mkdir -p "${1:?the folder}"
folder=$(cd "$1" && pwd)
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")/../tests/Wire.Foreign.Tests/Clients" && pwd)
exec 9>"$folder/lock"
flock 9 # of two at a time, the second finds what the first has fetched

# All packages are fetched at once, for the first that is asked for.
npm_package() {
  command -v node >/dev/null && command -v npm >/dev/null || return 1
  if [ ! -e "$folder/node_modules/$1" ]; then
    cp "$clients/package.json" "$clients/package-lock.json" "$folder"
    (cd "$folder" && npm ci --no-audit --no-fund) >&2
  fi
}

# debian_package <module> <packages>: with the libraries that the module needs.
debian_package() {
  command -v python3 >/dev/null && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  local package module=$1
  mkdir -p "$folder/debian/$module"
  (cd "$folder/debian/$module" && apt-get -o APT::Sandbox::User=root download "${@:2}") >&2 || return 1
  for package in "$folder/debian/$module"/*.deb; do dpkg-deb -x "$package" "$folder/debian" || return 1; done
  PYTHONPATH=$folder/debian/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$(echo "$folder"/debian/usr/lib/*-linux-gnu*) \
    python3 -c "import $module" >&2
}

fetch() {
  case $1 in
    pika) debian_package pika python3-pika ;;
    proton)
      debian_package proton python3-qpid-proton \
        "$(apt-cache depends python3-qpid-proton | sed -n 's/.*Depends: \(libqpid-proton[^ ]*\)$/\1/p' | head -n 1)"
      ;;
    *) npm_package "$1" ;;
  esac
}

for client in amqplib rhea rabbitmq-stream-js-client pika proton; do
  if [ -e "$folder/$client" ]; then continue; fi
  if fetch "$client"; then
    : >"$folder/$client"
  else
    echo "Left out: the tests with $client, which could not be fetched."
  fi
done
