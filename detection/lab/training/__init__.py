"""Train the local models of ``detection/data``. This needs the ``train`` extra; no other package imports it."""
