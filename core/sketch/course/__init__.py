"""The pendulum on its cart along the path."""
