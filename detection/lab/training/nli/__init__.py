"""Training of the local natural language inference model: data mix, training, export, calibration, figures."""
