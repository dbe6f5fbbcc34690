#!/usr/bin/env bash
# Unpacks the RabbitMQ of a suite of Debian's archive, with the Erlang and the libraries that it needs, about 200 MB: nothing is installed,
# any user can do it, and what is unpacked runs on the machine as it is, whatever its own libraries are.
#
#   eng/rabbitmq-unpack.sh <suite> <folder>   such as trixie or sid; <folder>/home then has the server's own folder, within it
#
# The mirror is that of the machine's own suite, as apt has it.
set -euo pipefail
suite=$1
mkdir -p "$2"
root=$(realpath "$2")
cd "$root"
rm -rf ./*

# apt has its lists and what it downloads in here, and believes that nothing is installed.
mkdir -p apt/lists/partial apt/archives/partial
: >apt/status
mirrors() { apt-get indextargets --format '$(SITE)' 'Identifier: Packages' 'Label: Debian'; }
if [ -z "$(mirrors)" ]; then apt-get -q update; fi
mirror=$(mirrors | sed -n 1p)
[ -n "$mirror" ] || { echo "E: apt has no source of Debian's archive" && exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >apt/sources.list
own=(-o "Dir::Etc::SourceList=$root/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$root/apt/lists"
  -o "Dir::State::Status=$root/apt/status" -o "Dir::Cache=$root/apt" -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=1)
apt-get "${own[@]}" -q update
apt-get "${own[@]}" -q --yes --no-install-recommends --download-only install rabbitmq-server
for each in apt/archives/*.deb; do dpkg-deb --extract "$each" .; done
rm -rf apt usr/share

# Programs ask for their loader by an absolute path, which is that of the machine's libraries. Each gets a script in its place that starts
# it with the loader and the libraries beside it.
loader=$(find usr/lib -name 'ld-linux*.so.*' | head -n 1)
erts=$(echo usr/lib/erlang/erts-*)
for each in "$erts"/bin/* usr/lib/erlang/lib/*/priv/bin/*; do
  if [ "$(head -c 4 "$each" | tail -c 3)" != ELF ]; then continue; fi
  mv "$each" "$each.elf"
  cat >"$each" <<SCRIPT
#!/bin/sh
root=\${0%/*}/$(realpath --relative-to "$(dirname "$each")" .)
exec "\$root/$loader" --argv0 "\$0" --library-path "\$root/$(dirname "$loader")" "\$0.elf" "\$@"
SCRIPT
  chmod +x "$each"
done

# The package's `erl` believes that it is in /usr/lib. The folder that it is in has all that the server's scripts look for on the path.
cat >"$erts/bin/erl" <<'SCRIPT'
#!/bin/sh
BINDIR=$(realpath "${0%/*}")
export BINDIR ROOTDIR="${BINDIR%/*/*}" EMU=beam PROGNAME=erl
exec "$BINDIR/erlexec" "$@"
SCRIPT
home=$(echo usr/lib/rabbitmq/lib/rabbitmq_server-*)
ln -s "$(realpath --relative-to "$home" "$erts/bin")" "$home/erlang"

# The library with the most demands of those that it loads later.
"$home/erlang/erl" -noinput -eval 'ok = crypto:start(), halt().'
echo "$home" >home
