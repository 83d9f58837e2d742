"""Styles: how a body moves, their files, mixes and settings."""
