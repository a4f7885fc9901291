"""What machines do to the scripts: each ends in one sentence, and the same command then works."""

import contextlib
import fcntl
import os
import pty
import shlex
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.conftest import (
    DEPLOY,
    Install,
    one_sentence,
    program,
    python_that,
    python_with_pip,
)

ONLINE = "check that this machine is online"
AGAIN = "then run the same command again"

#: What install.sh uses before it changes anything; with no others on the PATH, it can change none.
HARMLESS = ["bash", "basename", "dirname", "realpath", "mktemp", "rm", "getconf", "grep", "tail"]
HARMLESS += ["cut", "env", "cat"]


@pytest.fixture
def machine(tmp_path) -> Path:
    """Return a PATH of a machine that we are root of, and that has all packages but lgpio."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in HARMLESS:
        (tools / tool).symlink_to(str(shutil.which(tool)))
    program(tools / "id", "#!/bin/sh\necho 0\n")
    program(tools / "dpkg", "#!/bin/sh\n")
    program(tools / "apt-cache", '#!/bin/sh\n[ "$3" != python3-lgpio ] || echo "$3"\n')
    program(
        tools / "dpkg-query",
        '#!/bin/sh\n[ "$4" = python3-lgpio ] || echo "install ok installed"\n',
    )
    program(tools / "apt-get", "#!/bin/sh\necho Temporary failure resolving names; exit 100\n")
    return tools


def install_on(machine: Path) -> subprocess.CompletedProcess:
    """Run install.sh up to the question for a Python, which is not there."""
    return subprocess.run(
        [machine / "bash", DEPLOY / "install.sh", "--python", "/no/python"],
        env={"PATH": str(machine)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_network_the_system_s_packages_that_must_be_there_are_asked_for(machine):
    program(machine / "dpkg-query", "#!/bin/sh\nexit 1\n")
    done = install_on(machine)
    assert done.returncode == 1
    assert "installing the packages python3 python3-venv" in one_sentence(done.stderr)
    assert ONLINE in done.stderr
    assert done.stderr.rstrip().endswith(AGAIN)


def test_without_network_packages_that_are_merely_good_to_have_are_done_without(machine):
    done = install_on(machine)
    assert "going without python3-lgpio" in done.stdout
    assert "/no/python is not there" in one_sentence(done.stderr)  # it went on


@pytest.mark.parametrize("online", [True, False])
def test_a_compiler_is_got_if_it_can_be_and_else_done_without(machine, tmp_path, online):
    program(machine / "dpkg-query", "#!/bin/sh\nexit 1\n")
    asked = tmp_path / "asked"
    program(machine / "apt-get", f'#!/bin/sh\necho "$*" >>{asked}; {str(online).lower()}\n')
    script = f'source "{DEPLOY}/common.sh"; log=$(mktemp); get_compiler; rm "$log"'
    done = subprocess.run(
        [machine / "bash", "-c", script],
        env={"PATH": str(machine)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert asked.read_text().splitlines()[0].endswith(" gcc libc6-dev")
    assert ("going without gcc libc6-dev" in done.stdout) == (not online)


def test_without_network_python_packages_cannot_be_had(fresh, tmp_path):
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    nothing = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": ""}
    python = python_with_pip(tmp_path / "python")
    done = fresh.run("install.sh", "--python", python, **nowhere, **nothing)
    assert done.returncode == 1
    assert ONLINE in one_sentence(done.stderr)
    assert fresh.releases == []


def test_an_old_python_is_refused(fresh, tmp_path):
    old = program(tmp_path / "old", "#!/bin/sh\necho 3.9\nexit 1\n")
    done = fresh.install("--python", old)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in one_sentence(done.stderr)
    assert "is 3.9" in done.stderr
    assert not fresh.root.exists()


def test_a_python_that_is_missing_is_refused(fresh):
    done = fresh.install("--python", "/no/python")
    assert done.returncode == 1
    assert "/no/python is not there" in one_sentence(done.stderr)


def test_too_little_room_is_refused_before_anything_is_made(fresh):
    done = fresh.install(COMPANION_NEEDS_MB="99999999")
    assert done.returncode == 1
    assert "99999999 MB are needed" in one_sentence(done.stderr)
    assert fresh.releases == []


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full: make room"),
        ("mkdir: cannot create directory: Read-only file system", "the disk is read-only"),
        ("Temporary failure in name resolution", ONLINE),
        ("No module named venv", "No module named venv"),
    ],
)
def test_what_goes_wrong_on_the_way_is_one_sentence(fresh, tmp_path, says, sentence):
    broken = python_that(tmp_path / "broken", f'echo "{says}" >&2; exit 1')
    done = fresh.install("--python", broken)
    assert done.returncode == 1
    assert sentence in one_sentence(done.stderr)
    assert one_sentence(done.stderr).endswith(AGAIN)
    assert fresh.releases == []


def test_a_place_that_cannot_be_written_is_one_sentence(fresh):
    fresh.root.write_text("a file, not a folder")
    done = fresh.install()
    assert done.returncode == 1
    assert "Not a directory" in one_sentence(done.stderr)


@pytest.fixture
def namespace() -> list[str]:
    """Return what runs a command with mounts of its own, which go with it."""
    command = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "-r", "--mount"]
    with contextlib.suppress(OSError):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    pytest.skip("this system allows no mounts of one's own")


def shell(words: list[str]) -> str:
    return shlex.join(map(str, words))


def test_a_disk_that_fills_up_on_the_way_leaves_no_release_and_with_room_it_works(
    fresh, tmp_path, namespace
):
    fresh.root.mkdir()
    install = shell(fresh.command("install.sh", *fresh.offline))
    said = tmp_path / "said"
    script = f"""
        mount -t tmpfs -o size=3m none {fresh.root}
        export COMPANION_NEEDS_MB=0
        {install} 2>{said}-1; echo $? >>{said}
        ls {fresh.prefix}/releases >>{said}
        dd if=/dev/zero of={fresh.root}/fill bs=4k 2>/dev/null
        TMPDIR={fresh.root} {install} 2>{said}-2; echo $? >>{said}
        ls {fresh.prefix}/releases >>{said}
        rm {fresh.root}/fill
        mount -o remount,size=100m {fresh.root}
        {install} 2>{said}-3; echo $? >>{said}
        {fresh.prefix}/current/venv/bin/python -m companion --version >>{said}
    """
    done = subprocess.run([*namespace, "bash", "-c", script], capture_output=True, text=True)
    told = said.read_text().split()
    assert told[:3] == ["1", "1", "0"], done
    assert told[3] == "companion"
    for number in (1, 2):  # the second time, not even its own notes could be written
        sentence = one_sentence(Path(f"{said}-{number}").read_text())
        assert "the disk is full: make room" in sentence
        assert sentence.endswith(AGAIN)


@pytest.mark.parametrize("name", ["install.sh", "update.sh", "backup.sh", "uninstall.sh"])
def test_a_read_only_disk_is_told_and_once_it_is_writable_the_same_command_works(
    own, tmp_path, namespace, name
):
    more = {"backup.sh": [own.root / "kept.tar.gz"], "uninstall.sh": []}.get(name, own.offline)
    command = shell(own.command(name, *more))
    script = f"""
        mount --bind {own.root} {own.root}
        mount -o remount,bind,ro {own.root}
        {command} 2>{tmp_path}/said; echo $?
        mount -o remount,bind,rw {own.root}
        {command} >&2; echo $?
    """
    before = own.current
    done = subprocess.run([*namespace, "bash", "-c", script], capture_output=True, text=True)
    codes = [line for line in done.stdout.splitlines() if line.isdigit()]
    assert codes == ["1", "0"], done
    assert "the disk is read-only" in one_sentence((tmp_path / "said").read_text())
    assert own.prefix.exists() == (name != "uninstall.sh")
    assert name == "uninstall.sh" or own.current == before


@contextlib.contextmanager
def somebody_on(port: int) -> Iterator[None]:
    with socket.create_server(("127.0.0.1", port)):
        yield


def port_of(install: Install) -> int:
    return int(install.config.read_text().split("port = ")[1].split()[0])


def test_a_port_in_use_is_told_before_anything_is_made_and_another_can_be_chosen(running):
    before = running.config.read_text()
    port = port_of(running)
    with somebody_on(port):
        for script in (running.install, running.update):
            done = script()
            assert done.returncode == 1
            sentence = one_sentence(done.stderr)
            assert f"port {port} is in use by another program" in sentence
            assert f"choose another port in {running.config}" in sentence
            assert sentence.endswith(AGAIN)
            assert "making a release" not in done.stdout
            assert running.config.read_text() == before
    done = running.install()
    assert done.returncode == 0, done.stderr


def test_a_port_in_use_before_the_first_install_leaves_settings_to_change(fresh, tmp_path):
    systemctl = program(tmp_path / "systemctl", "#!/bin/sh\necho inactive\n")
    fresh.tools = ["--systemctl", str(systemctl)]
    settings = fresh.sources / "deploy/companion.toml"
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # else somebody has it already
            stack.enter_context(socket.create_server(("0.0.0.0", 8080)))
        done = fresh.install()
    assert done.returncode == 1
    assert "port 8080 is in use" in one_sentence(done.stderr)
    assert fresh.config.read_text() == settings.read_text()
    assert fresh.releases == []


def test_devices_that_are_missing_or_belong_to_others_are_told_and_stop_nothing(running):
    ours, theirs = pty.openpty()
    port = os.ttyname(theirs)
    fcntl.flock(theirs, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as every well-behaved program does
    running.config.write_text(
        f'[web]\nhost = "127.0.0.1"\nport = {port_of(running)}\n'
        f'[camera]\nsource = "/dev/video-of-nobody"\n[hall]\nport = "{port}"\n'
    )
    try:
        done = running.install()
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert f"hall grid: {port} is in use by another program" in done.stdout
    assert "camera: " in done.stdout
    assert "is it plugged in" in done.stdout
    assert (running.prefix / "current/answered").exists()
