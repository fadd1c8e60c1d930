"""Training of the slot model: whether two masked values answer the same question about the same thing."""
