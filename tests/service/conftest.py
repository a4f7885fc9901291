"""Apps of a table that starts at once, closed whatever happens."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.config import (
    CameraSettings,
    HallSettings,
    LightSettings,
    Settings,
    StoreSettings,
    WebSettings,
)
from companion.service.app import App

Open = Callable[..., App]


@pytest.fixture
def quiet(tmp_path: Path) -> Settings:
    """Return settings of a table with lights alone, which starts at once."""
    return Settings(
        camera=CameraSettings(source="none"),
        hall=HallSettings(port="none"),
        lights=LightSettings(driver="sim"),
        web=WebSettings(host="127.0.0.1", port=0),
        store=StoreSettings(tmp_path / "data" / "journal.db"),
    )


@pytest.fixture
def open_app(quiet: Settings) -> Iterator[Open]:
    """Open apps; every one is closed, twice."""
    apps: list[App] = []

    def start(settings: Settings = quiet, **more: bool | str) -> App:
        apps.append(App(settings, **{"simulate": True, **more}))
        return apps[-1]

    yield start
    for app in apps:
        app.close()
        app.close()
