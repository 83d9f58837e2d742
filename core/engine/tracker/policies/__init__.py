"""Policies of the tracker that look ahead, computed on its reduced dynamics."""
