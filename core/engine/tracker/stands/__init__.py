"""Starts from a stand and stops in one, as steps that are followed once."""
