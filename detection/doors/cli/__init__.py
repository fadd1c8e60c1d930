"""The command line ``chatprotect``."""
