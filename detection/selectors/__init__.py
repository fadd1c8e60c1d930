"""Everything that reads: views of what is stored, as pages, downloads and services ask for them.

``detail`` is a check with all that belongs to it; the other modules are its parts, and lists.
"""
