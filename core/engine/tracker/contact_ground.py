"""The ground of the planar simulation: one interface for firm, spongy and moving ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .ground_step import Contact, GroundPoint, GroundStep
from .path_ground import PathGround

Array = NDArray[np.float64]


class ContactGround(Protocol):
    """Ground along a path. Its state is an array, which is empty where nothing moves."""

    @property
    def rest(self) -> PathGround:
        """The ground without a body on it."""

    @property
    def is_fixed(self) -> bool:
        """Whether nothing moves, so that a body in it is moved out of it at once."""

    @property
    def is_foreseeable(self) -> bool:
        """Whether feet will lie about as the ground at rest shows it."""

    def make_state(self) -> Array:
        """Return the state at rest."""

    def locate_surface(self, state: Array, distance: float) -> GroundPoint:
        """Return height and slope of the ground at a distance along the path [m]."""

    def find_station(self, state: Array, distance: float) -> float:
        """Return where the point of the surface at a distance along the path is at rest [m]."""

    def trace_surface(self, states: Array) -> Array:
        """Return the line of the ground that moves, forward and up [m]. (n, s) -> (n, k, 2)."""

    def begin_step(self, state: Array, contacts: Sequence[Contact], seconds: float) -> GroundStep:
        """Return a time step of a length [s] with contacts."""
