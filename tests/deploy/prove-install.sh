#!/usr/bin/env bash
# Proves without a Pi that install.sh works on one: in a fresh Debian of its kind (arm64), run by qemu.
#
# All of it happens in namespaces of its own, so that mounts and processes end with this script, however it ends.
set -euo pipefail
umask 022

usage() {
    cat <<TEXT
usage: sudo $0 [--suite bookworm|trixie] [--arch arm64|amd64] [--work FOLDER] [--afresh] [--keep]

Makes a fresh Debian, puts the last commit into it, runs deploy/install.sh there, starts the service by its unit as the
user that the installer has made, plays a move, measures memory, stops it, uninstalls, and writes what it found to
FOLDER/proof-SUITE-ARCH.txt. Takes about half an hour for arm64. With amd64 nothing is emulated, which tells how much of
the memory is qemu's.

  --suite NAME    the Debian to prove it on (bookworm)
  --arch NAME     the kind of processor (arm64)
  --work FOLDER   where the Debians are made (/var/tmp/companion-proof); the bare ones are kept there for the next time
  --afresh        make the bare Debian afresh as well
  --keep          keep the Debian with the companion in it, to look around

Needed: debootstrap, git, python3, and for arm64 qemu-user-static and a kernel with binfmt_misc. Where the network needs
certificates of its own, PIP_CERT names the file.
TEXT
}

say() { printf '%s\n' "$1"; }
die() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit "${2:-1}"
}
wrong_use() { die "$1 (see $(basename "$0") --help)" 2; }

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
suite=bookworm arch=arm64 work=/var/tmp/companion-proof afresh="" keep=""
given=("$@")
while [ $# -gt 0 ]; do
    case $1 in
    --suite | --arch | --work)
        [ $# -ge 2 ] || wrong_use "$1 needs a value"
        case $1 in
        --suite) suite=$2 ;;
        --arch) arch=$2 ;;
        --work) work=$(realpath -ms "$2") ;;
        esac
        shift 2
        ;;
    --afresh) afresh=yes && shift ;;
    --keep) keep=yes && shift ;;
    -h | --help) usage && exit 0 ;;
    *) wrong_use "'$1' is not known here" ;;
    esac
done
case $suite in bookworm | trixie) ;; *) wrong_use "expected bookworm or trixie, got '$suite'" ;; esac
case $arch in arm64 | amd64) ;; *) wrong_use "expected arm64 or amd64, got '$arch'" ;; esac

BINFMT=/proc/sys/fs/binfmt_misc
HANDLER=/usr/lib/binfmt.d/qemu-aarch64.conf
foreign=""
[ "$arch" = "$(dpkg --print-architecture 2>/dev/null)" ] || foreign=yes

