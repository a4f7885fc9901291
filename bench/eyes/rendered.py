"""Has the studio render pictures to learn from, in the environment that Blender needs."""

import subprocess
from pathlib import Path

from companion.commands.progress import say
from companion.errors import PictureError

SEED = 1000
SCALE, RAYS = 0.7, 2  # a picture takes two seconds of one core
MARGIN = 1.6  # pitches around the field that are drawn
PATIENCE = 20  # Blender itself may end the process now and then; then it is started again


def render(python: Path, folder: Path, count: int, threads: int) -> None:
    """Render what is missing of so many pictures into a folder."""
    command = [str(python), "-m", "bench.studio", str(folder), "--seed", str(SEED)]
    command += ["--count", str(count), "--scale", str(SCALE), "--samples", str(RAYS)]
    command += ["--margin", str(MARGIN), "--threads", str(threads)]
    code = 0
    for _ in range(PATIENCE):
        if _count(folder) >= count:
            return
        try:
            code = subprocess.run(command, check=False).returncode
        except OSError as error:
            raise PictureError(f"cannot start {python}: {error.strerror}") from error
        if code == 0:
            return
        if code in (1, 2, 130):
            break  # it has said why
        say(f"the renderer ended with {code}: going on")
    made = _count(folder)
    raise PictureError(f"expected {count} pictures in {folder}, got {made} (exit code {code})")


def _count(folder: Path) -> int:
    pictures = (folder / "stills").glob(f"studio_{SEED}_*.jpg")
    return sum(path.with_suffix(".json").exists() for path in pictures)
