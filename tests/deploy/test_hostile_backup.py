"""Backups that were spoilt on their way, and such that somebody made to get in.

Each is refused in one sentence, and nothing is touched; or its settings are left out and told.
"""

import functools
import gzip
import hashlib
import importlib.util
import io
import os
import random
import sqlite3
import stat
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion import config
from companion.store.journal import Journal
from tests.counts import examples
from tests.deploy.conftest import DEPLOY

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SETTINGS = '# mine\n[web]\nport = 8123\n\n[camera]\nsource = "/dev/video0"\n'
SEALED, UNSEALED = "2", "1"
SOMEBODY = 4711  # a user without a name

spec = importlib.util.spec_from_file_location("archive", DEPLOY / "archive.py")
assert spec
assert spec.loader
archive = importlib.util.module_from_spec(spec)
with pytest.MonkeyPatch.context() as patch:  # what it does to Python is for a run of its own
    patch.setattr(sys, "path", [*sys.path])
    spec.loader.exec_module(archive)


class Then(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz=None):
        return NOW


class Table:
    """A machine in a folder, with a game, calibration, boards, settings, and things of others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.etc = self.root / "etc/companion"
        self.data = self.root / "var/lib/companion"
        for place in (self.etc / "boards", self.data / "boards", self.root / "srv/others"):
            place.mkdir(parents=True)
        (self.etc / "companion.toml").write_text(SETTINGS)
        (self.etc / "boards/oak.toml").write_text("title = 'oak'\n")
        (self.data / "boards/taught.toml").write_text("title = 'taught'\n")
        (self.data / "calibration.json").write_text('{"version": 1}')
        (self.data / "cookie.key").write_bytes(b"k" * 32)
        (self.root / "srv/others/journal.db").write_text("of somebody else")
        (self.root / "etc/passwd").write_text("root")
        with Journal(self.data / "journal.db") as journal:
            journal.append_moves(journal.start("quoridor", {}, [], NOW), ["e2", "e8"], NOW)
        self.capsys: pytest.CaptureFixture[str]

    def run(self, what: str, file: Path) -> tuple[int, str, str]:
        code = archive.main([what, str(file), "--root", str(self.root)])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def tree(self) -> dict[str, object]:
        """Return everything that there is, but the file of the backup."""
        found: dict[str, object] = {}
        for path in sorted(self.folder.rglob("*")):
            seen = path.lstat()
            kind, held = stat.S_IMODE(seen.st_mode), None
            if path.is_symlink():
                held = os.readlink(path)
            elif path.is_file() and path.suffix != ".gz":
                held = path.read_bytes()
            found[str(path)] = (kind, seen.st_uid, held)
        return found

    def moves(self) -> tuple[str, ...]:
        with Journal(self.data / "journal.db") as journal:
            return journal.current().moves


@pytest.fixture
def table(tmp_path, capsys):
    table = Table(tmp_path)
    table.capsys = capsys
    return table


@pytest.fixture
def kept(table, tmp_path):
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup", file) == (0, "", "")
    return file


def refused(table: Table, file: Path, before: dict[str, object]) -> str:
    """Return the sentence with which a backup is refused; nothing may have changed by it."""
    code, out, err = table.run("restore", file)
    assert code == 1, out + err
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.isprintable() or err[:-1].isprintable()
    assert table.tree() == before
    return err


# --- spoilt ---------------------------------------------------------------------------------------


def spoil(content: bytes, luck: random.Random) -> bytes:
    """Return a file with a bit turned, or cut, or with a stretch lost, doubled, zeroed or added."""
    at = luck.randrange(len(content))
    some = luck.randrange(1, 200)
    match luck.choices(range(6), [70, 10, 5, 5, 5, 5])[0]:
        case 0:
            spoilt = bytearray(content)
            spoilt[at] ^= 1 << luck.randrange(8)
            return bytes(spoilt)
        case 1:
            return content[:at]
        case 2:
            return content[:at] + content[at + some :]
        case 3:
            return content[:at] + content[at : at + some] + content[at:]
        case 4:
            return content[:at] + bytes(max(some, 40)) + content[at + max(some, 40) :]
        case _:
            return content + luck.randbytes(some)


def test_a_spoilt_backup_is_refused_and_changes_nothing(table, kept):
    luck = random.Random(14)
    whole, before = kept.read_bytes(), table.tree()
    for _ in range(examples(80, 1000)):
        spoilt = spoil(whole, luck)
        if spoilt != whole:
            kept.write_bytes(spoilt)
            refused(table, kept, before)
    kept.write_bytes(whole)
    assert table.run("restore", kept)[0] == 0


def test_every_bit_of_head_and_end_counts(table, kept):
    """Where gzip itself looks away: its header, the padding of its last block, its comment."""
    whole, before = kept.read_bytes(), table.tree()
    for at in [*range(10), *range(len(whole) - 110, len(whole), examples(7, 1))]:
        for bit in range(0, 8, examples(3, 1)):
            spoilt = bytearray(whole)
            spoilt[at] ^= 1 << bit
            kept.write_bytes(spoilt)
            assert "damaged" in refused(table, kept, before)


# --- crafted --------------------------------------------------------------------------------------


def member(name: str, content: bytes = b"", **more: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o600
    for key, value in more.items():
        setattr(info, key, value)
    return info, content


def make(
    *members: tuple[tarfile.TarInfo, bytes],
    version: str = SEALED,
    format: int = tarfile.USTAR_FORMAT,
    sums: str | None = None,
    behind: bytes = b"",
) -> bytes:
    """Return a backup with every checksum right, whatever else is wrong with it."""
    if sums is None:
        listed = (f"{hashlib.sha256(held).hexdigest()}  {info.name}\n" for info, held in members)
        sums = "".join(listed)
    mark = version if version == UNSEALED else f"{version}\n{sums}"
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=format) as file:
        for info, held in (member("companion-backup", mark.encode()), *members):
            file.addfile(info, io.BytesIO(held))
    packed = gzip.compress(tar.getvalue() + behind, mtime=0)
    comment = f"sha256 {hashlib.sha256(packed).hexdigest()}".encode()
    head = b"\x1f\x8b\x08\x10" + bytes(4) + b"\x02\xff"
    return packed + head + comment + b"\x00\x03\x00" + bytes(8)


def link(name: str, kind: bytes, to: str = "/etc/passwd") -> tuple[tarfile.TarInfo, bytes]:
    return member(name, type=kind, linkname=to)


def damaged_journal(folder: Path) -> bytes:
    path = folder / "damaged.db"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(20000));")
    db.close()
    content = bytearray(path.read_bytes())
    path.unlink()
    content[4096:8192] = b"\xff" * 4096
    return bytes(content)


def bomb(name: str, kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return an old backup in which a file, or a header, claims to have 600 MB."""
    mark, text = member("companion-backup", b"1")
    info, _ = member(name, type=kind)
    info.size = 600_000_000
    blocks = mark.tobuf() + text.ljust(512, b"\0") + info.tobuf(tarfile.USTAR_FORMAT)
    return gzip.compress(blocks + bytes(1_000_000), mtime=0)


