#!/usr/bin/env bash
# A RabbitMQ node of this checkout's own, for tests and samples: on loopback only, on ports that were free, beside
# whatever else runs on the machine. The server is Debian's package, which is installed when it is missing and root asks.
#
#   eval "$(eng/rabbitmq.sh start)"   starts the node, waits until it answers, and sets the variables below
#   eng/rabbitmq.sh env               prints what `start` prints, and starts nothing
#   eng/rabbitmq.sh status            says whether the node runs and answers; exits with 1 when it does not
#   eng/rabbitmq.sh stop              stops the node; its messages and ports are the same at the next start
#   eng/rabbitmq.sh clean             stops the node and deletes its folder
#
# Each takes a folder as a second argument: another folder is another node. A node whose folder is within it is stopped
# with it. Where WIRE_RABBITMQ_URI names a broker already and no folder is given, `start` uses that one. It exits with 3
# where there is no server and none can be installed, and with 1 where the node does not start.
#
#   WIRE_RABBITMQ_URI          amqp://, as guest
#   WIRE_RABBITMQ_TLS_URI      amqps://, with a certificate for localhost and 127.0.0.1
#   WIRE_RABBITMQ_CA           the certificate that signed the node's, as PEM
#   WIRE_RABBITMQ_CLIENT_P12   a client's certificate and key, without a password, which EXTERNAL takes for guest
#   WIRE_RABBITMQ_STREAM_PORT  the port of the stream protocol
#   WIRE_RABBITMQ_STREAM_TLS_PORT  the same with TLS, with the certificates of amqps://
#   WIRE_RABBITMQ_FOLDER       where all of it is
set -euo pipefail

server=/usr/lib/rabbitmq/bin/rabbitmq-server # the one in /usr/sbin insists on the user rabbitmq
start_seconds=120
stop_seconds=30

say() { echo "rabbitmq: $1" >&2; }
die() { say "$1"; exit "${2-1}"; }

# Gets what is missing, without the service that the package would start on every address.
install() {
  if [ -x "$server" ] && command -v openssl >/dev/null; then return; fi
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    die "rabbitmq-server or openssl is not installed, and only root can install them, with apt-get; or set WIRE_RABBITMQ_URI to a broker that runs." 3
  fi
  say "installing rabbitmq-server and openssl"
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install -o DPkg::Lock::Timeout=300 --yes --no-install-recommends rabbitmq-server openssl; } >/dev/null ||
    die "rabbitmq-server could not be installed; what apt-get said is above." 3
  if [ -d /run/systemd/system ]; then systemctl disable --quiet rabbitmq-server; fi
}

# pid <folder>: the process of that folder's node, if it runs. A number that another process has by now does not count:
# the runtime repeats its home folder on its command line, and a process that only waits to be reaped has none.
pid() {
  local number
  number=$(cat "$1/pid" 2>/dev/null) && [ -n "$number" ] || return 1
  { tr '\0' ' ' <"/proc/$number/cmdline"; } 2>/dev/null | grep -q -F -e " -home $1 " && echo "$number"
}

# Four ports in a row on which nothing answers, below the range that systems give to outgoing connections. They are kept
# with the folder, so that clients find the node again.
choose_ports() {
  if [ -e "$folder/port" ]; then return; fi
  local first=
  while first=$((20000 + RANDOM % 12000)); taken "$first" || taken $((first + 1)) || taken $((first + 2)) || taken $((first + 3)); do :; done
  echo "$first" >"$folder/port.new"
  mv "$folder/port.new" "$folder/port"
}
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

read_ports() {
  port=$(cat "$folder/port")
  tls_port=$((port + 1))
  stream_port=$((port + 2))
  stream_tls_port=$((port + 3))
}

