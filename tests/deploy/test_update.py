"""Updates of a companion that really runs: to a good release, and back from a bad one."""

import json
import os
import shutil
import signal
import subprocess
import urllib.request

import pytest

from tests.deploy.conftest import Install, program
from tests.waiting import wait_for


def healthz(install: Install) -> dict:
    port = int(install.config.read_text().split("port = ")[1].split()[0])
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
        return json.load(answer)


def spoilt(sources, to, line: str):
    """Return a copy of the sources whose service has one more line at its start."""
    shutil.copytree(sources, to)
    play = to / "companion/commands/play.py"
    start = '    """Run until interrupted."""\n'
    assert start in play.read_text()
    play.write_text(play.read_text().replace(start, f"{start}    {line}\n"))
    return to


def test_a_good_release_takes_over_and_a_bad_one_gives_way_to_the_one_before(running, tmp_path):
    first = running.current
    done = running.install()
    assert done.returncode == 0, done.stderr
    assert healthz(running)["ok"]
    assert running.current == first
    assert running.update().stdout.splitlines()[-1].endswith("is of these sources already")

    better = spoilt(running.sources, tmp_path / "better", "print('a better one')")
    done = running.update("--from", better)
    assert done.returncode == 0, done.stderr
    second = running.current
    assert second != first
    assert running.releases == [first, second]
    assert os.readlink(running.prefix / "previous") == f"releases/{first}"
    assert healthz(running)["ok"]
    assert (running.prefix / "before-update.tar.gz").exists()

    ill = spoilt(running.sources, tmp_path / "ill", "raise SystemExit('no wish to play')")
    done = running.update("--from", ill, "--health-seconds", "2")
    assert done.returncode == 1
    assert f"the one before, {second}, is back and answers" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert running.current == second
    assert running.releases == [first, second]
    assert healthz(running)["ok"]

    (running.prefix / "current/answered").unlink()  # as after a power cut while it was asked
    done = running.update("--from", better)
    assert done.returncode == 0, done.stderr
    assert (running.prefix / "current/answered").exists()


def test_interrupted_before_the_new_release_has_answered_it_goes_back(own, tmp_path):
    first = own.current
    other = spoilt(own.sources, tmp_path / "other", "print('another one')")
    restarted = tmp_path / "restarted"
    systemctl = program(
        tmp_path / "systemctl",
        f'#!/bin/bash\n[ "$1" != restart ] || [ -e "{restarted}" ] || '
        f'{{ touch "{restarted}"; exec sleep 100; }}\n',
    )
    own.tools = ["--systemctl", str(systemctl)]
    script = subprocess.Popen(
        own.command("update.sh", *own.offline, "--from", other),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(restarted.exists, 150)
    assert own.current != first
    script.send_signal(signal.SIGINT)
    script.send_signal(signal.SIGTERM)
    _, said = script.communicate(timeout=60)
    assert said.startswith("update.sh: interrupted while starting the new release")
    assert (own.current, own.releases) == (first, [first])


def test_without_an_install_there_is_nothing_to_update(fresh):
    done = fresh.update()
    assert done.returncode == 1
    assert "run install.sh first" in done.stderr


def test_a_release_that_cannot_even_be_made_changes_nothing(own, tmp_path):
    first = own.current
    broken = tmp_path / "broken"
    shutil.copytree(own.sources, broken)
    (broken / "companion/games/catalogue.py").write_text("import nothing_of_the_kind\n")
    done = own.update("--from", broken)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert (own.current, own.releases) == (first, [first])


def test_uninstalling_keeps_the_games_and_purging_does_not(own):
    (own.data / "journal.db").write_text("games")
    script = own.prefix / "current/deploy/uninstall.sh"  # which removes itself
    done = subprocess.run([script, "--root", own.root], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--purge removes them" in done.stdout
    assert not own.prefix.exists()
    assert (own.data / "journal.db").read_text() == "games"
    assert own.config.exists()
    left = [path.name for path in own.root.rglob("*") if path.is_file() or path.is_symlink()]
    assert sorted(left) == ["companion.toml", "journal.db"]
    assert own.run("uninstall.sh").returncode == 0  # again
    assert own.run("uninstall.sh", "--purge").returncode == 0
    assert not own.data.exists()
    assert not own.config.parent.exists()


@pytest.mark.parametrize("script", ["update.sh", "uninstall.sh"])
def test_a_dry_run_changes_nothing(installed, script):
    before = sorted(path for path in installed.root.rglob("*") if "venv" not in path.parts)
    done = installed.run(script, "--dry-run", "--from", installed.sources)
    assert done.returncode == 0
    assert "would be" in done.stdout
    after = sorted(path for path in installed.root.rglob("*") if "venv" not in path.parts)
    assert after == before
