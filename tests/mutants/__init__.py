"""How many small faults in the code the tests find. See ``__main__``."""
