#!/usr/bin/env bash
# Installs the sources around this script beside the running release, switches, and goes back if the new one is ill.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<TEXT
usage: sudo $0 [--dry-run] [--from FOLDER] [--health-seconds N]

Makes a release of new sources beside the one in use, keeps a backup of games and calibration, switches to the new one
and asks it how it is. If it does not answer well within N seconds (60), the one before is back by itself.

Options besides: --wheels, --python, --root, --systemctl and --libraries, as install.sh has them.
TEXT
}

keep_backup() {
    step "keeping a backup of games and calibration" || return 0
    run "$prefix/current/venv/bin/python" -I -B "$here/archive.py" backup --root "$root/" "$prefix/before-update.tar.gz"
}

main() {
    read_options "$@"
    no_more_options
    need_root
    need_python
    need_install
    need_port
    take_prefix
    build_release
    if [ -z "$dry" ] && [ "$release" = "$(readlink -f "$prefix/current")" ] && [ -e "$release/answered" ]; then
        return 0
    fi
    keep_backup
    activate
    [ -n "$dry" ] || say "The companion runs the release $(basename "$release")."
}

main "$@"