def crafted(folder: Path, version: str) -> dict[str, bytes]:
    """Return backups that somebody made to get in, by what they try."""
    sealed = functools.partial(make, version=version)
    names = {
        "absolute": "/etc/passwd",
        "absolute data": "/var/lib/companion/journal.db",
        "upwards": "data/../../../etc/passwd",
        "upwards from the start": "../etc/passwd",
        "upwards in boards": "boards/by-people/../companion.toml",
        "a dot": "./data/journal.db",
        "a double slash": "data//journal.db",
        "a backslash": "data\\..\\x.db",
        "a drive": "C:/x.db",
        "another folder": "etc/passwd",
        "a folder more": "data/cron.d/x.db",
        "a module for Python": "data/json.py",
        "a library": "data/x.so",
        "a hidden file": "data/.bashrc",
        "a hidden journal": "data/.x.db",
        "a lock": "data/journal.db.lock",
        "a log of SQLite": "data/journal.db-wal",
        "the key in a folder": "boards/saved/cookie.key",
        "an option": "data/-rf.db",
        "a space": "data/a b.db",
        "a line": "data/a\nb.db",
        "an escape": "data/\x1b[2J.db",
        "no name": "data/",
        "only a name": "journal.db",
        "a long name": "data/" + "x" * 80 + ".db",
        "a long board": "boards/saved/" + "x" * 61 + ".toml",
        "a board with a dot": "boards/saved/.oak.toml",
        "a board that is none": "boards/by-people/oak.sh",
        "settings elsewhere": "config/other.toml",
        "the backup's settings for the owner": "config/from-backup.toml",
        "what was put aside": "data/before-restore-1/journal.db",
        "the mark again": "companion-backup",
    }
    json = member("data/calibration.json", b"{}")
    unicode = "data/jоurnal.db"  # the second letter is Cyrillic
    made = {what: sealed(member(name, b"x")) for what, name in names.items()}
    made |= {
        "a symbolic link": sealed(link("data/x.db", tarfile.SYMTYPE)),
        "a symbolic link for settings": sealed(link("config/companion.toml", tarfile.SYMTYPE)),
        "a hard link": sealed(link("data/x.db", tarfile.LNKTYPE)),
        "a character device": sealed(member("data/x.db", type=tarfile.CHRTYPE, devmajor=1)),
        "a block device": sealed(member("data/x.db", type=tarfile.BLKTYPE, devmajor=8)),
        "a pipe": sealed(member("data/x.db", type=tarfile.FIFOTYPE)),
        "a folder": sealed(member("data/x.db", type=tarfile.DIRTYPE)),
        "a sparse file": sealed(member("data/x.db", type=tarfile.GNUTYPE_SPARSE)),
        "an unknown kind": sealed(member("data/x.db", type=b"Z")),
        "a name in another header": sealed(
            member("data/x.db", b"x", pax_headers={"path": "/x"}), format=tarfile.PAX_FORMAT
        ),
        "a letter that looks like another": sealed(member(unicode), format=tarfile.GNU_FORMAT),
        "a right-to-left name": sealed(member("data/\u202ebd.db"), format=tarfile.PAX_FORMAT),
        "rights of its owner for all": sealed(member("data/x.json", b"{}", mode=0o4755)),
        "the sticky bit": sealed(member("data/x.json", b"{}", mode=0o1777)),
        "the same name twice": sealed(json, json),
        "many files": sealed(*(member(f"data/x{n}.json", b"{}") for n in range(501))),
        "a large board": sealed(member("boards/saved/x.toml", b"#" * 300_000)),
        "large settings": sealed(member("config/companion.toml", b"#" * 65_000)),
        "600 MB in a file": bomb("data/journal.db"),
        "a huge header": bomb("data/x.db", tarfile.XHDTYPE),
        "a huge name": bomb("data/x.db", tarfile.GNUTYPE_LONGNAME),
        "something behind the end": sealed(json, behind=b"more"),
        "zeros without end": sealed(json, behind=bytes(150_000_000)),
        "a damaged journal": sealed(member("data/journal.db", damaged_journal(folder))),
        "a journal that is none": sealed(member("data/journal.db", b"no database" * 100)),
        "settings that are none": sealed(member("config/companion.toml", b"[web\nport")),
        "settings of bytes": sealed(member("config/companion.toml", b"\xff\xfe\x00")),
        "endless settings": sealed(member("config/companion.toml", b"x = " + b"[" * 60_000)),
        "another version": make(version="3"),
        "no version": make(version="", sums=""),
        "a mark of bytes": gzip.compress(member("companion-backup", b"\xff")[0].tobuf() + b"\xff"),
        "nothing": b"",
        "an empty gzip": gzip.compress(b""),
        "no gzip": b"PK\x03\x04" + bytes(1000),
        "a plain tar": gzip.decompress(sealed(json)),
    }
    if version == SEALED:
        made |= {
            "a file that is not listed": sealed(json, sums=""),
            "a file that is listed otherwise": sealed(
                json, sums="0" * 64 + "  data/calibration.json\n"
            ),
            "a list of more than there is": sealed(sums="0" * 64 + "  data/calibration.json\n"),
            "no seal": sealed(json)[:-95],
        }
    return made


