"""Read untrusted data within limits."""
