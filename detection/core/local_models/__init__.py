"""The models that ship with the program, and the process in which they run."""
