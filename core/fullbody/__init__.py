"""Level 3: poses of the whole body that carry out a plan."""
