# shellcheck shell=bash
# Where things are, for every script and make target: source it, it only sets variables.
# Tools that setup.sh fetched stand in a cache outside the clone and come first on PATH when
# the machine's own are missing or too old. Nothing is installed here.

ANCRE_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
ANCRE_CACHE="${ANCRE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ancre}"
REQUIREMENTS="$ANCRE_ROOT/scripts/requirements"
NODE_NEEDED=20.19.0
export ANCRE_CACHE

if [ "${CI:-}" = true ]; then
  export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 NO_COLOR=1
fi

# say TEXT: one line of progress.  fail TEXT: what went wrong and what to do, then stop.
say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# is_at_least VERSION NEEDED
is_at_least() {
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# hash_of_files FILE…: one short name for the contents of all of them.
hash_of_files() { cat "$@" | git hash-object --stdin | cut -c 1-16; }

# Folders in the cache are named by what they are made from, so they are never changed.
if command -v python3 >/dev/null && command -v git >/dev/null; then
  ANCRE_PYTHON="$ANCRE_CACHE/python-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
  ANCRE_PYTHON="$ANCRE_PYTHON-$(hash_of_files "$REQUIREMENTS/converter.txt" "$REQUIREMENTS/tools.txt")"
  ANCRE_NODE="$ANCRE_CACHE/node-$(hash_of_files "$REQUIREMENTS/node.txt")"
  # Used by the checks by their path, so that a globally installed version plays no part.
  export ANCRE_TOOLS="$ANCRE_PYTHON/bin"
fi

PATH="$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
if [ -n "${ANCRE_NODE:-}" ] && [ -x "$ANCRE_NODE/bin/node" ] &&
  ! is_at_least "$(node --version 2>/dev/null | tr -d v)" "$NODE_NEEDED"; then
  PATH="$ANCRE_NODE/bin:$PATH"
fi
export PATH
