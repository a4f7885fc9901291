#!/usr/bin/env bash
# Keeps games, calibration, boards and settings in one file, also while the companion runs.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<TEXT
usage: sudo $0 [FILE]

Writes games, calibration, boards and settings to FILE (companion-DATE.tar.gz in the folder you are in), also while the
companion runs. Only its owner may read the file.

Options besides: --root and --python, as install.sh has them.
TEXT
}

main() {
    local file
    read_options "$@"
    file=${rest[0]:-companion-$(date +%Y%m%d-%H%M%S).tar.gz}
    rest=("${rest[@]:1}")
    no_more_options
    need_root
    need_python
    step "keeping games, calibration, boards and settings in $file" || return 0
    run "$python" -I -B "$here/archive.py" backup --root "$root/" "$file"
    cat "$log" # which boards were not kept
}

main "$@"
