"""Level 1: the course of an inverted pendulum along the path, and footsteps sampled from it."""
