"""What strangers send, read within limits."""
