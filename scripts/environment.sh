# Sourced by the other scripts, from the top of the checkout.
# prepare FILE: makes .venv with what the requirements FILE pins and this checkout installed in it.
# Does nothing, and needs no network, when that was done before.

fail() {
    echo "dicetray: $*" >&2
    exit 2
}

prepare() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null || fail "expected Python 3.11 or later, found none; apt-get install python3 python3-venv"
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "expected Python 3.11 or later, found $version"
    sum=$(cat requirements/base.txt "$1" pyproject.toml scripts/environment.sh | cksum)
    stamp="$version $PWD $sum"
    mark=.venv/$(basename "$1").installed
    if [ -f "$mark" ] && [ "$(cat "$mark")" = "$stamp" ]; then
        return
    fi
    [ -w . ] && { [ ! -e .venv ] || [ -w .venv ]; } ||
        fail "$PWD cannot be written, and packages have to go into .venv there: copy the folder to a place of your own"
    echo "setting up .venv (once, takes some minutes) ..." >&2
    if [ ! -x .venv/bin/python ] || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        rm -rf .venv
        "$python" -m venv .venv || {
            rm -rf .venv
            fail "python -m venv failed; apt-get install python3-venv"
        }
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement "$1" ||
        fail "the packages in $1 could not be installed; is there a network?"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
        --no-deps --no-build-isolation --editable . || fail "dicetray itself could not be installed"
    echo "$stamp" >"$mark"
}
