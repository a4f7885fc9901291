#!/usr/bin/env bash
# Installs the companion on Raspberry Pi OS or Debian, or puts an installed one in order: it can be run at any time.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
    cat <<TEXT
usage: sudo $0 [--dry-run] [--wheels FOLDER] [--from FOLDER]

Installs packages, the user "companion", a release in /opt/companion with its own environment, the settings in
/etc/companion (only if there are none), device names, the service and its name in the network, and starts it.

  --dry-run            tell what would be done, and do nothing
  --from FOLDER        the sources, unless they are those around this script
  --wheels FOLDER      take Python packages from a folder (pip download), not from the network
  --health-seconds N   how long to wait for the companion to answer (60)
  --python PROGRAM     the Python to use (python3)
  --root FOLDER        install into a folder, for an image or a test: no packages, user or service
  --systemctl PROGRAM  what starts and stops the service; "true" where nothing can be started, as in an image
  --libraries FOLDER   use the Python packages in this folder as they are
TEXT
}

PACKAGES=(python3 python3-venv avahi-daemon)
PACKAGES_IF_ANY=(python3-picamera2 python3-lgpio)
GROUPS_IF_ANY=(video render dialout gpio spi i2c audio)

need_64_bits() {
    [ -n "$root" ] || [ "$(getconf LONG_BIT)" = 64 ] ||
        die "the companion needs a 64-bit system, and this one has $(getconf LONG_BIT) bits: use the 64-bit Raspberry Pi OS"
}

install_packages() {
    local package needed=() wanted=()
    [ -z "$root" ] || return 0
    command -v apt-get >/dev/null || die "this is neither Raspberry Pi OS nor Debian: apt-get is not there"
    for package in "${PACKAGES[@]}"; do is_there "$package" || needed+=("$package"); done
    for package in "${PACKAGES_IF_ANY[@]}"; do is_there "$package" || wanted+=("$package"); done
    [ ${#needed[@]}${#wanted[@]} != 00 ] || return 0
    step "installing the packages ${needed[*]} ${wanted[*]}, as far as this system has them" || return 0
    export DEBIAN_FRONTEND=noninteractive
    quietly dpkg --configure -a || true # what an interrupted install has left
    quietly apt-get update || [ ${#needed[@]} = 0 ] || fail
    [ ${#needed[@]} = 0 ] || run apt-get install -y --no-install-recommends "${needed[@]}"
    for package in "${wanted[@]}"; do
        [ -n "$(apt-cache --quiet=2 show "$package" 2>/dev/null)" ] || continue
        quietly apt-get install -y --no-install-recommends "$package" ||
            say "going without $package, which could not be fetched: run the same command again when this machine is online"
    done
    : >"$log"
}

make_user() {
    local group
    [ -z "$root" ] || return 0
    step "making the user $user, without root rights, for camera, serial port, GPIO and SPI" || return 0
    id "$user" >/dev/null 2>&1 ||
        run useradd --system --user-group --home-dir /var/lib/companion --no-create-home --shell /usr/sbin/nologin "$user"
    for group in "${GROUPS_IF_ANY[@]}"; do
        if getent group "$group" >/dev/null; then run usermod -aG "$group" "$user"; fi
    done
    run install -d -o "$user" -g "$user" -m 750 "$data"
}

main() {
    read_options "$@"
    no_more_options
    need_root
    need_64_bits
    install_packages
    need_python
    need_port
    take_prefix
    build_release
    make_user
    activate
    [ -z "$dry" ] || return 0
    quietly "$systemctl" enable companion || fail
    [ -z "$root" ] || { say "The companion is installed in $root." && return 0; }
    say "The companion runs: http://$(hostname).local:$port/" | sed 's|:80/$|/|'
    say "The code to pair a phone is in its log: journalctl -u companion | grep -i code"
    say "Name your devices in $etc/companion.toml, then: systemctl restart companion"
}

main "$@"