@pytest.mark.parametrize("version", [SEALED, UNSEALED])
def test_a_crafted_backup_is_refused_and_touches_nothing(table, tmp_path, version):
    file = tmp_path / "crafted.tar.gz"
    made = crafted(tmp_path, version)
    assert len(made) >= 50
    file.touch(mode=0o600)
    before = table.tree()
    for what, content in made.items():
        file.write_bytes(content)
        sentence = refused(table, file, before)
        assert "Traceback" not in sentence, what
    assert table.moves() == ("e2", "e8")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('[store]\npath = "/srv/others/journal.db"', 'store.path = "/srv/others/journal.db"'),
        ('[store]\npath = "../../../srv/others/journal.db"', "store.path"),
        ('[game]\nengine = "sh -c reboot"', "game.engine"),
        ('[game]\nengine = "reboot"', "game.engine"),
        ('[camera]\nsource = "/etc/shadow"', 'camera.source = "/etc/shadow"'),
        ('[camera]\nsource = "http://evil.example/video"', "camera.source"),
        ('[hall]\nport = "/dev/sda"', "hall.port"),
        ('[board]\nprofile = "../../x.toml"', "board.profile"),
        ('[voice]\nlanguage = "--option"', "voice.language"),
        ('[web]\nhost = "0.0.0.0"', "web.host"),
        ("[web]\npairing = false", "web.pairing"),
        ('[web]\nnames = ["evil.example"]', "web.names"),
        ('[web]\nfront = "192.168.1.66"', "web.front"),
        ('[web]\ncamera = "everyone"', "web.camera"),
        ("[record]\non = true", "record.on"),
        ('[web]\n"a.b" = "\\u001b[2J"', 'web.a.b = "\\u001b[2J"'),
        ("store = 3", "store = 3"),
    ],
)
def test_settings_that_name_a_path_a_command_or_an_address_are_told_and_not_taken_over(
    table, tmp_path, setting, told
):
    text = f"{setting}\n" if "=" in setting.split("\n")[0] else f"{setting}\n[referee]\nx = 1\n"
    file = tmp_path / "crafted.tar.gz"
    file.write_bytes(make(member("config/companion.toml", text.encode())))
    before = (table.root / "srv/others/journal.db").read_bytes()
    code, out, err = table.run("restore", file)
    assert (code, err) == (0, "")
    assert f"not taken over from the backup: {told}" in out
    assert "\x1b" not in out
    now = tomllib.loads((table.etc / "companion.toml").read_text())
    assert now["camera"] == {"source": "/dev/video0"}  # as this machine has it
    assert "store" not in now
    assert not {"engine", "names", "front"} & (
        now.get("game", {}).keys() | now.get("web", {}).keys()
    )
    assert now.get("hall", {}) == now.get("board", {}) == now.get("voice", {}) == {}
    assert (table.root / "srv/others/journal.db").read_bytes() == before
    assert (table.etc / "from-backup.toml").read_text() == text


