"""The installer: run once, run again, interrupted, and on machines where it cannot work."""

import fcntl
import os
import re
import shutil
import signal
import subprocess

import pytest

from companion import __version__, config
from tests.deploy.conftest import DEPLOY, one_sentence, program, python_that
from tests.waiting import wait_for


def test_an_install_is_whole_and_its_companion_works(installed):
    assert installed.current.startswith(f"{__version__}-")
    assert installed.releases == [installed.current]
    assert os.readlink(installed.prefix / "current") == f"releases/{installed.current}"
    assert bool(list(installed.prefix.glob("releases/*/venv/**/native/*.so"))) == bool(
        shutil.which("gcc")
    )
    companion = installed.prefix / "current/venv/bin/companion"
    done = subprocess.run([companion, "boards"], cwd="/", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "reference" in done.stdout
    where = subprocess.run(
        [companion.with_name("python"), "-I", "-c", "import companion; print(companion.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(installed.prefix.resolve()) in os.path.realpath(where.stdout.strip())


def test_the_files_of_the_system_are_in_their_places(installed):
    etc = installed.root / "etc"
    rule = (etc / "udev/rules.d/70-companion.rules").read_text()
    assert 'SYMLINK+="companion-grid"' in rule
    assert "<port>8080</port>" in (etc / "avahi/services/companion.service").read_text()
    assert (etc / "systemd/system/companion.service").read_text() == (
        DEPLOY / "companion.service"
    ).read_text()
    assert not list(installed.prefix.glob(".work*"))


def test_the_settings_that_are_written_are_good_and_the_commented_ones_too(installed, tmp_path):
    assert not config.load(installed.config).names_hardware
    real = tmp_path / "real.toml"
    real.write_text(re.sub(r"(?m)^# (?=\[|\w+ = )", "", installed.config.read_text()))
    settings = config.load(real)
    assert settings.names_hardware
    assert settings.hall.port == "/dev/companion-grid"
    assert settings.lights.driver == "spi"


def test_run_again_it_keeps_settings_and_release_and_removes_what_was_left_half_done(own):
    first = own.current
    own.config.write_text("[web]\nport = 8123\n")
    (own.prefix / "releases/0.0.9-half-done/venv").mkdir(parents=True)
    (own.prefix / ".work-left").mkdir()
    (own.root / "etc/systemd/system/companion.service").unlink()
    done = own.install()
    assert done.returncode == 0, done.stderr
    assert "of these sources already" in done.stdout
    assert own.releases == [first]
    assert not (own.prefix / ".work-left").exists()
    assert own.config.read_text() == "[web]\nport = 8123\n"
    avahi = (own.root / "etc/avahi/services/companion.service").read_text()
    assert "<port>8123</port>" in avahi
    assert (own.root / "etc/systemd/system/companion.service").exists()


def test_a_dry_run_tells_every_step_and_does_none(fresh):
    done = fresh.install("--dry-run")
    assert done.returncode == 0
    assert "would be making a release" in done.stdout
    assert not fresh.root.exists()


def test_interrupted_it_leaves_nothing_and_can_be_run_again(fresh, tmp_path):
    started = tmp_path / "started"
    slow = python_that(tmp_path / "slow", f'touch "{started}"; exec sleep 100')
    command = fresh.command("install.sh", *fresh.offline, "--python", slow)
    script = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for(started.exists, 150)
    assert fresh.releases
    script.send_signal(signal.SIGTERM)
    _, said = script.communicate(timeout=60)
    assert script.returncode == 143
    assert one_sentence(said).startswith("install.sh: interrupted while making a release")
    assert fresh.releases == []
    assert not (fresh.prefix / "current").exists()
    assert fresh.install().returncode == 0


def test_two_at_once_do_not_meet(fresh):
    (fresh.prefix / "releases").mkdir(parents=True)
    with (fresh.prefix / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = fresh.install()
    assert done.returncode == 1
    assert "another install or update is at work" in one_sentence(done.stderr)


@pytest.mark.parametrize("script", ["install.sh", "update.sh", "uninstall.sh"])
def test_somebody_who_is_not_root_is_told_how_to_be(tmp_path, script):
    for tool in ("bash", "basename", "dirname", "realpath", "mktemp", "rm"):  # and no others
        (tmp_path / tool).symlink_to(shutil.which(tool))
    program(tmp_path / "id", "#!/bin/sh\necho 1000\n")
    done = subprocess.run(
        [tmp_path / "bash", DEPLOY / script],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "must be run as root: sudo" in one_sentence(done.stderr)


@pytest.mark.parametrize(
    ("script", "wrong"),
    [
        ("install.sh", ["--frobnicate"]),
        ("install.sh", ["--from"]),
        ("update.sh", ["--health-seconds", "soon"]),
        ("uninstall.sh", ["everything"]),
        ("restore.sh", []),
    ],
)
def test_wrong_use_ends_with_2_and_points_to_the_help(fresh, script, wrong):
    done = fresh.run(script, *wrong)
    assert done.returncode == 2
    assert "--help" in one_sentence(done.stderr)


def test_sources_that_are_none_are_named(fresh, tmp_path):
    done = fresh.install("--from", tmp_path)
    assert done.returncode == 1
    assert f"no sources of the companion in {tmp_path}" in one_sentence(done.stderr)
