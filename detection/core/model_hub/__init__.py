"""Install models from a hub: list their files, test whether they can judge pairs of sentences, and store them."""