def test_data_go_to_the_folder_that_this_machine_names_whatever_the_backup_says(table, tmp_path):
    (table.etc / "companion.toml").write_text('[store]\npath = "/srv/games/journal.db"\n')
    file = tmp_path / "crafted.tar.gz"
    text = b'[store]\npath = "/srv/others/journal.db"\n[web]\nport = 80\n'
    file.write_bytes(make(member("config/companion.toml", text), member("data/new.json", b"{}")))
    assert table.run("restore", file)[0] == 0
    assert (table.root / "srv/games/new.json").read_bytes() == b"{}"
    assert [path.name for path in (table.root / "srv/others").iterdir()] == ["journal.db"]
    now = config.load(table.etc / "companion.toml")
    assert (str(now.store.path), now.web.port) == ("/srv/games/journal.db", 80)


def test_every_setting_of_words_and_numbers_is_taken_over(table, tmp_path):
    text = (
        '# ours\n[game]\nname = "pacman"\noptions = {lives = "5"}\nseats = ["person", "4"]\n'
        '[lights]\nbrightness = 0.3\nnight = [22, 7]\n[camera]\nsource = "/dev/video0"\n'
    )
    file = tmp_path / "kept.tar.gz"
    file.write_bytes(make(member("config/companion.toml", text.encode())))
    assert table.run("restore", file) == (0, "", "")
    assert (table.etc / "companion.toml").read_text() == text  # with its comments


