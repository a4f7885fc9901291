"""The page on seeing says what was measured, and its pictures are made by code."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from companion.sim.stress import STRESSORS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vision_pictures", DOCS / "vision_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def figures() -> list[dict]:
    return json.loads((DOCS / "vision-figures.json").read_text())["figures"]


def test_every_stressor_is_measured_described_and_plotted(maker, figures):
    page, plot = (DOCS / "vision.md").read_text(), maker.figures_plot(figures)
    assert {figure["stressor"] for figure in figures} == set(STRESSORS)
    for name in STRESSORS:
        assert page.count(f"\n| {name} | ") == 2
        assert f">{name}</text>" in plot


def test_table_and_plot_are_those_of_the_kept_figures(maker, figures):
    assert maker.figures_table(figures) in (DOCS / "vision.md").read_text()
    assert maker.figures_plot(figures) == (DOCS / "pictures" / "stress.svg").read_text()


def test_a_table_is_put_between_the_marks_and_nowhere_else(maker, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{maker.BEGIN}\nold\n{maker.END}\nafter\n")
    maker.fill_in(page, "new")
    assert page.read_text() == f"before\n{maker.BEGIN}\nnew\n{maker.END}\nafter\n"


def test_the_pictures_of_the_page_are_there_and_small():
    for name in ("stressors.jpg", "seen.jpg", "seen-hand.jpg"):
        assert 10_000 < (DOCS / "pictures" / name).stat().st_size <= 400_000
