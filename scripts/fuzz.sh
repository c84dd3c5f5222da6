#!/usr/bin/env bash
# Fuzzes each reader of crates/extract for a while: `scripts/fuzz.sh [SECONDS] [TARGET…]`. Runs on the
# stable toolchain: libFuzzer with the compiler's coverage of our own crates, without a sanitizer
# (the readers have no unsafe code). What breaks a reader is kept in fuzz/artifacts/, what it has
# already seen in fuzz/corpus/; the first belongs in a test. Building takes about five minutes of one
# core the first time, all 26 targets at half a minute 13 more; CI does neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../fuzz"

SECONDS_EACH="${1:-30}"
shift || true
HOST="$(rustc --version --verbose | sed -n 's/^host: //p')"
WRAPPER="$PWD/../scripts/rustc_with_coverage.sh"
DIGEST="$(cksum < "$WRAPPER")"

# With a platform named, build scripts and macros are built without coverage. Cargo does not see a
# wrapper change, so a mark that nothing reads tells it to build again.
RUSTC_WRAPPER="$WRAPPER" RUSTFLAGS="--cfg=coverage_${DIGEST%% *}" \
  cargo build --quiet --release --target "$HOST"
if [ $# -eq 0 ]; then
  set -- targets/*.rs
fi
broken=()
for target in "$@"; do
  target="$(basename "$target" .rs)"
  mkdir -p "corpus/$target" "artifacts/$target"
  printf '== %s\n' "$target"
  log="artifacts/$target.log"
  folders=("corpus/$target")
  # What a target must have seen to get anywhere; libFuzzer writes into the first folder only.
  if [ -d "seeds/$target" ]; then folders+=("seeds/$target"); fi
  "target/$HOST/release/$target" "${folders[@]}" -artifact_prefix="artifacts/$target/" \
    -max_total_time="$SECONDS_EACH" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
    -print_final_stats=1 > "$log" 2>&1 || broken+=("$target")
  grep -E 'Loaded .* counters' "$log" || true
  grep -E 'panicked at|ERROR|SUMMARY|DONE' "$log" | tail -n 4 || true
done
if [ ${#broken[@]} -gt 0 ]; then
  printf 'broken, see fuzz/artifacts/: %s\n' "${broken[*]}" >&2
  exit 1
fi
