"""One module per command of ``companion``, each with ``add_arguments`` and ``run``."""
