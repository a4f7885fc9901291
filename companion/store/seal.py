"""Seals what must not be read while a game is played, such as the cards of hidden hands.

The key lies beside the journal and is in no backup, so that a copy of the journal tells nobody's
hand. A seal is a nonce, the text under a keystream, and a tag that proves both
(encrypt-then-MAC, HMAC-SHA-256 for either).
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable

from companion.errors import JournalError

_MARK = "sealed:"
_NONCE, _TAG, _BLOCK = 12, 12, 32


class Seal:
    """Seals texts with a key; ``nonce`` returns so many random bytes.

    Example::

        seal = Seal(key)
        seal.opened(seal.sealed("deal:ghost"))  # "deal:ghost"
    """

    def __init__(self, key: bytes, nonce: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._key = hmac.digest(key, b"journal", hashlib.sha256)
        self._nonce = nonce

    def sealed(self, text: str) -> str:
        """Return a text that only this key opens, of a length that says nothing."""
        nonce, plain = self._nonce(_NONCE), text.encode()
        plain += b" " * (-len(plain) % _BLOCK)
        hidden = self._under(nonce, plain)
        whole = nonce + hidden + self._tag(nonce + hidden)
        return _MARK + base64.urlsafe_b64encode(whole).decode()

    def opened(self, text: str) -> str:
        """Return what was sealed; a text that was not stays as it is. JournalError otherwise."""
        if not text.startswith(_MARK):
            return text
        try:
            whole = base64.urlsafe_b64decode(text.removeprefix(_MARK))
        except ValueError:
            whole = b""
        nonce, hidden, tag = whole[:_NONCE], whole[_NONCE:-_TAG], whole[-_TAG:]
        if not hidden or not hmac.compare_digest(tag, self._tag(nonce + hidden)):
            raise JournalError("its cards are sealed with the key of another machine")
        return self._under(nonce, hidden).decode().rstrip(" ")

    def _under(self, nonce: bytes, text: bytes) -> bytes:
        blocks = range(-(-len(text) // _BLOCK))
        stream = b"".join(
            hmac.digest(self._key, b"stream" + nonce + bytes([block]), hashlib.sha256)
            for block in blocks
        )
        return bytes(one ^ other for one, other in zip(text, stream, strict=False))

    def _tag(self, said: bytes) -> bytes:
        return hmac.digest(self._key, b"tag" + said, hashlib.sha256)[:_TAG]
