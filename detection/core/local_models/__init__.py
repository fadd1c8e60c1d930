"""The shipped models, and the process in which they run."""
