"""Rewrites: made, checked again, put into the text."""
