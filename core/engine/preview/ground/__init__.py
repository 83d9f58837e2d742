"""The terrain as the simulated body sees it."""
