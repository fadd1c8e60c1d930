"""Read a whole text with a language model that names the sentences that contradict each other."""