# --- sound ----------------------------------------------------------------------------------------


def test_boards_come_back_to_both_their_folders_and_later_ones_stay(table, kept):
    (table.etc / "boards/oak.toml").write_text("title = 'changed'\n")
    (table.etc / "boards/later.toml").write_text("title = 'later'\n")
    (table.data / "boards/taught.toml").unlink()
    assert table.run("restore", kept) == (0, "", "")
    assert (table.etc / "boards/oak.toml").read_text() == "title = 'oak'\n"
    assert (table.data / "boards/taught.toml").read_text() == "title = 'taught'\n"
    aside = next((table.etc / "boards").glob("before-restore-*"))
    assert [path.name for path in aside.iterdir()] == ["oak.toml"]
    assert (table.etc / "boards/later.toml").exists()


def test_a_board_whose_name_cannot_be_kept_is_told(table, tmp_path):
    (table.etc / "boards/Großmutter.toml").write_text("title = 'hers'\n")
    (table.etc / "boards/linked.toml").symlink_to("oak.toml")
    code, out, err = table.run("backup", tmp_path / "kept.tar.gz")
    assert (code, err) == (0, "")
    assert [line.split(" is not kept")[0].rpartition("/")[2] for line in out.splitlines()] == [
        "Großmutter.toml",
        "linked.toml",
    ]


def test_two_restores_at_the_same_moment_do_not_mix_what_they_put_aside(table, kept, monkeypatch):
    monkeypatch.setattr(archive, "datetime", Then)
    assert table.run("restore", kept)[0] == 0
    before = table.tree()
    code, _, err = table.run("restore", kept)
    assert code == 1
    assert "File exists" in err
    assert table.tree() == before


