#!/usr/bin/env bash
# Runs every check and every test, cheap ones first, and goes on after a failure. It ends with
# a table and, as its very last line, `N passed, N failed` over all of them; the exit code is 1
# when one failed. A check counts as one; a suite counts its tests, and one failure when it
# crashed or ran none. Logs are in target/checks/. `make test` sets up first.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=scripts/env.sh
. scripts/env.sh

LOGS=target/checks
mkdir -p "$LOGS"
rm -f "$LOGS"/*
TABLE="$LOGS/table"
PASSED=0
FAILED=0
BIN=node_modules/.bin
# The desk's tests with the real model, which its crate alone does not need.
REAL_MODEL=(--features ancre-desk/onnx)

main() {
  # The one tool without a wheel for every platform.
  if PATH="$ANCRE_TOOLS:$PATH" command -v shellcheck >/dev/null; then
    check "shell scripts" env PATH="$ANCRE_TOOLS:$PATH" shellcheck -x scripts/*.sh tests/desktop/*.sh .ci/run
  else
    absent "shell scripts" "shellcheck is not here"
  fi
  check "setup script tests" "$ANCRE_TOOLS/python" -m unittest discover -q -s scripts/tests
  check "rust format" cargo fmt --all --check
  check "rust licences and sources" "$ANCRE_TOOLS/cargo-deny" --locked check licenses bans sources
  # Advisories need a database that cannot be fetched offline: checked where one is.
  if [ -d "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs" ]; then
    check "rust advisories" "$ANCRE_TOOLS/cargo-deny" --locked check --disable-fetch advisories
  else
    absent "rust advisories" "no advisory database is on this machine"
  fi

  check "interface format" in_ui $BIN/prettier --check --log-level warn .
  check "interface types" in_ui $BIN/tsc --noEmit
  check "interface components" in_ui $BIN/svelte-check --fail-on-warnings --tsconfig ./tsconfig.json
  suite "interface tests" vitest vitest.json in_ui $BIN/vitest run \
    --reporter=default --reporter=json --outputFile.json="../$LOGS/vitest.json"
  # Before any Rust is built: the desktop program embeds it.
  check "interface build" bash scripts/build_ui.sh

  check "clippy" cargo clippy --locked --workspace --all-targets "${REAL_MODEL[@]}" -- -D warnings
  suite "rust tests" nextest "" "$ANCRE_TOOLS/cargo-nextest" nextest run --locked --workspace \
    "${REAL_MODEL[@]}" --no-fail-fast
  suite "rust doc tests" cargo-doc "" cargo test --locked --doc --workspace --no-fail-fast
  check "rust docs" env RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --workspace
  if [ -d ../shared/fixtures/retrieval ]; then
    check "retrieval figures" bash scripts/check_retrieval.sh
  else
    absent "retrieval figures" "the fixtures are not beside this clone"
  fi
  if is_there tests/desktop/run.sh; then
    suite "real window" node "" bash tests/desktop/run.sh
  fi

  printf '\n'
  cat "$TABLE"
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED" | tee "$LOGS/counts"
  [ "$FAILED" -eq 0 ]
}

# Whether a file is part of the project, though it may be missing from the folder.
is_there() { [ -e "$1" ] || git ls-files --error-unmatch "$1" >/dev/null 2>&1; }

in_ui() { (cd ui && "$@"); }

# check NAME COMMAND…: one passed or one failed.
check() {
  local name="$1"
  shift
  run "$name" "$@"
  if [ "$STATUS" -eq 0 ]; then record "$name" 1 0; else record "$name" 0 1; fi
}

# suite NAME RUNNER REPORT COMMAND…: as many as the runner says in REPORT (or, when that is
# empty, in what it printed).
suite() {
  local name="$1" runner="$2" report="$3" passed failed
  shift 3
  run "$name" "$@"
  report="${report:+$LOGS/$report}"
  read -r passed failed < <("$ANCRE_TOOLS/python" scripts/count_tests.py "$runner" "${report:-$LOG}")
  if [ "$STATUS" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  # The crates are not published, so there may be no example to run in their docs.
  if [ "$((passed + failed))" -eq 0 ] && [ "$runner" != cargo-doc ]; then
    printf '%s: ran no test\n' "$name"
    failed=1
  fi
  record "$name" "$passed" "$failed"
}

# run NAME COMMAND…: shows and logs the output; sets STATUS, LOG and SECONDS_TAKEN.
run() {
  local name="$1" started=$SECONDS
  shift
  LOG="$LOGS/${name// /-}.log"
  printf '\n== %s\n' "$name"
  "$@" </dev/null 2>&1 | tee "$LOG"
  STATUS=${PIPESTATUS[0]}
  SECONDS_TAKEN=$((SECONDS - started))
}

# absent NAME REASON: says in the table that something was not checked, and why.
absent() {
  printf '%-7s%-28s%s\n' "-" "$1" "not run: $2" >>"$TABLE"
}

# record NAME PASSED FAILED
record() {
  PASSED=$((PASSED + $2))
  FAILED=$((FAILED + $3))
  local mark=ok
  [ "$3" -eq 0 ] || mark=FAILED
  printf '%-7s%-28s%5d passed%5d failed%6d s\n' "$mark" "$1" "$2" "$3" "$SECONDS_TAKEN" >>"$TABLE"
}

main
