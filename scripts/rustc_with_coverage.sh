#!/usr/bin/env bash
# The RUSTC_WRAPPER of scripts/fuzz.sh: `rustc_with_coverage.sh RUSTC ARGUMENT…`. Gives our own
# crates the coverage that libFuzzer steers by, and leaves what they depend on as it is: counters
# in there cost minutes of building and lead the fuzzer away from our parsers.
set -euo pipefail

# Cargo says whose crate it has compiled; it says nothing when it only asks the compiler's version.
case "${CARGO_PKG_NAME:-}" in
ancre-*)
  exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares
  ;;
*) exec "$@" ;;
esac
