"""Maneuvers in stages: climbing, jumping down."""
