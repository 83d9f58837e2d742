"""Level 3: poses of the whole body that follow a plan."""
