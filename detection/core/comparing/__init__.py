"""How two sentences stand to each other: whether they speak of the same thing, and whether both can be true."""
