"""Disturbances of a simulated body: pushes and thrown balls."""
