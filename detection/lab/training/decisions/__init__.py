"""Fitting of the decisions that stand behind the NLI model."""
