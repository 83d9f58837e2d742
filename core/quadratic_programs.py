"""Conventions of DAQP, the solver of all quadratic programs."""

from __future__ import annotations

# Magnitude from which the solver treats a bound as infinite
UNBOUNDED = 1e30
