"""Packs the hall grid's firmware into the package and builds the core of the search.

Everything else is in pyproject.toml.
"""

import shutil
from pathlib import Path

from setuptools import Extension, setup
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


#: A plain library without Python in it, so it needs a compiler and no headers. Where it cannot be
#: built, the companion searches in Python.
CORE = Extension(
    "companion.players.native._quoridor",
    ["companion/players/native/quoridor.c"],
    extra_compile_args=["-std=c99", "-O3"],
    py_limited_api=True,
    optional=True,
)

setup(cmdclass={"build_py": BuildWithFirmware}, ext_modules=[CORE])
