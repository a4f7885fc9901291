"""From pictures and hall values to evidence."""

import os

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # our own log says it once
