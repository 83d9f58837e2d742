"""The reference trajectory of the body."""
