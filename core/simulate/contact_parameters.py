"""Properties of contacts between a simulated body and the ground."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ContactParameters:
    """Contact properties, as MuJoCo has them (see its documentation of `solref` and `solimp`)."""

    # Time constant [s] and damping ratio. tuned: stiffer or less damped contacts rebound at steps
    # of 1 ms, and the controller then pushes on contacts that are not there
    solref: tuple[float, float] = (0.006, 2.0)
    # Impedance of the contact: least and largest value, width [m], midpoint and power
    solimp: tuple[float, float, float, float, float] = (0.95, 0.99, 0.001, 0.5, 2.0)
    # Coefficients of sliding, torsional [m] and rolling [m] friction
    friction: tuple[float, float, float] = (1.0, 0.005, 0.0001)


CONTACT = ContactParameters()
