"""The contact phases of a gait."""
