"""Language models behind an OpenAI-compatible endpoint: asked with care, and never trusted."""
