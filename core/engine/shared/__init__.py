"""Modules that all engines share."""
