"""Fit the decisions that use the scores of the NLI model."""
