#!/usr/bin/env bash
# A RabbitMQ node of this checkout's own, or a cluster of them, for tests and samples: on loopback only, on ports that were
# free, beside whatever else runs on the machine.
#
#   eval "$(eng/rabbitmq.sh start)"   starts the node, waits until it answers, and sets the variables below
#   eng/rabbitmq.sh env               prints what `start` prints, and starts nothing
#   eng/rabbitmq.sh status            says whether the node runs and answers; exits with 1 when it does not
#   eng/rabbitmq.sh stop              stops the node; its messages and ports are the same at the next start
#   eng/rabbitmq.sh kill              kills the node, as a crash would; its messages and ports are the same at the next start
#   eng/rabbitmq.sh clean             stops the node and deletes its folder
#   eng/rabbitmq.sh ctl <folder> ...  runs rabbitmqctl with these arguments for the node, and exits with what it exits with
#   eval "$(eng/rabbitmq.sh cluster 3)"   starts as many nodes that are one cluster, and sets its variables, see below
#
# The server is Debian's package, which is installed when it is missing and root asks. `--suite trixie` before the verb, or another suite of
# Debian's archive, is its server instead, which is unpacked into artifacts/rabbitmq and not installed; WIRE_RABBITMQ_HOME is the folder of
# one that was unpacked otherwise, as of RabbitMQ's generic archive. A node stays with the server that it first started with.
#
# Each takes a folder as a second argument: another folder is another node. A node whose folder is within it is stopped
# with it. Where WIRE_RABBITMQ_URI names a broker already and no folder is given, `start` uses that one. It exits with 3
# where there is no server and none can be installed, and with 1 where the node does not start.
#
# `cluster` takes its folder as a third argument, and where none is given, that is the folder `cluster` within the node's.
# Its nodes have the folders 1, 2 and so on within, each of which stands for that node. The cluster's own stands for all of
# them: `start` starts those that do not run, all at once, as a cluster of which all have been stopped or killed needs it.
#
#   WIRE_RABBITMQ_URI          amqp://, as guest
#   WIRE_RABBITMQ_TLS_URI      amqps://, with a certificate for localhost and 127.0.0.1
#   WIRE_RABBITMQ_CA           the certificate that signed the node's, as PEM
#   WIRE_RABBITMQ_CLIENT_P12   a client's certificate and key, without a password, which EXTERNAL takes for guest
#   WIRE_RABBITMQ_STREAM_PORT  the port of the stream protocol
#   WIRE_RABBITMQ_STREAM_TLS_PORT  the same with TLS, with the certificates of amqps://
#   WIRE_RABBITMQ_FOLDER       where all of it is
#   WIRE_RABBITMQ_HOME         its server, where that is not the installed one, so that nodes started later have it too
#
# Of a cluster, these have a value for each node, with a blank between two:
#
#   WIRE_RABBITMQ_CLUSTER_URIS, WIRE_RABBITMQ_CLUSTER_TLS_URIS
#   WIRE_RABBITMQ_CLUSTER_STREAM_PORTS, WIRE_RABBITMQ_CLUSTER_STREAM_TLS_PORTS
#   WIRE_RABBITMQ_CLUSTER_FOLDERS
#
# and these one for all: WIRE_RABBITMQ_CLUSTER_CA, WIRE_RABBITMQ_CLUSTER_CLIENT_P12, WIRE_RABBITMQ_CLUSTER_FOLDER.
set -euo pipefail

start_seconds=120
stop_seconds=30

say() { echo "rabbitmq: $1" >&2; }
die() { say "$1"; exit "${2-1}"; }

# shellcheck source=eng/rabbitmq-server.sh
source "$(dirname "${BASH_SOURCE[0]}")/rabbitmq-server.sh"

