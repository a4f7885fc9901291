"""The keys that open hidden hands: made from a secret, so that nobody can guess one.

A key holds for one seat of one company of players until its link is renewed; nothing has to be
kept but what everybody may know.
"""

import base64
import hashlib
import hmac

from companion.service.places import Places
from companion.service.requests import Place


class Passes:
    """Makes and checks keys. A seat's begins with its number: ``2-Jq…``."""

    def __init__(self, secret: str | bytes) -> None:
        known = secret.encode() if isinstance(secret, str) else secret
        self._secret = hmac.digest(known, b"passes", hashlib.sha256)

    def key(self, places: Places, seat: int) -> str:
        """Return the key of a seat, as it is now."""
        return f"{seat + 1}-{self._made('seat', places.mark, seat, places.renewed[seat])}"

    def place(self, places: Places, key: object) -> Place | None:
        """Return the seat that a key opens, None when it opens none."""
        if not isinstance(key, str) or len(key) > 100 or not key.isascii():
            return None
        for seat, renewed in enumerate(places.renewed):
            if hmac.compare_digest(key, self.key(places, seat)):
                return Place(seat, renewed)
        return None

    def host_key(self, places: Places) -> str:
        """Return the key of whoever hands out the seats."""
        return self._made("host", places.mark)

    def is_host(self, places: Places, key: object) -> bool:
        """Tell whether a key is that of whoever hands out the seats."""
        known = isinstance(key, str) and key.isascii()
        return known and hmac.compare_digest(str(key), self.host_key(places))

    def _made(self, *of: object) -> str:
        said = "\n".join(map(str, of)).encode()
        digest = hmac.digest(self._secret, said, hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")
