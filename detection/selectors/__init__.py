"""All reads: views of stored data for pages, downloads and services.

``detail`` is a check with everything that belongs to it; the other modules are its parts, and lists.
"""