# pid <folder>: the process of that folder's node, if it runs. A number that another process has by now does not count:
# the runtime repeats its home folder on its command line, and a process that only waits to be reaped has none.
pid() {
  local number
  number=$(cat "$1/pid" 2>/dev/null) && [ -n "$number" ] || return 1
  { tr '\0' ' ' <"/proc/$number/cmdline"; } 2>/dev/null | grep -q -F -e " -home $1 " && echo "$number"
}

# Five ports in a row on which nothing answers, below the range that systems give to outgoing connections. They are kept
# with the folder, so that clients find the node again.
choose_ports() {
  if [ -e "$folder/port" ]; then return; fi
  local first='' offset=0
  while [ "$offset" -lt 5 ]; do
    if [ "$offset" -eq 0 ]; then first=$((20000 + RANDOM % 12000)); fi
    if taken $((first + offset)); then offset=0; else offset=$((offset + 1)); fi
  done
  echo "$server_home" >"$folder/server"
  echo "$first" >"$folder/port.new"
  mv "$folder/port.new" "$folder/port"
}
taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

read_ports() {
  port=$(cat "$folder/port")
  tls_port=$((port + 1))
  stream_port=$((port + 2))
  stream_tls_port=$((port + 3))
  member=1
  node_port=$((port + 4))
  if [ -e "$folder/member" ]; then
    member=$(cat "$folder/member")
    node_port=$(($(cat "$folder/../1/port") + 4))
  fi
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

# What lets nodes and rabbitmqctl talk to each other. Where the runtime makes one, it can be guessed.
make_cookie() {
  if [ -e "$folder/.erlang.cookie" ]; then return; fi
  (umask 077 && openssl rand -hex 20 >"$folder/cookie.new")
  mv "$folder/cookie.new" "$folder/.erlang.cookie"
}

# The other nodes of a cluster have the cookie and the certificates of the first.
configure() {
  if [ "$member" -gt 1 ]; then
    cp -pf "$folder/../1/"{.erlang.cookie,ca.pem,server.pem,server.key,client.p12} "$folder"
  fi
  make_cookie
  make_certificates
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

# No epmd says on which port a node listens for others and for rabbitmqctl: the nodes of a cluster have one port at different
# addresses, 127.0.0.1, 127.0.0.2 and so on, which are part of their names. All that the runtime starts takes its flags from
# ERL_AFLAGS, so that nothing starts an epmd of its own accord, which would listen on every address and stay. What the
# machine or its user have set for RabbitMQ is not asked.
read_settings() { # <the last three numbers of the address>
  settings=(
    PATH="$search_path" LANG=C.UTF-8 HOME="$folder" ERL_CRASH_DUMP_SECONDS=0
    ERL_AFLAGS="-start_epmd false -erl_epmd_port $node_port -kernel inet_dist_use_interface {127,${1//./,}}"
    RABBITMQ_NODENAME="wire@127.$1" RABBITMQ_USE_LONGNAME=true RABBITMQ_CONF_ENV_FILE=/dev/null
    RABBITMQ_CONFIG_FILE="$folder/rabbitmq.config" RABBITMQ_CONFIG_FILES="$folder/none"
    RABBITMQ_ADVANCED_CONFIG_FILE="$folder/none.config" RABBITMQ_ENABLED_PLUGINS_FILE="$folder/plugins"
    RABBITMQ_MNESIA_BASE="$folder/data" RABBITMQ_LOG_BASE="$folder/log"
  )
}

launch() {
  read_settings "0.0.$member"
  cd "$folder"
  # With `detached`, the script becomes the runtime, whose number is then the one that is known here.
  env -i "${settings[@]}" detached=1 setsid "$programs/rabbitmq-server" -name "wire@127.0.0.$member" \
    </dev/null >"$folder/output" 2>&1 9>&- &
  echo $! >"$folder/pid"
}

# Each run of rabbitmqctl has an address of its own, to which every node of a cluster can answer.
ctl() {
  [ -e "$folder/port" ] || die "no node was started in $folder."
  find_server
  read_ports
  read_settings "$((RANDOM % 254 + 1)).$((RANDOM % 256)).$((RANDOM % 254 + 1))"
  env -i "${settings[@]}" "$programs/rabbitmqctl" --longnames --node "wire@127.0.0.$member" "$@"
}

# The node answers a header of no known version with one that it knows, and PeerProperties of the stream protocol with a response.
ready() {
  answers '414d5150????????' tcp "$port" 'AMQP\0\0\0\0' &&
    answers '414d5150????????' tls "$tls_port" 'AMQP\0\0\0\0' &&
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

# Makes the folder one of this script's, and waits for whoever starts something in it.
claim() {
  if [ ! -e "$folder/wire-rabbitmq" ] && [ -n "$(ls -A "$folder" 2>/dev/null)" ]; then
    die "$folder holds other things; give a folder that is empty or does not exist."
  fi
  mkdir -p "$folder"
  [ -O "$folder" ] || die "$folder belongs to another user."
  chmod 700 "$folder"
  exec 9>"$folder/wire-rabbitmq" # also says whose the folder is
  flock 9                        # of two at a time, the second finds the node of the first
}

start() {
  find_server
  check_server
  install
  claim
  choose_ports
  read_ports
  local number end=$((SECONDS + start_seconds))
  if ! number=$(pid "$folder"); then
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
  home_assignment
}

# The first time, each joins those before it. Later a node may wait for those that were stopped after it.
cluster() { # <number of nodes>
  [ ! -e "$folder/port" ] || die "$folder is the folder of a single node."
  claim
  [ "$(cat "$folder/nodes" 2>/dev/null || echo "$1")" = "$1" ] || die "the cluster in $folder has $(cat "$folder/nodes") nodes."
  echo "$1" >"$folder/nodes"
  local each formed='' starts=()
  if [ -e "$folder/$1/joined" ]; then formed=1; fi
  for each in $(nodes); do
    mkdir -p "$each"
    touch "$each/wire-rabbitmq"
    basename "$each" >"$each/member"
    of "$each" start >/dev/null &
    starts+=($!)
    if [ ! "$formed" ]; then wait $! && of "$each" join; fi
  done
  for each in "${starts[@]}"; do wait "$each"; done
  of "$folder/1" ctl --quiet await_online_nodes "$1" --timeout "$start_seconds" >&2 || die "the nodes in $folder are not one cluster."
  cluster_assignments
}

# Not by the node's own discovery of others, for which newer ones start another beside them, on the port that they have themselves.
join() {
  if [ -e "$folder/joined" ]; then return; fi
  if [ "$(cat "$folder/member")" -gt 1 ]; then
    ctl --quiet stop_app && ctl --quiet join_cluster wire@127.0.0.1 && ctl --quiet start_app || die "$folder could not join the cluster."
  fi
  touch "$folder/joined"
}

# The folders of what is asked for: those of a cluster's nodes, or a node's own.
nodes() { if [ -e "$folder/nodes" ]; then seq -f "$folder/%.0f" "$(cat "$folder/nodes")"; else echo "$folder"; fi; }

# of <folder> <function> ...: calls it for the node with that folder.
of() {
  local folder=$1
  "${@:2}"
}

cluster_assignments() {
  local each uris=() tls_uris=() stream_ports=() stream_tls_ports=() folders=()
  for each in $(nodes); do
    folders+=("$each")
    eval "$(of "$each" assignments | sed 's/^export /local /')"
    uris+=("$WIRE_RABBITMQ_URI")
    tls_uris+=("$WIRE_RABBITMQ_TLS_URI")
    stream_ports+=("$WIRE_RABBITMQ_STREAM_PORT")
    stream_tls_ports+=("$WIRE_RABBITMQ_STREAM_TLS_PORT")
  done
  cat <<ASSIGNMENTS
export WIRE_RABBITMQ_CLUSTER_URIS="${uris[*]}"
export WIRE_RABBITMQ_CLUSTER_TLS_URIS="${tls_uris[*]}"
export WIRE_RABBITMQ_CLUSTER_STREAM_PORTS="${stream_ports[*]}"
export WIRE_RABBITMQ_CLUSTER_STREAM_TLS_PORTS="${stream_tls_ports[*]}"
export WIRE_RABBITMQ_CLUSTER_FOLDERS="${folders[*]}"
export WIRE_RABBITMQ_CLUSTER_CA=$folder/1/ca.pem
export WIRE_RABBITMQ_CLUSTER_CLIENT_P12=$folder/1/client.p12
export WIRE_RABBITMQ_CLUSTER_FOLDER=$folder
ASSIGNMENTS
  of "$folder/1" home_assignment
}

end() { # <TERM or KILL> <folders>
  local each number end signal
  for each in "${@:2}"; do
    each=${each%/}
    number=$(pid "$each") || continue
    signal=$1
    end=$((SECONDS + stop_seconds))
    kill "-$signal" "$number" || continue # it has ended in between
    while pid "$each" >/dev/null; do
      if [ "$SECONDS" -ge "$end" ] && [ "$signal" = TERM ]; then
        signal=KILL
        kill -KILL "$number" || continue
      fi
      sleep 0.05
    done
    say "process $number has ended on SIG$signal"
    rm -f "$each/pid"
  done
}

# Those within come first: their folders go with this one.
stop() { end TERM "$folder"/*/*/ "$folder"/*/ "$folder"; }

clean() {
  [ ! -e "$folder/member" ] || die "$folder is of a cluster, which can be deleted as a whole only."
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

usage() { die "usage: eng/rabbitmq.sh [--suite <name>] start|env|status|stop|kill|clean [folder] | ctl <folder> ... | cluster <nodes> [folder]" 2; }

suite=
if [ "${1-}" = --suite ]; then
  suite=${2-}
  [ -n "$suite" ] || usage
  shift 2
fi
verb=${1-}
size=
if [ "$verb" = cluster ]; then
  size=${2-}
  case $size in '' | 0* | *[!0-9]* | ???*) usage ;; esac
  shift
elif [ "$verb" = ctl ] && [ -z "${2-}" ]; then
  usage
fi
folder=${2:-${WIRE_RABBITMQ_FOLDER:-${TMPDIR:-/tmp}/wire-rabbitmq-$(id -u)-$(realpath "${BASH_SOURCE[0]}" | cksum | cut -d ' ' -f 1)}}
folder=$(realpath -m "$folder")
case $folder in *[!A-Za-z0-9_./+-]*) die "the server's own scripts need a folder without blanks and special characters: $folder" ;; esac

# What an earlier start has set is no broker given from outside: that has no folder.
given=${WIRE_RABBITMQ_URI-}
if [ -n "${2-}" ] || [ -n "${WIRE_RABBITMQ_FOLDER-}" ]; then given=; fi

case $verb in
  start | env)
    if [ -n "$given" ]; then
      say "the broker of WIRE_RABBITMQ_URI is used"
      printf 'export WIRE_RABBITMQ_URI=%q\n' "$given"
    elif [ "$verb" = start ]; then
      if [ -e "$folder/nodes" ]; then cluster "$(cat "$folder/nodes")"; else start; fi
    elif [ -e "$folder/nodes" ]; then
      cluster_assignments
    else
      [ -e "$folder/port" ] || die "no node was started in $folder."
      assignments
    fi
    ;;
  cluster)
    if [ -z "${2-}" ]; then
      claim
      folder=$folder/cluster
    fi
    cluster "$size"
    ;;
  status)
    result=0
    for each in $(nodes); do (of "$each" status) || result=1; done
    exit "$result"
    ;;
  kill)
    mapfile -t each < <(nodes)
    end KILL "${each[@]}"
    ;;
  ctl)
    ctl "${@:3}"
    ;;
  stop | clean) "$verb" ;;
  *) usage ;;
esac
