"""Pictures: where they come from, how they are kept, and whether they are any good."""
