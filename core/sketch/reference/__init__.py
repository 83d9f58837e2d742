"""The reference course of the body."""
