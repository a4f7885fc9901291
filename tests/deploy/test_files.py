"""The scripts, the unit and the other files as the programs that read them see them."""

import os
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion import config
from companion.config import WebSettings
from companion.web.serve import CONNECTIONS
from tests.deploy.conftest import DEPLOY, one_sentence, program

SCRIPTS = sorted(path.name for path in DEPLOY.glob("*.sh"))
PROOF = Path(__file__).with_name("prove-install.sh")


def needs(tool: str) -> pytest.MarkDecorator:
    """Skip without a tool; continuous integration has all of them, and fails instead."""
    missing = shutil.which(tool) is None and "CI" not in os.environ
    return pytest.mark.skipif(missing, reason=f"{tool} is not installed")


@pytest.mark.parametrize("script", SCRIPTS)
def test_bash_can_read_a_script(script):
    done = subprocess.run(["bash", "-n", DEPLOY / script], capture_output=True, check=True)
    assert done.stderr == b""
    assert os.access(DEPLOY / script, os.X_OK) == (script != "common.sh")


@needs("shellcheck")
def test_shellcheck_has_nothing_to_say_of_the_scripts():
    done = subprocess.run(
        ["shellcheck", "-x", *SCRIPTS, PROOF],
        cwd=DEPLOY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout + done.stderr == ""


@pytest.mark.parametrize("script", [name for name in SCRIPTS if name != "common.sh"])
def test_a_script_explains_itself(script):
    done = subprocess.run([DEPLOY / script, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: sudo ")


@pytest.mark.parametrize(
    ("options", "tools", "code", "sentence"),
    [
        (["--suite", "buster"], {}, 2, "expected bookworm or trixie, got 'buster'"),
        (["--arch"], {}, 2, "--arch needs a value"),
        (["everything"], {}, 2, "'everything' is not known here"),
        ([], {"id": "1000"}, 1, "must be run as root: sudo"),
        ([], {"id": "0"}, 1, "debootstrap git python3 unshare chroot tar qemu-user-static must be"),
    ],
)
def test_the_proof_says_in_a_sentence_why_it_cannot_be_made(
    tmp_path, options, tools, code, sentence
):
    for tool in ("bash", "basename", "dirname", "realpath"):  # and no others
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    for tool, says in {"dpkg": "amd64", **tools}.items():
        program(tmp_path / tool, f"#!/bin/sh\necho {says}\n")
    command = [tmp_path / "bash", PROOF, "--work", tmp_path / "work", *options]
    done = subprocess.run(
        command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert sentence in one_sentence(done.stderr)
    assert not (tmp_path / "work").exists()


@needs("systemd-analyze")
def test_systemd_understands_every_line_of_the_unit(installed, tmp_path):
    unit = tmp_path / "companion.service"
    placed = (installed.root / "etc/systemd/system/companion.service").read_text()
    start = f"ExecStart={installed.root}/opt/companion"
    assert "ExecStart=/opt/companion" in placed
    unit.write_text(placed.replace("ExecStart=/opt/companion", start))
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs("systemd-analyze")
def test_the_service_is_exposed_by_2_point_0_at_most():
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager"]
    done = subprocess.run(
        [*command, DEPLOY / "companion.service"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-300:]


def unit() -> dict[str, list[str]]:
    """Return the unit's settings, each with all its values."""
    settings: dict[str, list[str]] = {}
    for line in (DEPLOY / "companion.service").read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            settings.setdefault(key, []).append(value)
    return settings


def test_wrong_settings_do_not_start_the_service_again():
    assert unit()["RestartPreventExitStatus"] == ["2"]


def test_lgpio_gets_a_folder_that_the_service_may_write():
    assert "LG_WD=/run/companion" in unit()["Environment"]
    assert unit()["RuntimeDirectory"] == ["companion"]


def test_the_service_may_take_port_80_and_has_no_other_right_of_root():
    assert unit()["AmbientCapabilities"] == ["CAP_NET_BIND_SERVICE"]
    assert unit()["CapabilityBoundingSet"] == ["CAP_NET_BIND_SERVICE"]
    assert "80" in (DEPLOY / "companion.toml").read_text().split("[web]")[1].split("\n")[1]


def test_every_line_of_the_example_of_the_settings_is_known(tmp_path):
    text = (DEPLOY / "companion.toml").read_text()
    told = re.sub(r"(?m)^# (\[\w+\]|\w+ = )", r"\1", text)
    file = tmp_path / "companion.toml"
    file.write_text(told)
    settings = config.load(file)
    assert settings.camera.focus == 500
    assert settings.board.profile == "my-board"
    assert (settings.lights.driver, settings.panel.driver) == ("spi", "gpio")


@pytest.mark.parametrize(
    "device",
    ["video4linux", "media", "dma_heap", "ttyACM", "ttyUSB", "gpiochip", "spi", "i2c", "alsa"],
)
def test_the_unit_lets_the_devices_of_a_table_through(device):
    unit = (DEPLOY / "companion.service").read_text()
    assert f"DeviceAllow=char-{device} rw" in unit
    assert "PrivateDevices=yes" not in unit


def test_the_unit_neither_runs_what_lies_in_the_data_folder_nor_gives_all_descriptors_away():
    unit = (DEPLOY / "companion.service").read_text().splitlines()
    assert "Environment=PYTHONSAFEPATH=1" in unit
    assert "LimitNOFILE=1024" in unit
    assert CONNECTIONS + WebSettings().streams <= 1024 // 2


def test_the_installed_user_has_the_groups_of_these_devices():
    said = re.search(r"GROUPS_IF_ANY=\((.*)\)", (DEPLOY / "install.sh").read_text())
    assert said
    assert set(said[1].split()) >= {"video", "dialout", "gpio", "spi", "i2c"}


def test_avahi_gets_sound_xml_with_a_port():
    top = ET.parse(DEPLOY / "avahi.service").getroot()
    assert top.findtext("service/type") == "_http._tcp"
    assert top.findtext("service/port") == "8080"
    assert tomllib.loads((DEPLOY / "companion.toml").read_text())["web"]["port"] == 8080


@needs("udevadm")
def test_udev_understands_the_rule_where_it_can_be_asked():
    rule = DEPLOY / "70-companion.rules"
    done = subprocess.run(["udevadm", "verify", rule], capture_output=True, text=True, check=False)
    if "Unknown command" in done.stderr:
        pytest.skip("this udevadm cannot verify rules")
    assert done.returncode == 0, done.stdout + done.stderr
