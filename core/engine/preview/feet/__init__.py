"""Targets of the feet: swing, clearance, heel-off."""
