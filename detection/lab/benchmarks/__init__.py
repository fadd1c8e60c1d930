"""What ``manage.py benchmark`` can measure: one file a scenario."""
