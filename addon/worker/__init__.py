"""Processes beside Blender that solve."""
