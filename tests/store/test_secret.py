"""The key of the page's cookies."""

import stat
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.store.secret import SECRET_BYTES, kept_secret


def test_the_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    secret = kept_secret(tmp_path / "journal.db")
    file = tmp_path / "cookie.key"
    assert file.read_bytes() == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert kept_secret(tmp_path / "journal.db") == secret


def test_a_key_that_a_power_cut_left_empty_is_made_anew(tmp_path: Path) -> None:
    file = tmp_path / "cookie.key"
    file.write_bytes(b"")
    secret = kept_secret(tmp_path / "journal.db")
    assert len(secret) == SECRET_BYTES
    assert file.read_bytes() == secret


def test_a_key_that_cannot_be_kept_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="cannot keep the key of the page's cookies in"):
        kept_secret(tmp_path / "nowhere" / "journal.db")
