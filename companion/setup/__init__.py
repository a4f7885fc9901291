"""Setting the table up: its steps, its diagnosis, and what was measured."""
