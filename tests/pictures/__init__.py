"""Pictures of every state of the pages, for ``docs/screens.md``. See ``__main__``."""
