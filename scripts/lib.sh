# Shared by the scripts beside it, which set $self to their own resolved path, `set -eu`, and source this file: where the
# repository is, which Python to use, and how the virtual environment .venv with the engine comes into being.

root=${self%/scripts/*}
venv=$root/.venv

# Prints what the installed engine was made from: names and checksums, so that a changed, new or deleted file shows
# whatever its date says. The folder counts too, because a virtual environment cannot be moved.
sources() (
    cd "$root"
    echo "$root TURKENGINE_NATIVE=${TURKENGINE_NATIVE-} TURKENGINE_GAMES=${TURKENGINE_GAMES-}"
    find turkengine scripts/build pyproject.toml setup.py -name __pycache__ -prune -o -type f \
        ! -name '*.c' ! -name '*.so' ! -name '_*.pyx' ! -name '_*.h' -exec cksum {} + | LC_ALL=C sort
)

# is_made STAMP: the install that wrote this stamp was complete, and was made from the sources as they are now.
is_made() {
    [ -x "$venv/bin/python" ] && [ -r "$1" ] && [ "$(cat "$1")" = "$(sources)" ]
}

# Prints the command of a Python that can build the engine: $PYTHON, else the user's default one, else the newest.
find_python() {
    if [ -n "${PYTHON-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for candidate; do
        if "$candidate" -c '
import ensurepip, os, sys, sysconfig, venv
headers = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 11) or not os.path.exists(headers))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "${self##*/}: needs Python 3.11 or newer with its venv module and C headers (on Debian: python3-venv" \
        "python3-dev); PYTHON=/path/to/python chooses one" >&2
    return 1
}

# make_venv FOLDER: an empty virtual environment there, unless there is a working one that was made there.
make_venv() {
    if ! [ -x "$1/bin/python" ] || [ "$(cat "$1/made-in" 2>/dev/null)" != "$1" ]; then
        "$python" -m venv --clear "$1"
        echo "$1" >"$1/made-in"
    fi
}

# install [EXTRA]: .venv holds the engine as its sources are now, and the packages of that extra of pyproject.toml.
#
# Not an editable install: an engine that a GUI or a tournament uses must not change with every half-saved file, and
# the tests should see what users get. The stamp is removed first and written last, so that an install that failed or
# was interrupted is made again. The lock belongs to the open file 9 and goes with the last process that holds it, so
# it cannot be left behind; Python takes it because not every system has a flock command.
install() {
    stamp=$venv/made-from${1:+-$1}
    is_made "$stamp" && return
    python=$(find_python)
    (
        "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
        is_made "$stamp" && exit # by another start, while this one waited
        rm -f "$venv"/made-from*
        made_from=$(sources)
        make_venv "$venv"
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$root${1:+[$1]}"
        echo "$made_from" >"$venv/made-from"
        echo "$made_from" >"$stamp"
    ) 9>"$root/.venv.lock" >&2
}
