# What the scripts beside this one share; sourced, not run.
#
# Every script works the same way: steps are told in a line each; what the commands say goes to a log; what goes wrong
# ends in one sentence, and in a state from which the same command can be run again. A release is made beside the others
# and counts only when the file `complete` is in it; the link `current` is switched last, and at once.
# shellcheck shell=bash disable=SC2034  # many names here are used by those who source this

set -euo pipefail
umask 022

me=$(basename "$0")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root="" dry="" systemctl="systemctl" python="python3" wheels="" libraries="" source_folder="" health_seconds=60
user=companion
doing="starting" told="" child="" log="" work="" building="" going_back_to=""

say() { printf '%s\n' "$1"; }

die() {
    trap - INT TERM HUP
    told=yes
    printf '%s: %s\n' "$me" "$1" >&2
    exit "${2:-1}"
}

wrong_use() { die "$1 (see $me --help)" 2; }

# Tell a step; false in a dry run, so that `step "…" || return 0` leaves it at that.
step() {
    doing=$1
    if [ -n "$dry" ]; then
        say "would be ${1}"
        return 1
    fi
    say "$1"
}

# Run a command quietly, in a way that a signal to this script ends at once; what it says goes to the log.
quietly() {
    local code=0
    "$@" >>"$log" 2>&1 9>&- </dev/null &
    child=$!
    wait "$child" || code=$?
    child=""
    return "$code"
}

run() { quietly "$@" || fail; }

# End with one sentence made of what the last command said.
fail() {
    local why
    if grep -qiE 'no space left on device|disk quota exceeded|wrote only [0-9]+ of' "$log" || { [ ! -s "$log" ] && is_full; }; then
        why="the disk is full: make room"
    elif grep -qi 'read-only file system' "$log"; then
        why="the disk is read-only: make it writable (on a Pi, switch the overlay file system off in raspi-config)"
    elif grep -qiE 'name resolution|temporary failure|could not resolve|network is unreachable|connection (timed out|refused)|newconnectionerror|no matching distribution|failed to fetch|unable to locate package|no installation candidate' "$log"; then
        why="the packages cannot be fetched: check that this machine is online"
    else
        why=$(grep -v '^[[:space:]]*$' "$log" | tail -n 1 | cut -c 1-300)
        why=${why:-"a command failed without a word"}
    fi
    die "$doing did not work, $why; then run the same command again"
}

# Tell whether nothing can be written any more, not even to the log.
is_full() { ! { printf '%1024s' "" >"$log"; } 2>/dev/null || { [ -d "$prefix" ] && [ "$(free_mb "$prefix")" -lt 1 ]; }; }

free_mb() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

cleanup() {
    local code=$?
    [ -z "$child" ] || kill "$child" 2>/dev/null || true
    if [ -n "$going_back_to" ]; then # interrupted before the new release had answered
        ln -sfn "releases/$(basename "$going_back_to")" "$prefix/current"
        rm -rf "$release"
        "$systemctl" restart companion >/dev/null 2>&1 9>&- || true
    fi
    [ -z "$building" ] || rm -rf "$building"
    [ -z "$work" ] || rm -rf "$work"
    if [ "$code" != 0 ] && [ -z "$told" ]; then
        printf '%s: %s did not work; run the same command again\n' "$me" "$doing" >&2
    fi
    [ -z "$log" ] || rm -f "$log"
}

interrupted() { die "interrupted while $doing; the companion is as it was, run the same command again" "$1"; }

# Read the options that all scripts have; the others are left in the array `rest`.
rest=()
read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --root | --systemctl | --python | --wheels | --libraries | --from | --health-seconds)
            [ $# -ge 2 ] || wrong_use "$1 needs a value"
            case $1 in
            --root) root=$(realpath -ms "$2") ;;
            --systemctl) systemctl=$2 ;;
            --python) python=$2 ;;
            --wheels) wheels=$(realpath -ms "$2") ;;
            --libraries) libraries=$(realpath -ms "$2") ;;
            --from) source_folder=$(realpath -ms "$2") ;;
            --health-seconds) health_seconds=$2 ;;
            esac
            shift 2
            ;;
        --dry-run) dry=yes && shift ;;
        -h | --help) usage && exit 0 ;;
        *) rest+=("$1") && shift ;;
        esac
    done
    [[ $health_seconds =~ ^[0-9]+$ ]] || wrong_use "expected a number of seconds, got '$health_seconds'"
    [ "$root" != / ] || root=""
    [ -z "$root" ] || [ "$systemctl" != systemctl ] || systemctl=true # a folder has no services
    source_folder=${source_folder:-$(dirname "$here")}
    prefix=$root/opt/companion etc=$root/etc/companion data=$root/var/lib/companion
    trap cleanup EXIT
    trap 'interrupted 130' INT
    trap 'interrupted 143' TERM
    trap 'interrupted 129' HUP
    log=$(mktemp 2>/dev/null || mktemp -p /dev/shm 2>/dev/null || mktemp -p /run 2>/dev/null) ||
        die "there is nowhere to write: make room in /tmp, then run the same command again"
}

