#!/bin/sh
# Finds what a target needs on this machine, or installs it (Debian and kin, as root), or says how to get it.
#   scripts/provide.sh python    prints the path of a Python >= 3.11 that can make virtual environments
#   scripts/provide.sh compiler | node | chromium | redis | haproxy
set -eu

say() { printf '%s\n' "$*" >&2; }

# install "what it is" "Debian packages" "how on macOS": installs, or says what is missing and stops.
install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "Installing $1: $2"
        export DEBIAN_FRONTEND=noninteractive
        # Package lists may be absent or old: refresh them only if the first try fails.
        # shellcheck disable=SC2086
        apt-get install -qq -y --no-install-recommends $2 >/dev/null 2>&1 && return
        apt-get update -qq >&2
        # shellcheck disable=SC2086
        apt-get install -qq -y --no-install-recommends $2 >/dev/null
        return
    fi
    say "Missing: $1."
    say "  Debian, Ubuntu: sudo apt-get install $2"
    say "  macOS:          $3"
    exit 1
}

suitable_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] || continue
        "$candidate" -c 'import ensurepip, sys, venv; assert sys.version_info >= (3, 11)' >/dev/null 2>&1 || continue
        command -v "$candidate"
        return 0
    done
    return 1
}

has_headers() {
    "$(suitable_python)" -c 'import pathlib, sysconfig; (pathlib.Path(sysconfig.get_path("include")) / "Python.h").stat()' \
        >/dev/null 2>&1
}

case "${1:-}" in
python)
    suitable_python || {
        install "Python 3.11 or newer, with venv" "python3 python3-venv" "brew install python3"
        suitable_python || { say "Python here is older than 3.11: set PYTHON to a newer one."; exit 1; }
    }
    ;;
compiler)
    packages="gcc libc6-dev python3-dev"
    if ! has_headers; then
        install "Python's headers, to compile the solver" "$packages" "brew reinstall python3"
    elif ! { command -v cc || command -v gcc || command -v clang; } >/dev/null 2>&1; then
        # Not needed: the build then brings its own.
        (install "a C compiler" "$packages" "xcode-select --install") || say "Going on without a C compiler."
    fi
    ;;
node)
    { command -v node && command -v npm; } >/dev/null 2>&1 ||
        install "Node.js with npm (only checks types)" "nodejs npm" "brew install node"
    ;;
chromium)
    .venv/bin/python -m tests.chromium >/dev/null 2>&1 ||
        install "Chromium" "chromium fonts-dejavu-core" "brew install --cask chromium"
    ;;
redis)
    command -v redis-server >/dev/null 2>&1 ||
        install "Redis" "redis-server" "brew install redis"
    ;;
haproxy)
    { command -v haproxy || [ -x /usr/sbin/haproxy ]; } >/dev/null 2>&1 ||
        install "HAProxy (only tests its configuration)" "haproxy" "brew install haproxy"
    ;;
*)
    say "usage: scripts/provide.sh python|compiler|node|chromium|redis|haproxy"
    exit 2
    ;;
esac
