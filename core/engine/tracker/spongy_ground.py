"""Spongy ground: columns side by side that yield under a foot and come back after it.

A column is a spring and a damper without mass. Heel and ball of a foot press those around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .ground_step import Contact, GroundPoint, limit_approach
from .path_ground import PathGround

Array = NDArray[np.float64]

# Distance between columns [m], a tenth of a foot.
COLUMN_STEP = 0.03
# Distance from a heel or ball up to which columns yield with it [m].
PRESSED_REACH = 0.09


@dataclass(frozen=True)
class SpongyGround:
    """Level ground of height 0 that is spongy on a part of the path, and firm beyond.

    Its state is the depth of each column [m], shape (n,).

    Args:
        begin, end: of the spongy part along the path [m].
        stiffness: force per depth of a heel or a ball [N/m].
        damping: force per speed of a heel or a ball [N s/m].
    """

    begin: float
    end: float
    stiffness: float
    damping: float

    @property
    def rest(self) -> PathGround:
        """Level ground."""
        return PathGround.level()

    @property
    def is_fixed(self) -> bool:
        """False."""
        return False

    @property
    def is_foreseeable(self) -> bool:
        """False: it is level at rest, and a foot lies in it as it is pressed."""
        return False

    @cached_property
    def columns(self) -> Array:
        """Places of the columns along the path [m], shape (n,)."""
        count = int(np.ceil((self.end - self.begin) / COLUMN_STEP)) + 1
        return np.linspace(self.begin, self.end, count)

    def make_state(self) -> Array:
        """Return the state at rest, shape (n,)."""
        return np.zeros(len(self.columns))

    def locate_surface(self, state: Array, distance: float) -> GroundPoint:
        """Return height [m] and slope of the ground at a distance along the path [m].

        The slope is that of the ground at rest: friction acts across the columns.
        """
        depth = np.interp(distance, self.columns, state, left=0.0, right=0.0)
        return GroundPoint(-float(depth), 0.0)

    def find_station(self, state: Array, distance: float) -> float:
        """Return the distance, as columns move up and down [m]."""
        return distance

    def trace_surface(self, states: Array) -> Array:
        """Return the tops of the columns, forward and up [m]. (n, s) -> (n, s, 2)."""
        return np.stack([np.broadcast_to(self.columns, states.shape), -states], -1)

    def begin_step(self, state: Array, contacts: Sequence[Contact], seconds: float) -> SpongyStep:
        """Return a time step of a length [s] with contacts."""
        return SpongyStep(self, state, tuple(contacts), seconds)


@dataclass(frozen=True)
class SpongyStep:
    """A time step of spongy ground, see `GroundStep`.

    Spring and damper act as they are at the end of the step, so that stiff columns stay stable.

    Args:
        ground: ground.
        state: depth of each column before the step [m], shape (n,).
        contacts: contacts.
        seconds: length of the step [s].
    """

    ground: SpongyGround
    state: Array
    contacts: tuple[Contact, ...]
    seconds: float

    @cached_property
    def _is_spongy(self) -> NDArray[np.bool_]:
        place = np.array([c.distance for c in self.contacts])
        return (place >= self.ground.begin) & (place <= self.ground.end)

    @cached_property
    def _mobility(self) -> float:
        """Velocity of a column per impulse at the end of the step [1/kg]."""
        ground = self.ground
        return 1 / (self.seconds * (self.seconds * ground.stiffness + ground.damping))

    @property
    def velocity(self) -> Array:
        """Zeros, as columns have no velocity without a force but that in `approach`."""
        return np.zeros(2 * len(self.contacts))

    @property
    def response(self) -> Array:
        """Change of the normal velocities of columns per impulse [1/kg], shape (2 k, 2 k)."""
        diagonal = np.zeros(2 * len(self.contacts))
        diagonal[0::2] = self._mobility * self._is_spongy
        return np.diag(diagonal)

    @property
    def approach(self) -> Array:
        """Normal velocity at which a contact reaches its column [m/s], shape (k,)."""
        gap = np.array([c.gap for c in self.contacts])
        depth = np.array(
            [-self.ground.locate_surface(self.state, c.distance).height for c in self.contacts]
        )
        rebound = self._mobility * self.seconds * self.ground.stiffness * depth
        firm = limit_approach(self.contacts, self.seconds)
        return np.where(self._is_spongy, gap / self.seconds - rebound, firm)

    def finish(self, impulse: Array, soles: Array) -> Array:
        """Return the depth of each column after the step [m], see `GroundStep.finish`."""
        ground = self.ground
        share = ground.damping / (ground.damping + self.seconds * ground.stiffness)
        depth = share * self.state
        for k, contact in enumerate(self.contacts):
            if impulse[2 * k] > 0 and self._is_spongy[k]:
                pressed = np.abs(ground.columns - contact.distance) < PRESSED_REACH
                depth[pressed] = np.maximum(depth[pressed], -soles[k])
        return depth
