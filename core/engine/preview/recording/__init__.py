"""Recording of a simulation as a motion."""
