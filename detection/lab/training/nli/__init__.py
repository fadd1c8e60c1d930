"""Training of the local NLI model: data mix, training, export, calibration, evaluation."""
