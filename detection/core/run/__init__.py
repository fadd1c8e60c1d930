"""One run over a text: units, order, reused results, verdicts."""
