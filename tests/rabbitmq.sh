#!/usr/bin/env bash
# What eng/rabbitmq.sh promises, of a node and, with WIRE_TEST_LONG=1, of one that is killed and of a cluster of three, then also with the
# servers of newer suites: messages and ports stay, sockets are on loopback, and nothing is left behind. Exits with 0 when all of it holds,
# with 3 where there is no server, and with 1 otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset "${!WIRE_RABBITMQ_@}"

scratch=$(mktemp -d)
node=$scratch/node
finish() {
  if [ "$1" -ne 0 ]; then tail -n 20 "$scratch/said"; fi
  for each in "$scratch"/*/; do rabbitmq clean "${each%/}" || true; done
  rm -rf "$scratch"
}
trap 'finish $?' EXIT
trap 'exit 130' INT TERM

server=()
rabbitmq() { eng/rabbitmq.sh "${server[@]}" "$@" 2>>"$scratch/said"; }
ctl() { rabbitmq ctl "$1" --quiet "${@:2}"; }

# is <what> <expected> <actual>
is() {
  if [ "$2" = "$3" ]; then return; fi
  printf 'FAILED: eng/rabbitmq.sh %s: %s\n  expected: %q\n  actual:   %q\n' "${server[*]}" "$@"
  exit 1
}

# exits <code> <arguments>
exits() {
  local code=0
  rabbitmq "${@:2}" >/dev/null || code=$?
  is "${*:2} exits" "$1" "$code"
}

# Whatever a node has started has its home folder, for as long as it runs.
processes() { { grep -l -z -F -e "HOME=$scratch/" /proc/[0-9]*/environ || true; } 2>/dev/null | cut -d / -f 3; }
# Which of them is an epmd, and where they listen, as the kernel writes it: the last number first, and without the ports.
# As a loader of its own starts it, its name is an argument.
epmds() { for each in $(processes); do { tr '\0' '\n' <"/proc/$each/cmdline"; } 2>/dev/null | grep -x -e 'epmd' -e '.*/epmd' || true; done; }
addresses() {
  local sockets
  sockets=$(for each in $(processes); do find "/proc/$each/fd" -lname 'socket:*' -printf '%l\n' 2>/dev/null || true; done)
  awk -v sockets="$sockets" '$4 == "0A" && index(sockets, "[" $10 "]") { sub(/:.*/, "", $2); print $2 }' /proc/net/tcp /proc/net/tcp6 |
    sort -u | xargs
}

# The helpers of a runtime end by themselves when it has ended.
nothing() { # <what leaves it>
  local end=$((SECONDS + 10))
  while [ "$SECONDS" -lt "$end" ] && [ -n "$(processes)" ]; do sleep 0.1; done
  is "$1 leaves processes" "" "$(processes)"
}

# A queue of one message on each node of the cluster, or on the only one. What is counted is on the disk.
put() {
  ctl "$1" eval '
    Queue = rabbit_misc:r(<<"/">>, queue, <<"kept">>),
    {new, _} = rabbit_amqqueue:declare(Queue, true, false, [{<<"x-queue-type">>, longstr, <<"quorum">>}], none, <<"guest">>),
    Exchange = rabbit_misc:r(<<"/">>, exchange, <<>>),
    Content = rabbit_basic:build_content(rabbit_basic:properties([]), <<"message">>),
    case erlang:function_exported(rabbit_basic, publish, 4) of
      true -> ok = rabbit_basic:publish(Exchange, <<"kept">>, rabbit_basic:properties([]), <<"message">>);
      false ->
        {ok, Message} = mc_amqpl:message(Exchange, <<"kept">>, Content),
        ok = rabbit_queue_type:publish_at_most_once(Exchange, Message)
    end.' >/dev/null
  holds "is published" "$1"
}
# The leader may have to be elected first.
holds() { # <when> <folder>
  local found='' end=$((SECONDS + 30))
  while [ "$SECONDS" -lt "$end" ] && [ "$found" != $'kept\t1' ]; do
    found=$(ctl "$2" list_queues --no-table-headers name messages) || true
  done
  is "a message $1" $'kept\t1' "$found"
}
running() { ctl "$1" eval '[io:format("~s ", [Node]) || Node <- lists:sort(rabbit_nodes:all_running())], ok.' | sed 's/ ok$//'; }

