"""Get text from the public web, and only from there, for sources and evidence."""
