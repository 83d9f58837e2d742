"""Contacts of the planar biped with a ground, and what a time step of the ground adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# State of ground of which nothing moves.
FIRM: Array = np.zeros(0)
# Share of the depth of a foot in moving ground that a time step corrects.
DEPTH_CORRECTION = 0.2


@dataclass(frozen=True)
class GroundPoint:
    """Height [m] and slope of the ground at a place."""

    height: float
    slope: float


@dataclass(frozen=True)
class Contact:
    """A point of a sole near the ground.

    Args:
        point: row of `PlanarBiped.points`.
        gap: distance from the ground along its normal [m].
        normal: of the ground, shape (2,).
        distance: of the point along the path [m].
    """

    point: int
    gap: float
    normal: Array
    distance: float

    @property
    def axes(self) -> Array:
        """Normal, and tangent forward, as rows, shape (2, 2)."""
        forward, up = self.normal
        return np.array([[forward, up], [up, -forward]])


class GroundStep(Protocol):
    """A time step of a ground with k contacts; rows are normal, tangential, normal, ..."""

    @property
    def velocity(self) -> Array:
        """Velocity of the ground at the contacts without impulses [m/s], shape (2 k,)."""

    @property
    def response(self) -> Array:
        """Change of the velocity of a body against the ground per impulse [1/kg], (2 k, 2 k).

        It is the share of the ground only.
        """

    @property
    def approach(self) -> Array:
        """Normal velocity that contacts may have at the end of the step [m/s], shape (k,)."""

    def finish(self, impulse: Array, soles: Array) -> Array:
        """Return the state of the ground after the step.

        Args:
            impulse: on the body [N s], shape (2 k,).
            soles: heights of the contacts after the step, over which the ground would be [m],
                shape (k,).
        """


@dataclass(frozen=True)
class FixedStep:
    """A time step of ground that does not move, see `GroundStep`."""

    velocity: Array
    response: Array
    approach: Array
    state: Array

    @staticmethod
    def from_contacts(contacts: Sequence[Contact], seconds: float, state: Array) -> FixedStep:
        """Return the step of a length [s]."""
        count = 2 * len(contacts)
        approach = np.array([max(c.gap, 0.0) / seconds for c in contacts])
        return FixedStep(np.zeros(count), np.zeros((count, count)), approach, state)

    def finish(self, impulse: Array, soles: Array) -> Array:
        """Return the state, which stays."""
        return self.state


def limit_approach(contacts: Sequence[Contact], seconds: float) -> Array:
    """Return the normal velocity at which contacts reach moving ground [m/s], shape (k,).

    Those in it are brought out by a share of their depth.

    Args:
        contacts: contacts.
        seconds: length of the time step [s].
    """
    gap = np.array([c.gap for c in contacts])
    return np.asarray(
        (np.maximum(gap, 0.0) + DEPTH_CORRECTION * np.minimum(gap, 0.0)) / seconds, float
    )
