#!/usr/bin/env bash
# Repairs what a machine can repair: formatting, and the generated files that are committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/env.sh
. scripts/env.sh

cargo fmt --all
# The test that compares the generated files writes them instead when it is asked to.
ANCRE_UPDATE=1 cargo test -q -p ancre-app --test typescript
(cd ui && node_modules/.bin/prettier --write --log-level warn .)
