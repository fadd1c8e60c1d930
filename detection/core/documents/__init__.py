"""Files that people trust, as text: what a reader would see, with the places (pages, headings) that it stands at."""
