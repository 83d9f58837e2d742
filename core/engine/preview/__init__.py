"""The engine in which nothing is drawn by hand: a simulated body that previews its next two steps.

Source: Mordatch, de Lasa, Hertzmann 2010.
"""
