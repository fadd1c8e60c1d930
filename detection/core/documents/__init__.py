"""Read files into text with places (pages, headings)."""

from .reading import read_document, read_json_file

__all__ = ["read_document", "read_json_file"]
