"""Make rewrites, check them again, and apply them to the text."""
