"""A part of a motion solved again."""
