"""Stored forms of composite values, and the leases on rows."""