no_more_options() { [ ${#rest[@]} = 0 ] || wrong_use "'${rest[0]}' is not known here"; }

need_root() {
    [ -n "$root$dry" ] || [ "$(id -u)" = 0 ] || die "it must be run as root: sudo $0"
}

need_python() {
    local version
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2]); sys.exit(sys.version_info < (3, 11))' 2>/dev/null) ||
        die "the companion needs Python 3.11 or newer, and $python is ${version:-not there}: use Raspberry Pi OS bookworm or newer"
}

need_install() {
    [ -e "$prefix/current/complete" ] || die "there is no companion in $prefix: run install.sh first"
}

need_space() {
    local folder=$prefix free needed=${COMPANION_NEEDS_MB:-600}
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    free=$(free_mb "$folder")
    [ "$free" -ge "$needed" ] || die "the disk is nearly full: $needed MB are needed in $folder and $free MB are free; make room, then run the same command again"
}

# See before anything is made that the page's port can be had; a companion that runs holds it itself.
need_port() {
    local settings=$etc/companion.toml
    [ -z "$dry" ] || return 0
    case $("$systemctl" is-active companion 2>/dev/null 9>&-) in inactive | failed | unknown) ;; *) return 0 ;; esac
    doing="looking at the port of the page"
    [ -e "$settings" ] || place "$source_folder/deploy/companion.toml" "$settings" # where another can be chosen
    run "$python" -I "$source_folder/deploy/health.py" --config "$settings" --free
}

# Take the prefix for this script alone, and remove what an interrupted one has left.
take_prefix() {
    local release
    step "preparing $prefix" || return 0
    run mkdir -p "$prefix/releases"
    run touch "$prefix/.lock"
    exec 9<"$prefix/.lock"
    flock -n 9 || die "another install or update is at work in $prefix: wait until it has ended"
    for release in "$prefix"/releases/*; do
        [ ! -d "$release" ] || [ -e "$release/complete" ] || run rm -rf "$release"
    done
    run rm -rf "$prefix"/.work-* "$prefix"/*.new
    work=$(mktemp -d "$prefix/.work-XXXXXX" 2>>"$log") || fail
    export TMPDIR=$work # /tmp may be a small one in memory
}

SOURCES=(companion firmware deploy pyproject.toml setup.py MANIFEST.in README.md LICENSE)

# Print a number that is the same for the same sources.
digest() {
    (cd "$1" && find "${SOURCES[@]}" -type f ! -path '*/__pycache__/*' ! -name '*.so' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)
}

# Make a release of the sources, named in `release`; the current one is kept when it is of the same sources.
release="" port=""
build_release() {
    local version stamp number=1 wanted
    version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$source_folder/companion/__init__.py" 2>/dev/null) || true
    [[ $version =~ ^[0-9A-Za-z.+-]+$ ]] || die "there are no sources of the companion in $source_folder: name their folder with --from"
    step "making a release of version $version, which may take some minutes" || return 0
    wanted=$(digest "$source_folder") || fail
    if [ "$(cat "$prefix/current/complete" 2>/dev/null)" = "$wanted" ] && works "$prefix/current"; then
        release=$(readlink -f "$prefix/current")
        say "the release $(basename "$release") is of these sources already"
        return 0
    fi
    need_space
    stamp=$version-$(date +%Y%m%d-%H%M%S)
    release=$prefix/releases/$stamp
    while [ -e "$release" ]; do number=$((number + 1)) release=$prefix/releases/$stamp-$number; done
    building=$release
    run mkdir "$release" "$work/source"
    run tar -C "$source_folder" --exclude=__pycache__ --exclude='*.so' -cf "$work/source.tar" "${SOURCES[@]}"
    run tar -C "$work/source" --no-same-owner -xf "$work/source.tar"
    run cp -r "$work/source/deploy" "$release/deploy"
    get_compiler
    make_environment
    works "$release" || fail
    printf '%s\n' "$wanted" 2>>"$log" >"$release/complete" || fail
    run sync "$release/complete"
    building=""
}

works() { quietly "$1/venv/bin/python" -I -c 'import companion.commands.play'; }

is_there() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

COMPILER=(gcc libc6-dev)

# Get what the part in C is built with; without it the companion searches more slowly, and plays all the same.
get_compiler() {
    local install=(apt-get install -y --no-install-recommends "${COMPILER[@]}")
    [ -z "$root$libraries" ] || return 0
    ! { is_there gcc && is_there libc6-dev; } || return 0
    quietly "${install[@]}" || { quietly apt-get update && quietly "${install[@]}"; } ||
        say "going without ${COMPILER[*]}: the companion plays all the same, but thinks more slowly"
    : >"$log"
}

make_environment() {
    local venv=$release/venv options=(--quiet --disable-pip-version-check --no-input --no-cache-dir)
    if [ -n "$libraries" ]; then
        run "$python" -m venv --system-site-packages --without-pip "$venv"
        printf '%s\n' "$libraries" >"$(echo "$venv"/lib/python3*/site-packages)/libraries.pth"
        options+=(--no-index --no-deps --no-build-isolation)
    else
        run "$python" -m venv --system-site-packages "$venv"
        if quietly "$venv/bin/python" -c 'import picamera2, numpy, sys; sys.exit(not numpy.__version__.startswith("1."))'; then
            options+=(--constraint "$work/source/deploy/bookworm.txt")
        fi
        [ -z "$wheels" ] || options+=(--no-index --find-links "$wheels")
    fi
    run "$venv/bin/python" -m pip install "${options[@]}" "$work/source"
}

