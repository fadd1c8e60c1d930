"""A language model reads a whole text and names the sentences that contradict each other."""
