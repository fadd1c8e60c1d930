"""Find self-contradictions: ask a model again about its text, and compare the answers."""
