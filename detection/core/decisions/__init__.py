"""Small trained models that turn what the rules and the NLI model found into a calibrated probability."""