# Make a link point to something at once: whoever looks sees the old or the new.
point() {
    run ln -sfn "$2" "$1.new"
    run mv -T "$1.new" "$1"
}

switch_to() { point "$prefix/current" "releases/$(basename "$1")"; }

place() {
    run mkdir -p "$(dirname "$2")"
    run cp "$1" "$2.new"
    run chmod 644 "$2.new"
    run mv "$2.new" "$2"
}

# Put the files of a release where the system looks for them.
place_files() {
    local from=$1/deploy
    step "putting unit, device names and network name in place" || return 0
    run mkdir -p "$etc/boards" "$data" "$root/usr/local/bin"
    [ -e "$etc/companion.toml" ] || place "$from/companion.toml" "$etc/companion.toml"
    place "$from/companion.service" "$root/etc/systemd/system/companion.service"
    place "$from/70-companion.rules" "$root/etc/udev/rules.d/70-companion.rules"
    port=$("$1/venv/bin/python" -I "$from/health.py" --config "$etc/companion.toml" --port 2>>"$log") || fail
    sed "s|<port>[0-9]*</port>|<port>$port</port>|" "$from/avahi.service" >"$work/avahi.service" 2>>"$log" || fail
    place "$work/avahi.service" "$root/etc/avahi/services/companion.service"
    point "$root/usr/local/bin/companion" /opt/companion/current/venv/bin/companion
    quietly "$systemctl" daemon-reload || fail
    [ -n "$root" ] || quietly udevadm control --reload || true
    [ -n "$root" ] || quietly udevadm trigger --subsystem-match=tty || true
}

# Start the current release and wait some seconds until it answers; the last line of the log says why it does not.
healthy() {
    quietly "$systemctl" restart companion || return 1
    [ "$systemctl" != true ] || return 0 # nothing runs in a folder
    quietly "$prefix/current/venv/bin/python" -I "$prefix/current/deploy/health.py" --config "$etc/companion.toml" --seconds "$1"
}

# Tell which devices it misses, and what to do about each; none of that is a reason to go back.
say_troubles() {
    [ "$systemctl" != true ] || return 0
    "$prefix/current/venv/bin/python" -I "$prefix/current/deploy/health.py" --config "$etc/companion.toml" --troubles 2>>"$log" || true
}

# Print the last thing that the service has said, else the last of the log.
last_words() {
    local said=""
    [ "$systemctl" != systemctl ] || said=$(journalctl -u companion -t python -o cat --no-pager -n 1 2>/dev/null) || true
    [ -n "$said" ] || said=$(grep -v '^[[:space:]]*$' "$log" | tail -n 1) || true
    printf '%s' "$said" | tail -n 1 | cut -c 1-200
}

# Print the release to go back to: the last one that has answered and is not the new one.
proved_release() {
    local each
    for each in current previous; do
        if [ -e "$prefix/$each/answered" ] && [ "$(readlink -f "$prefix/$each")" != "$release" ]; then
            readlink -f "$prefix/$each"
            return 0
        fi
    done
}

# Switch to the release and start it; the old one is back when the new one does not answer.
activate() {
    local old="" why
    step "starting the new release and asking it how it is, for at most $health_seconds s" || return 0
    old=$(proved_release)
    place_files "$release"
    doing="starting the new release"
    [ -z "$old" ] || point "$prefix/previous" "releases/$(basename "$old")"
    going_back_to=$old
    switch_to "$release"
    if healthy "$health_seconds"; then
        going_back_to=""
        run touch "$release/answered"
        remove_old_releases
        say_troubles
        return 0
    fi
    why=$(last_words)
    [ -n "$old" ] ||
        die "the companion is installed but does not answer (${why:-no reason given}): journalctl -u companion says why; then run the same command again"
    doing="going back to the release before"
    going_back_to=""
    switch_to "$old"
    building=$release
    place_files "$old"
    healthy 120 || die "neither the new release nor the one before answers (${why:-no reason given}): journalctl -u companion says why"
    die "the new release did not answer (${why:-no reason given}), so the one before, $(basename "$old"), is back and answers"
}

remove_old_releases() {
    local each
    for each in "$prefix"/releases/*; do
        case $each in
        "$(readlink -f "$prefix/current")" | "$(readlink -f "$prefix/previous" 2>/dev/null)") ;;
        *) run rm -rf "$each" ;;
        esac
    done
}
