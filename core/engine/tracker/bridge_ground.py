"""A bridge of moving links, hung between two ends, that moves with the body on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .ground_step import Contact, GroundPoint, limit_approach
from .link_chain import LinkChain
from .path_ground import GROUND_STEP, PathGround

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HingeMotion:
    """Motion of the hinges of a chain, from its first end.

    Args:
        place: [m], shape (n - 1, 2).
        velocity: [m/s], shape (n - 1, 2).
    """

    place: Array
    velocity: Array


@dataclass(frozen=True)
class LinkPlace:
    """A place on a chain.

    Args:
        link: index of the link.
        share: of its length, from its first end.
    """

    link: int
    share: float


@dataclass(frozen=True)
class BridgeGround:
    """Firm level ground of height 0 with a bridge of links from one distance to another.

    Its state are places and velocities of the hinges, as a flat array of shape (4 (n - 1),).

    Args:
        begin: of the bridge along the path [m].
        chain: links.
    """

    begin: float
    chain: LinkChain

    @property
    def end(self) -> float:
        """End of the bridge along the path [m]."""
        return self.begin + self.chain.span

    @cached_property
    def rest(self) -> PathGround:
        """The bridge without a body on it."""
        nodes = self.chain.list_nodes(self.chain.rest)
        count = int(np.ceil(self.chain.span / GROUND_STEP)) + 1
        place = np.linspace(0.0, self.chain.span, count)
        step = self.chain.span / (count - 1)
        return PathGround(self.begin, step, np.interp(place, nodes[:, 0], nodes[:, 1]))

    @property
    def is_fixed(self) -> bool:
        """False."""
        return False

    @property
    def is_foreseeable(self) -> bool:
        """True, as links are heavy enough to hang about as at rest."""
        return True

    def make_state(self) -> Array:
        """Return the state at rest."""
        return np.stack([self.chain.rest, np.zeros_like(self.chain.rest)]).ravel()

    def read_state(self, state: Array) -> HingeMotion:
        """Return the motion of the hinges in a state."""
        place, velocity = state.reshape(2, self.chain.count - 1, 2)
        return HingeMotion(place, velocity)

    def find_link(self, hinges: Array, distance: float) -> LinkPlace | None:
        """Return the link at a distance along the path [m]; None beside the bridge."""
        nodes = self.chain.list_nodes(hinges)[:, 0]
        place = distance - self.begin
        if not 0 <= place < self.chain.span:
            return None
        link = min(int(np.searchsorted(nodes, place, side="right")) - 1, self.chain.count - 1)
        return LinkPlace(link, float((place - nodes[link]) / (nodes[link + 1] - nodes[link])))

    def locate_surface(self, state: Array, distance: float) -> GroundPoint:
        """Return height [m] and slope of the ground at a distance along the path [m]."""
        hinges = self.read_state(state).place
        on = self.find_link(hinges, distance)
        if on is None:
            return GroundPoint(0.0, 0.0)
        first, last = self.chain.list_nodes(hinges)[on.link : on.link + 2]
        slope = (last[1] - first[1]) / (last[0] - first[0])
        return GroundPoint(float(first[1] + on.share * (last[1] - first[1])), float(slope))

    def find_station(self, state: Array, distance: float) -> float:
        """Return where the point of the surface at a distance along the path is at rest [m]."""
        on = self.find_link(self.read_state(state).place, distance)
        if on is None:
            return distance
        first, last = self.chain.list_nodes(self.chain.rest)[on.link : on.link + 2, 0]
        return self.begin + float(first + on.share * (last - first))

    def trace_surface(self, states: Array) -> Array:
        """Return ends and hinges, forward and up [m]. (n, s) -> (n, links + 1, 2)."""
        nodes = np.stack([self.chain.list_nodes(self.read_state(s).place) for s in states])
        return nodes + [self.begin, 0.0]

    def begin_step(self, state: Array, contacts: Sequence[Contact], seconds: float) -> BridgeStep:
        """Return a time step of a length [s] with contacts."""
        return BridgeStep(self, state, tuple(contacts), seconds)


@dataclass(frozen=True)
class BridgeStep:
    """A time step of a bridge, see `GroundStep`.

    Args:
        ground: bridge.
        state: before the step.
        contacts: contacts.
        seconds: length of the step [s].
    """

    ground: BridgeGround
    state: Array
    contacts: tuple[Contact, ...]
    seconds: float

    @cached_property
    def _before(self) -> HingeMotion:
        return self.ground.read_state(self.state)

    @cached_property
    def _rows(self) -> Array:
        """Rows of the lengths of the links."""
        chain = self.ground.chain
        return chain.compute_stretch_rows(chain.compute_links(self._before.place))

    @cached_property
    def _chain_response(self) -> Array:
        return self.ground.chain.compute_response(self._rows)

    @cached_property
    def _free(self) -> Array:
        """Velocities of the hinges without contacts [m/s], shape (2 (n - 1),)."""
        velocity = self._before.velocity
        return self.ground.chain.fall_freely(velocity, self._chain_response, self.seconds)

    @cached_property
    def _contact_rows(self) -> Array:
        """Velocity of the surface at each contact by those of the hinges, (2 k, 2 (n - 1))."""
        rows = np.zeros((len(self.contacts), 2, self.ground.chain.count + 1, 2))
        for k, contact in enumerate(self.contacts):
            on = self.ground.find_link(self._before.place, contact.distance)
            if on is not None:
                rows[k, :, on.link] = (1 - on.share) * contact.axes
                rows[k, :, on.link + 1] = on.share * contact.axes
        return rows[:, :, 1:-1].reshape(2 * len(self.contacts), -1)

    @property
    def velocity(self) -> Array:
        """Velocity of the links at the contacts [m/s], shape (2 k,)."""
        return np.asarray(self._contact_rows @ self._free)

    @property
    def response(self) -> Array:
        """Change of the velocity against the links per impulse [1/kg], shape (2 k, 2 k)."""
        rows = self._contact_rows
        return np.asarray(rows @ self._chain_response @ rows.T)

    @property
    def approach(self) -> Array:
        """Normal velocity at which a contact reaches its link [m/s], shape (k,)."""
        return limit_approach(self.contacts, self.seconds)

    def finish(self, impulse: Array, soles: Array) -> Array:
        """Return the state after the step, see `GroundStep.finish`."""
        chain = self.ground.chain
        hinges = self._before.place
        velocity = self._free
        if len(impulse):
            velocity = velocity - self._chain_response @ (self._contact_rows.T @ impulse)
        moved = hinges + self.seconds * velocity.reshape(-1, 2)
        placed = chain.restore_lengths(moved, self._rows)
        return np.stack([placed, (placed - hinges) / self.seconds]).ravel()
