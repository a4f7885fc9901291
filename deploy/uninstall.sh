#!/usr/bin/env bash
# Removes the companion; games, calibration and settings stay unless they are to go too.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<TEXT
usage: sudo $0 [--dry-run] [--purge]

Stops the companion and removes its releases, service, device names and network name. Games and calibration in
/var/lib/companion and the settings in /etc/companion stay; --purge removes these, and the user "companion", as well.

Options besides: --root and --systemctl, as install.sh has them.
TEXT
}

remove_service() {
    step "stopping the companion" || return 0
    quietly "$systemctl" disable --now companion || true # it may be gone already
    run rm -f "$root/etc/systemd/system/companion.service" "$root/etc/udev/rules.d/70-companion.rules" \
        "$root/etc/avahi/services/companion.service"
    [ ! -L "$root/usr/local/bin/companion" ] || run rm -f "$root/usr/local/bin/companion"
    run "$systemctl" daemon-reload
    [ -n "$root" ] || quietly udevadm control --reload || true
}

remove_releases() {
    step "removing the releases in $prefix" || return 0
    run rm -rf "$prefix"
}

remove_data() {
    step "removing games, calibration, settings and the user $user" || return 0
    run rm -rf "$data" "$etc"
    [ -n "$root" ] || ! id "$user" >/dev/null 2>&1 || run userdel "$user"
}

main() {
    local purge=""
    read_options "$@"
    if [ "${rest[0]:-}" = --purge ]; then purge=yes rest=("${rest[@]:1}"); fi
    no_more_options
    need_root
    remove_service
    remove_releases
    if [ -n "$purge" ]; then
        remove_data
    else
        say "Games, calibration and settings stay in $data and $etc; --purge removes them."
    fi
    exit 0 # this script may have removed itself
}

main "$@"
