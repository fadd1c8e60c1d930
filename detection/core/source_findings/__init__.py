"""Verdicts and findings about a sentence that was compared with sources, or looked up."""
