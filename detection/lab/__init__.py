"""Evaluation, benchmarks, and the training of the models. Nothing that serves a page imports this."""
