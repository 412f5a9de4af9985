# Shared by the scripts beside it, which set $self to their own resolved path, `set -eu`, and source this file: where the
# repository is, which Python to use, and how the virtual environment .venv with the engine comes into being.

root=${self%/scripts/*}
venv=$root/.venv
place="$root TURKENGINE_NATIVE=${TURKENGINE_NATIVE-} TURKENGINE_GAMES=${TURKENGINE_GAMES-}"

# Prints what the installed engine was made from: names and checksums, so that a changed, new or deleted file shows
# whatever its date says. The folder counts too, because a virtual environment cannot be moved.
sources() (
    cd "$root"
    echo "$place"
    find turkengine scripts/build pyproject.toml setup.py -name __pycache__ -prune -o -type f \
        ! -name '*.c' ! -name '*.so' ! -name '_*.pyx' ! -name '_*.h' -exec cksum {} + | LC_ALL=C sort
)

# is_made STAMP: the install that wrote this stamp was complete, and was made from the sources as they are now.
#
# Reading all sources would be a good part of a start. So where they have been found unchanged, the moment before that is
# kept as the date of a file, and the next time only what the system has touched since counts. That is the date of change
# (ctime), which nobody can set: not a checkout, not an archive with old dates. What is deleted or moved touches its
# folder. Where that cannot be asked, all is read.
is_made() {
    [ -x "$venv/bin/python" ] && [ -r "$1" ] || return 1
    if [ -e "$1-seen" ] && read -r made_in <"$1" && [ "$made_in" = "$place" ] &&
        [ -z "$(cd "$root" && find turkengine scripts/build pyproject.toml setup.py -cnewer "$1-seen" 2>&1)" ]; then
        return
    fi
    moment=$venv/moment-$$
    { true >"$moment"; } 2>/dev/null || moment= # somebody else's folder
    if [ "$(cat "$1")" = "$(sources)" ]; then
        [ -z "$moment" ] || mv -f "$moment" "$1-seen"
    else
        rm -f ${moment:+"$moment"}
        return 1
    fi
}

# meanwhile WORDS: says on standard error what is waited for, and every ten seconds how long: at once on a terminal, else
# after two seconds, since many a program reads that stream too. `enough` ends it. Nothing of it keeps a pipe or the lock.
meanwhile() {
    (
        exec 9>&-
        seconds=0
        [ -t 2 ] || { nap 2 && seconds=2; }
        while kill -0 $$ 2>/dev/null; do
            echo "${self##*/}: $1$([ $seconds -lt 10 ] || echo " ($seconds s so far)")" >&2
            nap $((10 - seconds % 10)) && seconds=$((seconds + 10 - seconds % 10))
        done
    ) &
    talking=$!
}

nap() {
    sleep "$1" </dev/null >/dev/null 2>&1
}

enough() {
    kill "$talking" 2>/dev/null || :
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
        if ! "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null; then
            meanwhile "waits for another start, which is installing into $venv"
            trap enough EXIT
            "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
            enough
        fi
        is_made "$stamp" && exit # by another start, while this one waited
        meanwhile "installs into $venv, which takes a minute or two"
        trap enough EXIT
        rm -f "$venv"/made-from*
        made_from=$(sources)
        make_venv "$venv"
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check "$root${1:+[$1]}"
        echo "$made_from" >"$venv/made-from"
        echo "$made_from" >"$stamp"
    ) 9>"$root/.venv.lock" >&2
}
