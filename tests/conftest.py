"""What all tests share: generated examples are judged by what happens, never by how long it took."""

from hypothesis import settings

settings.register_profile("companion", deadline=None, derandomize=True)
settings.load_profile("companion")
