"""A model asked again about what it wrote, and what comes of two answers that differ."""
