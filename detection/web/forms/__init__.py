"""Validation of user input before a service gets it."""
