"""The sidebar tab; it only draws."""
