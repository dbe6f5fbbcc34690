# For eng/rabbitmq.sh, which sources it: which server a node runs, and how one that is missing is had.

# find_server: of the node in $folder, which stays with the server that it first started with, whichever is asked for now. Sets
# `server_home`, which is empty for the installed one, `programs`, and `search_path`.
find_server() {
  programs=/usr/lib/rabbitmq/bin # those in /usr/sbin insist on the user rabbitmq
  search_path=$PATH
  if [ -e "$folder/server" ]; then server_home=$(cat "$folder/server"); else server_home=$(asked_server) || exit; fi
  if [ -n "$server_home" ]; then programs=$server_home/sbin; fi
  if [ -e "$server_home/erlang/erl" ]; then search_path=$server_home/erlang:$PATH; fi
}

# The home of the server that is asked for; nothing stands for the installed one.
asked_server() {
  if [ -n "$suite" ]; then
    unpacked "$suite"
  elif [ -n "${WIRE_RABBITMQ_HOME-}" ]; then
    [ -x "$WIRE_RABBITMQ_HOME/sbin/rabbitmq-server" ] || die "WIRE_RABBITMQ_HOME has no sbin/rabbitmq-server: $WIRE_RABBITMQ_HOME"
    realpath "$WIRE_RABBITMQ_HOME"
  fi
}

# Refuses a folder whose node runs another server than the one that is asked for.
check_server() {
  local asked
  asked=$(asked_server) || exit
  [ -z "$asked" ] || [ "$asked" = "$server_home" ] ||
    die "$folder runs ${server_home:-the installed server} and not $asked: clean it, or give another folder."
}

# The variable that lets nodes which are started later have it too.
home_assignment() {
  find_server
  if [ -n "$server_home" ]; then echo "export WIRE_RABBITMQ_HOME=$server_home"; fi
}

# Gets what is missing, without the service that the package would start on every address.
install() {
  local missing=()
  command -v openssl >/dev/null || missing+=(openssl)
  [ -x "$programs/rabbitmq-server" ] || missing+=(rabbitmq-server)
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    die "there is no ${missing[*]}, and only root can install it, with apt-get; or set WIRE_RABBITMQ_HOME to the folder of an unpacked \
server, or WIRE_RABBITMQ_URI to a broker that runs." 3
  fi
  say "installing ${missing[*]}"
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -o DPkg::Lock::Timeout=300 --yes --no-install-recommends "${missing[@]}"; } >/dev/null ||
    die "${missing[*]} could not be installed; what apt-get said is above." 3
  if [ -d /run/systemd/system ]; then systemctl disable --quiet rabbitmq-server; fi
}

# unpacked <suite>: prints the home of the server of that suite, which is unpacked the first time and kept in artifacts/rabbitmq.
unpacked() {
  local eng root
  case $1 in *[!a-z0-9-]*) die "'$1' is no suite of Debian's archive." 2 ;; esac
  eng=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
  root=$eng/../artifacts/rabbitmq/$1
  mkdir -p "$root"
  exec 8>"$root.lock"
  flock 8 # of two at a time, the second finds what the first has unpacked
  if [ ! -e "$root/home" ]; then
    say "unpacking the server of $1"
    "$eng/rabbitmq-unpack.sh" "$1" "$root" >"$root.log" 2>&1 8>&- ||
      die "the server of $1 cannot be had: $(grep -E '^E: ' "$root.log" | tail -n 1 || tail -n 1 "$root.log")" 3
  fi
  exec 8>&-
  realpath "$root/$(cat "$root/home")"
}
