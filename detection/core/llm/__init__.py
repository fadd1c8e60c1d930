"""Call language models behind an OpenAI-compatible endpoint, and validate their answers."""