def test_a_sealed_backup_is_a_tar_that_lists_its_own_checksums(kept, tmp_path):
    subprocess.run(["tar", "xzf", kept], cwd=tmp_path, check=True)
    lines = (tmp_path / "companion-backup").read_text().splitlines()
    assert lines[0] == "2"
    names = [line.split("  ")[1] for line in lines[1:]]
    assert "data/journal.db" in names
    assert "data/cookie.key" not in names
    checked = subprocess.run(
        ["sha256sum", "--check", "--strict"],
        input="\n".join(lines[1:]) + "\n",
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr


def test_an_old_backup_without_checksums_is_taken_and_its_owner_told(table, kept, tmp_path):
    subprocess.run(["tar", "xzf", kept], cwd=tmp_path, check=True)
    old = tmp_path / "old.tar.gz"
    with tarfile.open(old, "w:gz") as file:
        for info, held in (
            member("companion-backup", b"1"),
            member("config/companion.toml", b"[web]\nport = 99\n"),
            member("data/cookie.key", b"s" * 32, mtime=1.5),
        ):
            file.addfile(info, io.BytesIO(held))
        file.add(tmp_path / "data/journal.db", "data/journal.db")
    code, out, err = table.run("restore", old)
    assert (code, err) == (0, "")
    assert "an old one, without checksums" in out
    assert table.moves() == ("e2", "e8")
    assert (table.data / "cookie.key").read_bytes() == b"k" * 32  # this machine's


@pytest.mark.parametrize("fails_at", range(12))
def test_a_restore_that_fails_on_the_way_leaves_everything_as_it_was(
    table, kept, monkeypatch, fails_at
):
    (table.data / "simulated.db-wal").touch()
    before = table.tree()
    calls = iter(range(1000))
    real = os.rename

    def rename(*args, **more):
        if next(calls) == fails_at:
            raise OSError(28, "No space left on device")
        return real(*args, **more)

    monkeypatch.setattr(os, "rename", rename)
    code, _, err = table.run("restore", kept)
    if code == 0:
        assert next(calls) <= fails_at  # there are not so many steps
        return
    assert "No space left on device" in err
    assert table.tree() == before


def test_a_journal_that_would_not_be_kept_is_told(table, tmp_path):
    (table.etc / "companion.toml").write_text('[store]\npath = "/srv/games/my games"\n')
    code, _, err = table.run("backup", tmp_path / "kept.tar.gz")
    assert code == 1
    assert "'my games' cannot be kept" in err


# --- links in the data folder, which is not root's ------------------------------------------------

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root could be led astray")


def give(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, SOMEBODY, SOMEBODY, follow_symlinks=False)


@root_only
def test_what_is_restored_belongs_to_the_owner_of_the_data(table, kept):
    give(table.data)
    assert table.run("restore", kept) == (0, "", "")
    owners = {path.lstat().st_uid for path in [table.data, *table.data.rglob("*")]}
    assert owners == {SOMEBODY}
    assert table.moves() == ("e2", "e8")
    assert os.geteuid() == 0


@root_only
@pytest.mark.parametrize(
    "name",
    [
        "journal.db.new",
        ".journal.db.new",
        "journal.db",
        "calibration.json",
        "boards",
        "before-restore-20260102-030405",
    ],
)
def test_root_follows_no_link_out_of_the_data_folder(table, kept, name, monkeypatch):
    victim = table.root / "srv/others"
    (victim / "taught.toml").write_text("of somebody else")
    place = table.data / name
    if place.is_dir():
        place.rename(table.data / "old-boards")
    place.unlink(missing_ok=True)
    folder = name in ("boards",) or name.startswith("before")
    place.symlink_to(victim if folder else victim / "journal.db")
    give(table.data)

    monkeypatch.setattr(archive, "datetime", Then)
    before = {path: path.read_bytes() for path in victim.iterdir()}
    table.run("restore", kept)
    assert {path: path.read_bytes() for path in victim.iterdir()} == before
    assert {path.lstat().st_uid for path in victim.iterdir()} == {0}


@root_only
def test_a_data_folder_that_is_a_link_to_root_s_is_not_written_to(table, kept, tmp_path):
    """Where the settings put the journal below the service's folder, it can put a link there."""
    games = table.data / "games"
    games.mkdir()
    (table.etc / "companion.toml").write_text('[store]\npath = "/var/lib/companion/games/j.db"\n')
    give(table.data)
    games.rmdir()
    games.symlink_to(table.root / "srv/others")
    before = sorted((table.root / "srv/others").iterdir())
    code, _, err = table.run("restore", kept)
    assert code == 1
    assert len(err.splitlines()) == 1
    assert sorted((table.root / "srv/others").iterdir()) == before


@pytest.fixture
def open_table(capsys):
    """A machine that others can look into: SQLite goes there by its path."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        table = Table(Path(folder))
        table.capsys = capsys
        yield table


@root_only
def test_a_backup_does_not_read_what_the_owner_of_the_data_may_not(open_table, tmp_path):
    table = open_table
    secret = table.root / "etc/shadow"
    secret.write_text("secret")
    secret.chmod(0o600)
    (table.data / "calibration.json").unlink()
    (table.data / "calibration.json").symlink_to(secret)
    give(table.data)
    file = tmp_path / "kept.tar.gz"
    assert table.run("backup", file)[0] == 0
    assert b"secret" not in gzip.decompress(file.read_bytes())


@root_only
@pytest.mark.parametrize("name", ["journal.db", "calibration.json"])
def test_a_file_that_the_owner_of_the_data_may_not_read_is_named(table, tmp_path, name):
    give(table.data)
    os.chown(table.data / name, 0, 0)
    (table.data / name).chmod(0o600)
    code, _, err = table.run("backup", tmp_path / "kept.tar.gz")
    assert (code, err) == (1, f"{name}: Permission denied\n")


def test_a_journal_that_is_none_is_named(table, tmp_path):
    (table.data / "journal.db").write_bytes(b"no database" * 1000)
    code, _, err = table.run("backup", tmp_path / "kept.tar.gz")
    assert (code, err) == (1, "the journal journal.db cannot be kept: file is not a database\n")


def test_a_backup_does_not_write_through_a_link(table, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("of somebody else")
    file = tmp_path / "kept.tar.gz"
    for name in ("kept.tar.gz", ".kept.tar.gz.new"):
        (tmp_path / name).symlink_to(victim)
    assert table.run("backup", file) == (0, "", "")
    assert victim.read_text() == "of somebody else"
    assert not file.is_symlink()
