"""Engine "preview": a simulated body that plans its next two steps at every control step.

Source: Mordatch, de Lasa, Hertzmann 2010.
"""
