"""Maneuvers that replace steps at a ledge: climbing and jumping down, each a table of stages."""
