"""The manual shows every scene as the code draws it now."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load():
    spec = importlib.util.spec_from_file_location("light_pictures", DOCS / "light_pictures.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


pictures = load()


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_in_the_manual_is_what_the_code_draws(name):
    """When this fails, the lights have changed: python docs/light_pictures.py draws them anew."""
    stored = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert stored == pictures.draw(pictures.PICTURES[name])


def test_the_manual_shows_every_picture_and_none_that_is_not_there():
    text = (DOCS / "lights.md").read_text(encoding="utf-8")
    shown = re.findall(r"\(pictures/lights/([a-z-]+)\.svg\)", text)
    assert sorted(shown) == sorted(pictures.PICTURES)
    assert {path.stem for path in pictures.FOLDER.iterdir()} == set(pictures.PICTURES)
