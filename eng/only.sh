# For test.sh, which sources it: the inner loop.

# run_only <name>...: builds, without analyzers, the tests that a change to a project, or to a folder of src/Wire, can break, and runs them.
run_only() {
  local rows=() projects=() row name project words known
  for name in "$@"; do
    known=${#rows[@]}
    mapfile -t -O "$known" rows < <(rows_of "$name")
    [ "${#rows[@]}" -gt "$known" ] || { echo "There is no $name: a project of src or tests, a folder of src/Wire or src/Wire.Inspection, or" \
      "$(sed '/^#/d' eng/only.tsv | cut -f 1 | sort -u | paste -sd ' ')." >&2; return 2; }
  done

  mapfile -t projects < <(printf '%s\n' "${rows[@]}" | cut -f 2 | sort -u)
  if printf '%s.Tests\n' "${brokered[@]}" | grep -qxF -f <(printf '%s\n' "${projects[@]}"); then
    part broker start_broker
  else
    : >"$results/broker.env"
    : >"$results/broker.seconds"
  fi
  if [[ " ${projects[*]} " == *" Wire.RabbitMQ.Outbox.Tests "* ]]; then part postgres start_postgres; fi
  part build each_of "${projects[@]}"
  [ "$(totals "$results/build.totals")" = "0 0" ] || return 1
  for row in "${rows[@]}"; do
    # Two names may have tests of one project: each is a part of its own.
    IFS=$'\t' read -r name project words <<<"$row"
    part "$name.$project" with_broker compute "$project" "$usual$(filter_of "$words")" "$name.$project"
  done
}

# rows_of <name>: its lines of only.tsv; where it has none, the tests of the project of that name.
rows_of() {
  local own=${1%.Tests}
  awk -F '\t' -v name="$1" '$1 == name { print; found = 1 } END { exit !found }' eng/only.tsv ||
    if [ -d "tests/$own.Tests" ]; then printf '%s\t%s\t\n' "$own" "$own.Tests"; fi
}

# filter_of <words>: the words as a filter of tests.
filter_of() {
  local word some=() none=
  for word in $1; do
    if [[ $word == -* ]]; then none+="&FullyQualifiedName!~${word#-}"; else some+=("FullyQualifiedName~$word"); fi
  done
  if [ "${#some[@]}" -gt 0 ]; then printf '&(%s)' "$(IFS='|'; echo "${some[*]}")"; fi
  printf '%s' "$none"
}

each_of() {
  local project
  for project in "$@"; do build "tests/$project" -p:RunAnalyzers=false || return; done
}
