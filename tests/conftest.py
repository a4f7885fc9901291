"""What all tests share: generated examples are judged by what happens, not by how fast."""

from hypothesis import settings

settings.register_profile("companion", deadline=None, derandomize=True)
settings.load_profile("companion")
