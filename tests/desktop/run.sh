#!/usr/bin/env bash
# Drives the real window: the built program under Xvfb, through WebKitWebDriver (Debian's
# `webkit2gtk-driver`). Builds nothing; `make test` has built the program before. On systems
# without WebKitGTK there is nothing to drive, and it says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "$(uname -s)" != Linux ]; then
  echo "The window is driven with WebKitWebDriver, which exists on Linux only."
  exit 0
fi
for program in Xvfb WebKitWebDriver; do
  if ! command -v "$program" >/dev/null; then
    echo "error: $program is missing; run make setup, which installs it." >&2
    exit 1
  fi
done

# Xvfb picks a free display itself and writes its number once it listens.
display_file=$(mktemp)
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$display_file" >/dev/null 2>&1 &
xvfb=$!
trap 'kill "$xvfb" 2>/dev/null || true; rm -f "$display_file"' EXIT
for _ in $(seq 100); do
  [ -s "$display_file" ] && break
  sleep 0.1
done
if ! [ -s "$display_file" ]; then
  echo "error: Xvfb did not start." >&2
  exit 1
fi

DISPLAY=":$(cat "$display_file")"
export DISPLAY
node --test --test-reporter=spec --test-concurrency=1 tests/desktop/*.test.mjs
