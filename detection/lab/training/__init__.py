"""Builds the local models that ship in ``detection/data``; needs the ``train`` extra, and nothing else imports it."""
