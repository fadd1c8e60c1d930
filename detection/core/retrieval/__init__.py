"""Getting text from the web, for sources and evidence. Nothing but the public web is reached."""
