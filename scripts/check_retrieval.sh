#!/usr/bin/env bash
# Holds the search against what it is to reach on the retrieval fixtures, which lie beside some
# clones and not beside others: where they are not, this says so and checks nothing. nDCG@10 and
# recall@6 of each language must be reached in the default mode, which must also be above both of its
# halves in each. The documents are indexed once for all modes. It takes some minutes of both cores.
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
target/debug/ancre eval retrieval --json --mode hybrid,vector,text \
  --corpus "$FIXTURES/corpus.jsonl" --queries "$FIXTURES/queries.jsonl" \
  --qrels "$FIXTURES/qrels.tsv" >"$report"
"$ANCRE_TOOLS/python" - "$report" <<'PYTHON'
import json, sys

TO_REACH = {"fr": (0.805, 0.905), "en": (0.850, 0.848)}
by_mode = {report["mode"]: report["languages"] for report in json.load(open(sys.argv[1]))}
is_reached = True


def check(said, holds):
    global is_reached
    is_reached = is_reached and holds
    print(f"{said}: {'ok' if holds else 'TOO LOW'}")


for language, to_reach in TO_REACH.items():
    for name, least in zip(("ndcgAt10", "recallAt6"), to_reach):
        found = by_mode["hybrid"][language][name]
        check(f"{language}: {name} {found:.3f}, to reach {least:.3f}", found >= least)
        for half in ("vector", "text"):
            alone = by_mode[half][language][name]
            check(f"{language}: {name} {found:.3f}, {half} alone {alone:.3f}", found > alone)
sys.exit(0 if is_reached else 1)
PYTHON
