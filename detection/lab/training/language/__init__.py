"""Train the English pipeline of ``detection/data/spacy``."""
