"""The scenarios of ``manage.py benchmark``, one file each."""
