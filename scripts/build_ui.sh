#!/usr/bin/env bash
# Builds the interface into ui/dist, which the desktop program embeds, when a file of ui/ has
# changed since the last build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/env.sh
. scripts/env.sh

stamp=ui/node_modules/.ancre-built
# The names and contents of all files of ui/ that git would keep, new ones included.
existing_files() {
  git ls-files --cached --others --exclude-standard ui | while IFS= read -r file; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
  done
}
inputs="$({ existing_files && existing_files | git hash-object --stdin-paths; } | git hash-object --stdin)"
if [ -e ui/dist/index.html ] && [ "$(cat "$stamp" 2>/dev/null)" = "$inputs" ]; then
  exit 0
fi
npm run build --prefix ui
printf '%s\n' "$inputs" >"$stamp"
