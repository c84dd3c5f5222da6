#!/usr/bin/env bash
# Repairs what a machine can repair: formatting, and generated files that are committed (tests
# that compare them write them instead of failing when ANCRE_UPDATE=1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/env.sh
. scripts/env.sh

cargo fmt --all
bash scripts/build_ui.sh
# A test that has nothing to write may fail here for its own reason; `make test` will tell.
ANCRE_UPDATE=1 "$ANCRE_TOOLS/cargo-nextest" nextest run --workspace --no-fail-fast ||
  printf 'fix: some tests failed; generated files were written all the same\n'
# Last, as it formats the generated files too.
ui/node_modules/.bin/prettier --write --log-level warn ui
