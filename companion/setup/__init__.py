"""Setting the table up (commissioning): its steps, its diagnosis, and what was measured."""
