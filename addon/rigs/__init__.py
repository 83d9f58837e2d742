"""Armatures and control rigs."""
