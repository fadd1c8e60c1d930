"""What the names of a text refer to: where they stand, what kind of thing they name, which pronouns mean them."""
