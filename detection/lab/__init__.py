"""How good it is, how fast it is, and where its models come from. Nothing that serves a page imports it."""
