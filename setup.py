"""Packs the hall grid's firmware into the package; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FIRMWARE = Path(__file__).parent / "firmware"
KINDS = (".py", ".mjs")


class BuildWithFirmware(build_py):
    """Builds the package, with the files of ``firmware`` as ``companion/pico``."""

    def run(self) -> None:
        """Build."""
        super().run()
        if self.editable_mode:
            return  # a checkout has them beside the package
        for file in FIRMWARE.rglob("*"):
            if file.suffix in KINDS:
                to = Path(self.build_lib, "companion/pico", file.relative_to(FIRMWARE))
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, to)


setup(cmdclass={"build_py": BuildWithFirmware})
