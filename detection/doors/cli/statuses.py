"""The exit statuses: no findings, findings, error."""

CLEAN, FOUND, ERROR = 0, 1, 2
