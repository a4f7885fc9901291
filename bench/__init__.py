"""The figures of the companion, measured: ``python -m bench``, or ``make bench``."""
