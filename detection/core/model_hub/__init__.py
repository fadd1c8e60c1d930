"""Models from a hub: what one holds, whether it can judge pairs of sentences, and the way into a folder of ours."""