check_tools() {
    local tool missing=()
    [ "$(id -u)" = 0 ] || die "it must be run as root: sudo $0"
    for tool in debootstrap git python3 unshare chroot tar; do command -v "$tool" >/dev/null || missing+=("$tool"); done
    [ -z "$foreign" ] || command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    [ ${#missing[@]} = 0 ] || die "${missing[*]} must be there: apt-get install ${missing[*]}"
    [ -z "$foreign" ] || [ "$arch" = arm64 ] || die "$arch cannot be emulated here: only arm64 can"
    git -C "$checkout" rev-parse --verify --quiet HEAD >/dev/null || die "$checkout is no checkout with a commit to prove"
}

# Let the kernel start arm64 programs by qemu, unless it does already; taken back at the end.
mounted="" registered=""
emulate() {
    if [ ! -e $BINFMT/register ]; then
        mount -t binfmt_misc binfmt_misc $BINFMT 2>/dev/null ||
            die "this kernel has no binfmt_misc, by which arm64 programs would be run"
        mounted=yes
    fi
    ! grep -qs '^enabled' $BINFMT/qemu-aarch64 || return 0
    [ -r $HANDLER ] || die "$HANDLER is not there: apt-get install qemu-user-static"
    cat $HANDLER >$BINFMT/register || die "this kernel does not let arm64 programs be run by qemu"
    registered=yes
}

inner=""
# shellcheck disable=SC2317 # the trap calls it
finish() {
    local first
    trap '' INT TERM
    if [ -n "$inner" ]; then
        read -r first <"/proc/$inner/task/$inner/children" || true
        kill -KILL "${first:-none}" 2>/dev/null || true # the first of its namespace, with which all others end
        wait "$inner" || true
    fi
    [ -z "$registered" ] || echo -1 >"$BINFMT/qemu-aarch64"
    [ -z "$mounted" ] || umount "$BINFMT"
    if [ -n "$keep" ]; then say "The Debian with the companion is in $root."; else rm -rf "$root"; fi
}

# Run a command; what it says goes to a file, and its last words are told when it fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null || die "$1 … did not work, see $log: $(grep -v '^[[:space:]]*$' "$log" | tail -n 1 | cut -c 1-200)"
}

# Run a command in the Debian, with nothing of this machine's environment but what its network needs.
inside() {
    local network=()
    [ -z "${PIP_CERT:-}" ] || network+=(PIP_CERT=/etc/proof.crt PIP_DEFAULT_TIMEOUT="${PIP_DEFAULT_TIMEOUT:-60}")
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        "${network[@]}" "$@"
}

make_bare() {
    local bare=$work/bare-$suite-$arch.tar
    [ -z "$afresh" ] || rm -f "$bare"
    rm -rf "$root"
    if [ -e "$bare" ]; then
        say "unpacking a bare Debian $suite for $arch"
        mkdir -p "$root"
        tar -C "$root" --numeric-owner -xpf "$bare"
        return
    fi
    say "making a bare Debian $suite for $arch, which may take ten minutes"
    quietly "$work/debootstrap-$suite-$arch.log" \
        debootstrap ${foreign:+--foreign} --arch="$arch" --variant=minbase "$suite" "$root"
    if [ -n "$foreign" ]; then
        quietly "$work/second-stage-$suite-$arch.log" chroot "$root" /debootstrap/debootstrap --second-stage
    fi
    rm -f "$root"/var/cache/apt/archives/*.deb
    tar -C "$root" --numeric-owner -cf "$bare.new" .
    mv "$bare.new" "$bare"
}

prepare() {
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    for device in null zero full random urandom tty; do cp -a "/dev/$device" "$root/dev/$device"; done
    ln -s /proc/self/fd "$root/dev/fd"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # nothing is started in here
    chmod 755 "$root/usr/sbin/policy-rc.d"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    [ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$root/etc/proof.crt"
    mkdir "$root/root/companion"
    git -C "$checkout" archive HEAD | tar -C "$root/root/companion" -xf -
}

megabytes() { du -xsm "$1" | cut -f 1; }

# Run install.sh, and again, which must find everything done.
install_twice() {
    local log=$work/install-$suite-$arch.log before=$SECONDS size
    size=$(megabytes "$root")
    say "running deploy/install.sh in it"
    quietly "$log" inside /root/companion/deploy/install.sh --systemctl true
    tell "installed in" "$((SECONDS - before)) s, $(($(megabytes "$root") - size)) MB with the system's packages, $(megabytes "$root/opt/companion") MB of them the release"
    before=$SECONDS
    quietly "$log.again" inside /root/companion/deploy/install.sh --systemctl true
    grep -q 'of these sources already' "$log.again" || die "run again, install.sh made another release: see $log.again"
    tell "run again in" "$((SECONDS - before)) s"
    tell "without" "$(sed -n 's/^going without //p' "$log")"
    tell "Python packages" "$(inside /opt/companion/current/venv/bin/python -c '
import importlib.metadata as m, platform
print(f"Python {platform.python_version()} {platform.machine()}", *(f"{n} {m.version(n)}" for n in
    ("numpy", "opencv-python-headless", "flask", "waitress", "pyserial", "gpiozero")), sep=", ")')"
    tell "core in C" "$(inside /opt/companion/current/venv/bin/python -c '
from companion import core
print("built" if core.load() else "not built, so that it searches in Python")')"
    tell "user" "$(inside id companion)"
}

tell() {
    [ -n "$2" ] || return 0
    printf '%-18s %s\n' "$1:" "$2" | tee -a "$report.new"
}

uninstall() {
    quietly "$work/uninstall-$suite-$arch.log" inside /root/companion/deploy/uninstall.sh --systemctl true --purge
    for left in opt/companion etc/companion var/lib/companion etc/systemd/system/companion.service usr/local/bin/companion; do
        [ ! -e "$root/$left" ] || die "uninstall.sh has left /$left"
    done
    ! inside id companion >/dev/null 2>&1 || die "uninstall.sh has left the user companion"
    tell "uninstalled" "nothing is left"
}

prove() {
    rm -f "$report.new"
    make_bare
    prepare
    tell "date" "$(date -u +%Y-%m-%d)"
    tell "commit" "$(git -C "$checkout" log -1 --format='%h %s')"
    tell "system" "Debian $(cat "$root/etc/debian_version") ($suite) $arch${foreign:+, run by $(qemu-aarch64-static --version | sed -n '1s/ (.*//p')} on $(nproc) processors"
    install_twice
    say "starting the service"
    python3 -I "$checkout/tests/deploy/prove_service.py" "$root" ${foreign:+--patience 20} >"$service" ||
        die "the service has not proved itself"
    tee -a "$report.new" <"$service"
    uninstall
    mv "$report.new" "$report"
    say "Proved: $report"
}

main() {
    local code=0
    check_tools
    mkdir -p "$work"
    exec 9>"$work/.lock"
    flock -n 9 || die "another proof is at work in $work: wait until it has ended"
    trap finish EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    [ -z "$foreign" ] || emulate
    COMPANION_PROOF_INSIDE=yes unshare --mount --pid --fork --kill-child --mount-proc "$0" "${given[@]}" 9>&- &
    inner=$!
    wait "$inner" || code=$?
    inner=""
    exit "$code"
}

root=$work/root-$suite-$arch report=$work/proof-$suite-$arch.txt service=$work/service-$suite-$arch.txt
if [ "${COMPANION_PROOF_INSIDE:-}" = yes ]; then prove; else main; fi; exit
