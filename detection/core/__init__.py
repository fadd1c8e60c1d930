"""The detection engine: text and ports in, typed events out.

Nothing below this package imports Django, Channels or Celery (``tests/core/test_imports.py`` proves it), so that
the same code serves the web page, the command line and a plain script.
"""
