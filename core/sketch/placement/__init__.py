"""Placement of one foot on the ground."""
