"""Split sentences into claims that can be looked up one by one (METHODS C.1), for all detectors of a check."""
