"""Split the sources of a check into passages, and find the passages for a sentence."""
