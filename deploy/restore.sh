#!/usr/bin/env bash
# Brings back what backup.sh has kept; what is there now is put aside, not lost.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<TEXT
usage: sudo $0 FILE

Stops the companion, brings games, calibration, boards and settings back from FILE, and starts it again. What was there
before is put aside in the data folder, in before-restore-DATE. Settings that name a path, a command or an address stay
those of this machine; the backup's are listed, for you to decide.

Options besides: --root, --systemctl and --python, as install.sh has them.
TEXT
}

main() {
    local file code=0
    read_options "$@"
    [ ${#rest[@]} -gt 0 ] || wrong_use "the file of a backup is needed"
    file=${rest[0]}
    rest=("${rest[@]:1}")
    no_more_options
    need_root
    need_python
    step "bringing games, calibration, boards and settings back from $file" || return 0
    run "$python" -I -B "$here/archive.py" check --root "$root/" "$file"
    quietly "$systemctl" stop companion || true # it may not be installed yet
    : >"$log"
    quietly "$python" -I -B "$here/archive.py" restore --root "$root/" "$file" || code=$?
    [ "$code" != 0 ] || cat "$log" # which settings were not taken over
    [ ! -e "$prefix/current/complete" ] || quietly "$systemctl" start companion || say "the companion did not start: journalctl -u companion says why"
    [ "$code" = 0 ] || fail
}

main "$@"