# Made in a folder beside, and moved into place when all of it is there.
make_certificates() {
  if [ -e "$folder/client.p12" ]; then return; fi
  rm -rf "$folder/new"
  mkdir "$folder/new"
  (
    cd "$folder/new" &&
      openssl req -x509 "${new_key[@]}" -days 3650 -subj '/CN=Wire test CA' -keyout ca.key -out ca.pem &&
      certificate server localhost 'subjectAltName=DNS:localhost,IP:127.0.0.1' &&
      certificate client guest 'extendedKeyUsage=clientAuth' &&
      openssl pkcs12 -export -in client.pem -inkey client.key -passout pass: -out client.p12 &&
      mv ca.pem server.pem server.key "$folder" && mv client.p12 "$folder"
  ) >"$folder/openssl.log" 2>&1 || die "openssl could not make the certificates: $folder/openssl.log"
  rm -rf "$folder/new"
}
new_key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
certificate() { # <name of the files> <common name> <extension>
  openssl req "${new_key[@]}" -subj "/CN=$2" -keyout "$1.key" -out "$1.csr" &&
    openssl x509 -req -in "$1.csr" -days 3650 -CA ca.pem -CAkey ca.key -CAcreateserial -extfile <(echo "$3") -out "$1.pem"
}

configure() {
  echo '[rabbitmq_amqp1_0,rabbitmq_auth_mechanism_ssl,rabbitmq_stream].' >"$folder/plugins"
  cat >"$folder/rabbitmq.config" <<CONFIG
[{rabbit, [
   {tcp_listeners, [{"127.0.0.1", $port}]},
   {ssl_listeners, [{"127.0.0.1", $tls_port}]},
   {ssl_options, [
     {cacertfile, "$folder/ca.pem"}, {certfile, "$folder/server.pem"}, {keyfile, "$folder/server.key"},
     {verify, verify_peer}, {fail_if_no_peer_cert, false}]},
   {auth_mechanisms, ['PLAIN', 'AMQPLAIN', 'EXTERNAL']},
   {ssl_cert_login_from, common_name},
   {log, [{console, [{enabled, false}]}, {file, [{level, info}]}]}]},
 {rabbitmq_stream, [
   {tcp_listeners, [{"127.0.0.1", $stream_port}]},
   {ssl_listeners, [{"127.0.0.1", $stream_tls_port}]},
   {advertised_host, <<"127.0.0.1">>}, {advertised_port, $stream_port}, {advertised_tls_port, $stream_tls_port}]}].
CONFIG
}

# The node has a name, which its data belong to, and otherwise is alone: it listens to no other node, and with a port given
# for all nodes it asks no epmd for its own. So no epmd has to run, and any number of nodes can have the name. What the
# machine or its user have set for RabbitMQ is not asked.
launch() {
  local settings=(
    PATH="$PATH" LANG=C.UTF-8 HOME="$folder" ERL_CRASH_DUMP_SECONDS=0
    detached=1 # makes the script become the runtime, whose number is then the one that is known here
    RABBITMQ_NODENAME=wire@localhost RABBITMQ_CONF_ENV_FILE=/dev/null
    RABBITMQ_CONFIG_FILE="$folder/rabbitmq.config" RABBITMQ_CONFIG_FILES="$folder/none"
    RABBITMQ_ADVANCED_CONFIG_FILE="$folder/none.config" RABBITMQ_ENABLED_PLUGINS_FILE="$folder/plugins"
    RABBITMQ_MNESIA_BASE="$folder/data" RABBITMQ_LOG_BASE="$folder/log"
  )
  cd "$folder"
  env -i "${settings[@]}" setsid "$server" -sname wire@localhost -dist_listen false -start_epmd false -erl_epmd_port "$port" \
    </dev/null >"$folder/output" 2>&1 9>&- &
  echo $! >"$folder/pid"
}