single() {
  assignments=$(rabbitmq start "$node")
  exits 0 status "$node"
  is "env prints" "$assignments" "$(rabbitmq env "$node")"
  ctl "$node" add_user somebody secret
  ctl "$node" set_vm_memory_high_watermark 0.00001
  is "an alarm is set" true "$(ctl "$node" eval 'rabbit_alarm:get_alarms() =/= [].')"
  ctl "$node" set_vm_memory_high_watermark 0.4
  exits 64 ctl "$node" no_such_command
  put "$node"

  exits 0 stop "$node"
  exits 1 status "$node"
  nothing stop
  is "the second start prints" "$assignments" "$(rabbitmq start "$node")"
  holds "stays when the node is stopped" "$node"
  if [ "${WIRE_TEST_LONG-}" = 1 ]; then
    exits 0 kill "$node"
    exits 1 status "$node"
    is "the third start prints" "$assignments" "$(rabbitmq start "$node")"
    holds "stays when the node is killed" "$node"
  fi
  is "users stay" $'guest\nsomebody' "$(ctl "$node" list_users --no-table-headers | cut -f 1 | sort)"

  # What a node does once in a minute, and without flags of ours would start one.
  ctl "$node" eval 'rabbit_nodes:ensure_epmd().' >/dev/null
  is "an epmd runs" "" "$(epmds)"
  is "a node listens on" 0100007F "$(addresses)"
  exits 0 clean "$node"
  nothing clean
  is "folders left by clean" said "$(ls "$scratch")"
}

clustered() {
  cluster=$scratch/outer/cluster
  mkdir -p "$scratch/outer"
  touch "$scratch/outer/wire-rabbitmq"
  assignments=$(rabbitmq cluster 3 "$cluster")
  eval "$assignments"
  is "the folders are" "$cluster/1 $cluster/2 $cluster/3" "$WIRE_RABBITMQ_CLUSTER_FOLDERS"
  for each in "$WIRE_RABBITMQ_CLUSTER_URIS" "$WIRE_RABBITMQ_CLUSTER_TLS_URIS" "$WIRE_RABBITMQ_CLUSTER_STREAM_PORTS"; do
    is "values for each node" 3 "$(tr ' ' '\n' <<<"$each" | sort -u | wc -l)"
  done
  is "env of a cluster prints" "$assignments" "$(rabbitmq env "$cluster")"
  is "start of a cluster prints" "$assignments" "$(rabbitmq start "$cluster")"
  exits 0 status "$cluster"
  exits 1 cluster 2 "$cluster"
  exits 1 clean "$cluster/2"
  is "a cluster runs" "wire@127.0.0.1 wire@127.0.0.2 wire@127.0.0.3" "$(running "$cluster/1")"
  is "a cluster listens on" "0100007F 0200007F 0300007F" "$(addresses)"
  put "$cluster/1"

  exits 0 kill "$cluster/1"
  exits 1 status "$cluster"
  is "the others run" "wire@127.0.0.2 wire@127.0.0.3" "$(running "$cluster/2")"
  holds "stays when a node of three is killed" "$cluster/2"
  exits 0 start "$cluster/1"
  is "the node is back" "wire@127.0.0.1 wire@127.0.0.2 wire@127.0.0.3" "$(running "$cluster/3")"

  exits 0 kill "$cluster"
  nothing "kill of a cluster"
  is "start of all prints" "$assignments" "$(rabbitmq start "$cluster")"
  holds "stays when all nodes are killed" "$cluster/3"
  is "an epmd runs" "" "$(epmds)"
  exits 0 clean "$scratch/outer"
  nothing "clean of a folder around a cluster"
  is "folders left by clean" said "$(ls "$scratch")"
}

single
[ "${WIRE_TEST_LONG-}" = 1 ] || exit 0
clustered
for suite in trixie sid; do
  unset "${!WIRE_RABBITMQ_@}"
  server=(--suite "$suite")
  had=0
  rabbitmq start "$node" >/dev/null || had=$?
  if [ "$had" -eq 3 ]; then
    echo "Left out: nodes with the server of $suite. $(tail -n 1 "$scratch/said")"
    continue
  fi
  single
  clustered
done
