"""The Universal Game Interface at both ends: our engine, and whoever asks one."""
