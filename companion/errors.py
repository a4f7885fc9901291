"""The project's exceptions: one base class, and children that also derive from a built-in one.

What players do wrong is a verdict, never an exception. These are for broken hardware, broken
files and text that cannot be read.
"""


class CompanionError(Exception):
    """Something the person at the keyboard can put right; its text is one clear sentence."""


class Busy(CompanionError):
    """Something that is done one at a time, and is being done now; ask again in a moment."""


class MoveError(CompanionError, ValueError):
    """A move that cannot be played."""


class MalformedMove(MoveError):
    """Text that is no move in this game's notation."""


class IllegalMove(MoveError):
    """A well-formed move that the rules do not allow here; the text says why."""


class UnknownGame(CompanionError, LookupError):
    """A game that is not among those the companion knows."""

    wrong_use = True


class NotAtTheTable(CompanionError, ValueError):
    """A game that is known, but that the table does not referee."""

    wrong_use = True


class OptionError(CompanionError, ValueError):
    """An option that does not exist, or a value that it does not take."""

    wrong_use = True


class RecordError(CompanionError, ValueError):
    """A game record that cannot be read or replayed."""


class ProfileError(CompanionError, ValueError):
    """A board profile that cannot be used."""

    wrong_use = True


class UnknownBoard(ProfileError, LookupError):
    """A board profile that does not exist."""


class ConfigError(CompanionError, ValueError):
    """A settings file that cannot be used."""

    wrong_use = True


class PictureError(CompanionError, ValueError):
    """A picture that cannot be read."""


class CornersError(CompanionError, ValueError):
    """Corners that no board in a picture can have."""

    wrong_use = True


class CalibrationError(CompanionError, OSError):
    """The file that keeps where the board lies in the picture cannot be read or written."""


class DeviceError(CompanionError, OSError):
    """A camera, serial port or strip that does not answer as it should."""


class JournalError(CompanionError, OSError):
    """The journal on disk cannot be opened or written."""


class JournalPlaceError(JournalError):
    """The file that the settings name for the journal cannot be a journal."""

    wrong_use = True


class RecordingError(CompanionError, OSError):
    """Recordings of games that cannot be read, written or deleted."""


class EngineError(CompanionError, OSError):
    """A program that plays for the companion does not start or answer, or answers nonsense."""
