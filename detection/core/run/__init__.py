"""Run all detectors over a text: units, order, reused results, verdicts."""
