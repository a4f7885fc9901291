"""The Universal Game Interface (UGI) at both ends: our engine, and the client that asks one."""
