"""What people send, checked before a service sees it."""
