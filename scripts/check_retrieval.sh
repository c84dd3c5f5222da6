#!/usr/bin/env bash
# Compares vector search with the published figures of the retrieval fixtures, which lie beside
# some clones and not beside others: where they are not, this says so and checks nothing. nDCG@10
# of each language must be within 0.01 of the figure. It takes some minutes of both cores.
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

PUBLISHED = {"fr": 0.775, "en": 0.838}
languages = json.load(open(sys.argv[1]))["languages"]
is_near = True
for language, published in PUBLISHED.items():
    found = languages[language]["ndcgAt10"]
    near = abs(found - published) <= 0.01
    is_near = is_near and near
    print(f"{language}: nDCG@10 {found:.3f}, published {published:.3f}: {'near' if near else 'TOO FAR'}")
sys.exit(0 if is_near else 1)
PYTHON
