"""A text that is checked while it is written, so that a mistake does not breed the next one (METHODS D)."""
