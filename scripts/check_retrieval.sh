#!/usr/bin/env bash
# Holds the search against what it is to reach on the retrieval fixtures, which lie beside some
# clones and not beside others: where they are not, this says so and checks nothing. nDCG@10 and
# recall@6 of each language must be reached in the default mode. It takes some minutes of both cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/env.sh
. scripts/env.sh

FIXTURES=../shared/fixtures/retrieval
if ! [ -d "$FIXTURES" ]; then
  echo "not run: there are no retrieval fixtures beside this clone"
  exit 0
fi

report=target/checks/retrieval.json
mkdir -p "$(dirname "$report")"
cargo build --locked -q --workspace --bins
target/debug/ancre eval retrieval --json \
  --corpus "$FIXTURES/corpus.jsonl" --queries "$FIXTURES/queries.jsonl" \
  --qrels "$FIXTURES/qrels.tsv" >"$report"
"$ANCRE_TOOLS/python" - "$report" <<'PYTHON'
import json, sys

TO_REACH = {"fr": (0.805, 0.905), "en": (0.850, 0.848)}
languages = json.load(open(sys.argv[1]))["languages"]
is_reached = True
for language, to_reach in TO_REACH.items():
    for name, least in zip(("ndcgAt10", "recallAt6"), to_reach):
        found = languages[language][name]
        is_reached = is_reached and found >= least
        print(f"{language}: {name} {found:.3f}, to reach {least:.3f}: {'ok' if found >= least else 'TOO LOW'}")
sys.exit(0 if is_reached else 1)
PYTHON
