"""Files that people trust, as text: what a reader would see, with the places (pages, headings) that it stands at."""

from .reading import read_document

__all__ = ["read_document"]
