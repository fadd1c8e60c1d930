"""Find the names of a text: their positions, their categories, and the pronouns that refer to them."""
