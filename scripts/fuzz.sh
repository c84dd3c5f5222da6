#!/usr/bin/env bash
# Fuzzes each reader of crates/extract for a while: `scripts/fuzz.sh [SECONDS] [TARGET…]`. Runs on the
# stable toolchain: libFuzzer with the compiler's coverage, without a sanitizer (the readers
# have no unsafe code). What breaks a reader is kept in fuzz/artifacts/ and belongs in a test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../fuzz"

SECONDS_EACH="${1:-30}"
shift || true
HOST="$(rustc --version --verbose | sed -n 's/^host: //p')"
COVERAGE="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
COVERAGE="$COVERAGE -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
COVERAGE="$COVERAGE -Cllvm-args=-sanitizer-coverage-pc-table --cfg fuzzing"

# With a target named, build scripts and macros are built without coverage.
RUSTFLAGS="$COVERAGE" cargo build --quiet --release --target "$HOST"
if [ $# -eq 0 ]; then
  set -- targets/*.rs
fi
failed=0
for target in "$@"; do
  target="$(basename "$target" .rs)"
  mkdir -p "corpus/$target" "artifacts/$target"
  printf '== %s\n' "$target"
  "target/$HOST/release/$target" "corpus/$target" -artifact_prefix="artifacts/$target/" \
    -max_total_time="$SECONDS_EACH" -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    2>&1 | tail -n 12 || failed=1
done
exit "$failed"