# The node answers a header of no known version with one of 0-9-1, and PeerProperties of the stream protocol with a response.
ready() {
  answers 414d515000000901 tcp "$port" 'AMQP\0\0\0\0' &&
    answers 414d515000000901 tls "$tls_port" 'AMQP\0\0\0\0' &&
    answers '????????80110001' tcp "$stream_port" "$peer_properties" &&
    answers '????????80110001' tls "$stream_tls_port" "$peer_properties"
}
# And Close behind it, so that the connection ends.
peer_properties='\0\0\0\14\0\21\0\1\0\0\0\1\0\0\0\0''\0\0\0\16\0\26\0\1\0\0\0\2\0\1\0\2OK'
# answers <pattern> <tcp or tls> <port> <bytes>: whether the first eight bytes that come back look like this in hexadecimal.
# shellcheck disable=SC2053,SC2059
answers() { [[ $({ printf "$4" | "$2" "$3"; } 2>/dev/null | od -An -v -tx1 | tr -d ' \n') == $1 ]]; }
# shellcheck disable=SC2016
tcp() { timeout 5 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$0"; cat >&3; head -c 8 <&3' "$1"; }
tls() { timeout 5 openssl s_client -quiet -verify_return_error -CAfile "$folder/ca.pem" -connect "127.0.0.1:$1" | head -c 8; }

start() {
  install
  if [ ! -e "$folder/wire-rabbitmq" ] && [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
    die "$folder holds other things; give a folder that is empty or does not exist."
  fi
  mkdir -p "$folder"
  [ -O "$folder" ] || die "$folder belongs to another user."
  chmod 700 "$folder"
  exec 9>"$folder/wire-rabbitmq" # also says whose the folder is
  flock 9                        # of two at a time, the second finds the node of the first
  choose_ports
  read_ports
  local number end=$((SECONDS + start_seconds))
  if ! number=$(pid "$folder"); then
    make_certificates
    configure
    launch
    number=$(cat "$folder/pid")
  fi
  until ready; do
    kill -0 "$number" 2>/dev/null || { tail -n 5 "$folder/output" >&2; die "the node ended while it started: $folder/log"; }
    [ "$SECONDS" -lt "$end" ] || die "the node does not answer after $start_seconds s: $folder/log"
    sleep 0.1
  done
  describe "$number"
  assignments
}

describe() { say "process $1, port $port, with TLS $tls_port, streams $stream_port, with TLS $stream_tls_port, in $folder"; }

assignments() {
  read_ports
  cat <<ASSIGNMENTS
export WIRE_RABBITMQ_URI=amqp://guest:guest@127.0.0.1:$port/
export WIRE_RABBITMQ_TLS_URI=amqps://guest:guest@localhost:$tls_port/
export WIRE_RABBITMQ_CA=$folder/ca.pem
export WIRE_RABBITMQ_CLIENT_P12=$folder/client.p12
export WIRE_RABBITMQ_STREAM_PORT=$stream_port
export WIRE_RABBITMQ_STREAM_TLS_PORT=$stream_tls_port
export WIRE_RABBITMQ_FOLDER=$folder
ASSIGNMENTS
}

# Those within come first: their folders go with this one.
stop() {
  local each number end signal
  for each in "$folder"/*/ "$folder"; do
    each=${each%/}
    number=$(pid "$each") || continue
    signal=TERM
    end=$((SECONDS + stop_seconds))
    kill -TERM "$number"
    while pid "$each" >/dev/null; do
      if [ "$SECONDS" -ge "$end" ] && [ $signal = TERM ]; then
        signal=KILL
        kill -KILL "$number" || continue # it has ended in between
      fi
      sleep 0.05
    done
    say "process $number has ended on SIG$signal"
    rm -f "$each/pid"
  done
}

clean() {
  stop
  if [ -e "$folder/wire-rabbitmq" ]; then rm -rf "$folder"; fi
}

status() {
  local number
  number=$(pid "$folder") || die "no node runs in $folder."
  read_ports
  ready || die "process $number runs and does not answer: $folder/log"
  describe "$number"
}

folder=${2:-${WIRE_RABBITMQ_FOLDER:-${TMPDIR:-/tmp}/wire-rabbitmq-$(id -u)-$(realpath "${BASH_SOURCE[0]}" | cksum | cut -d ' ' -f 1)}}
folder=$(realpath -m "$folder")
case $folder in *[!A-Za-z0-9_./+-]*) die "the server's own scripts need a folder without blanks and special characters: $folder" ;; esac

# What an earlier start has set is no broker given from outside: that has no folder.
given=${WIRE_RABBITMQ_URI-}
if [ -n "${2-}" ] || [ -n "${WIRE_RABBITMQ_FOLDER-}" ]; then given=; fi

case ${1-} in
  start | env)
    if [ -n "$given" ]; then
      say "the broker of WIRE_RABBITMQ_URI is used"
      printf 'export WIRE_RABBITMQ_URI=%q\n' "$given"
    elif [ "$1" = start ]; then
      start
    else
      [ -e "$folder/port" ] || die "no node was started in $folder."
      assignments
    fi
    ;;
  status | stop | clean) "$1" ;;
  *) die "usage: eng/rabbitmq.sh start|env|status|stop|clean [folder]" 2 ;;
esac
