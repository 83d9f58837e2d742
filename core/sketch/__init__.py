"""Level 1: the inverted pendulum's way along the path, and the footsteps sampled from it."""
