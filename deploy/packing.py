"""The file of a backup: a tar in gzip, which any tar unpacks, and which is read here with distrust.

The first member lists the checksums of all others, in the manner of ``sha256sum``; a seal at the
end holds one of the whole file, so that not a bit can change unseen. A checksum tells damage, not
malice: whoever reads still looks at every name, kind and size before a byte is written.
"""

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

MARK = "companion-backup"  # the first member: its version, then the checksums of the others
VERSION = "2"
UNSEALED = "1"  # of backups from before there were checksums
MOST_BYTES = 100_000_000  # unpacked, everything together
MOST_FILES = 500
MARK_BYTES = 64_000

_BLOCK = 512
_CHUNK = 64 * 1024
#: In unsealed backups, times have headers of their own, which are passed over.
_TIMES = (tarfile.XHDTYPE,)
_TIMES_BYTES = 4096


class ArchiveError(Exception):
    """What is wrong, in a sentence."""


def pack(members: Mapping[str, bytes]) -> bytes:
    """Return the file that holds these members; ArchiveError when they are too many or large."""
    total = sum(map(len, members.values()))
    if len(members) > MOST_FILES or total > MOST_BYTES:
        raise ArchiveError(
            f"a backup holds at most {MOST_FILES} files and {MOST_BYTES // 10**6} MB, these are"
            f" {len(members)} files and {total // 10**6} MB: move some of them elsewhere"
        )
    sums = "".join(f"{_sum(content)}  {name}\n" for name, content in members.items())
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as squeezed,
        tarfile.open(fileobj=squeezed, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in {MARK: f"{VERSION}\n{sums}".encode(), **members}.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue() + _seal(_sum(packed.getvalue()))


def unpack(
    file: BinaryIO,
    is_known: Callable[[str, int], bool],
    put: Callable[[str, Iterator[bytes]], object],
) -> str:
    """Hand each member of a backup to ``put``, and return the backup's version.

    ``is_known`` tells whether a member of this name and size belongs into one. ArchiveError when
    the file is anything else than a whole, sound backup; what was put until then is not to be used.
    """
    try:
        stream = _Bounded(file)
        version, sums = _read_mark(stream)
        found = _put_all(stream, version, is_known, put)
    except (tarfile.TarError, EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
        raise ArchiveError("it is damaged or no backup of the companion") from error
    if version != UNSEALED and (found != sums or not _is_sealed(file)):
        raise ArchiveError(
            "its checksums are wrong: it is damaged, or is no backup of the companion"
        )
    return version


def _read_mark(stream: "_Bounded") -> tuple[str, dict[str, str]]:
    block = stream.exactly(_BLOCK)
    member = tarfile.TarInfo.frombuf(block, "ascii", "strict")
    if member.name != MARK or not member.isreg() or not 0 < member.size <= MARK_BYTES:
        raise ArchiveError("it is no backup of the companion")
    version, *lines = b"".join(_content(stream, member.size)).decode("ascii").splitlines()
    if version not in (VERSION, UNSEALED):
        raise ArchiveError(f"it is a backup of version {version[:9]!r}, which is not known here")
    sums = {}
    for line in lines:
        digest, _, name = line.partition("  ")
        sums[name] = digest
    return version, sums


def _put_all(
    stream: "_Bounded",
    version: str,
    is_known: Callable[[str, int], bool],
    put: Callable[[str, Iterator[bytes]], object],
) -> dict[str, str]:
    """Hand all members on and return their checksums; the stream is then read to its end."""
    found: dict[str, str] = {}
    while any(block := stream.exactly(_BLOCK)):
        member = tarfile.TarInfo.frombuf(block, "ascii", "strict")
        if version == UNSEALED and member.type in _TIMES and 0 <= member.size <= _TIMES_BYTES:
            b"".join(_content(stream, member.size))
            continue
        name = member.name
        is_plain = member.type == tarfile.REGTYPE and not member.mode & 0o7000 and member.size >= 0
        if not is_plain or not is_known(name, member.size):
            raise ArchiveError(f"it holds {name!r:.80}, which is none of the companion's")
        if name in found:
            raise ArchiveError(f"it holds {name!r:.80} twice")
        if len(found) == MOST_FILES:
            raise ArchiveError(f"it holds more than {MOST_FILES} files")
        digest = hashlib.sha256()
        chunks = _hashed(_content(stream, member.size), digest.update)
        put(name, chunks)
        for _ in chunks:  # what was not wanted is checked all the same
            pass
        found[name] = digest.hexdigest()
    while chunk := stream.read(_CHUNK):
        if any(chunk):
            raise ArchiveError("it goes on behind its end")
    return found


def _content(stream: "_Bounded", size: int) -> Iterator[bytes]:
    for start in range(0, size, _CHUNK):
        yield stream.exactly(min(_CHUNK, size - start))
    if any(stream.exactly(-size % _BLOCK)):
        raise ArchiveError("it holds something between its files")


def _hashed(chunks: Iterator[bytes], note: Callable[[bytes], object]) -> Iterator[bytes]:
    for chunk in chunks:
        note(chunk)
        yield chunk


class _Bounded:
    """What gzip unpacks, up to a size: a small file may hold more than fits on the disk."""

    def __init__(self, file: BinaryIO) -> None:
        self._stream = gzip.GzipFile(fileobj=file)
        # Headers and padding take their part besides.
        self._left = MOST_BYTES + (2 * MOST_FILES + 20) * 2 * _BLOCK

    def read(self, size: int) -> bytes:
        """Return at most so many bytes; none at the end, which then has been checked."""
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError(f"it holds more than {MOST_BYTES // 10**6} MB")
        return data

    def exactly(self, size: int) -> bytes:
        """Return so many bytes."""
        data = self.read(size) if size else b""
        if len(data) != size:
            raise EOFError
        return data


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _seal(digest: str) -> bytes:
    """Return an empty gzip member with a checksum as its comment; unpacking sees none of it."""
    head = b"\x1f\x8b\x08\x10" + bytes(4) + b"\x02\xff"  # there is a comment; no time
    return head + f"sha256 {digest}".encode() + b"\x00" + b"\x03\x00" + bytes(8)


def _is_sealed(file: BinaryIO) -> bool:
    length = len(_seal(_sum(b"")))
    left = file.seek(0, io.SEEK_END) - length
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0:
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            return False
        digest.update(chunk)
        left -= len(chunk)
    return left == 0 and file.read() == _seal(digest.hexdigest())
