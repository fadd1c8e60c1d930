"""The exit statuses: nothing found, something found, and what could not be done."""

CLEAN, FOUND, ERROR = 0, 1, 2
