"""A chain of rigid links in the plane that hangs between two fixed ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...terrain import hang_links

Array = NDArray[np.float64]

# Rounds in which the lengths of the links are restored, and the error at which they end [length of
# a link]. Numerical: Newton's method doubles the right digits with each round.
LENGTH_ROUNDS = 8
LENGTH_ERROR = 1e-7


@dataclass(frozen=True)
class LinkChain:
    """n equal links, whose coordinates are the places of the n - 1 hinges between them.

    Both ends are at height 0, at distances 0 and `span`. Arrays of hinges have the shape
    (n - 1, 2), forward and up [m] or [m/s].

    Args:
        count: number n of links.
        span: distance of the ends [m].
        sag: depth of the deepest hinge or link at rest [m].
        mass: of a link, equally distributed along it [kg].
        damping: rate at which motion decays [1/s].
        gravity: [m/s^2].
    """

    count: int
    span: float
    sag: float
    mass: float
    damping: float
    gravity: float

    @cached_property
    def _nodes(self) -> Array:
        return hang_links(self.count, self.span, self.sag)

    @property
    def rest(self) -> Array:
        """Places of the hinges at rest."""
        return self._nodes[1:-1]

    @cached_property
    def length(self) -> float:
        """Length of a link [m]."""
        return float(np.linalg.norm(self._nodes[1] - self._nodes[0]))

    @property
    def fastest_rate(self) -> float:
        """Rate of the fastest swing of the hinges about their places at rest [rad/s]."""
        tension = self.count * self.mass * self.gravity * self.span / (8 * self.sag)
        # Rods with distributed mass swing by the root of 3 faster than points of the same mass.
        return float(2 * np.sqrt(3 * tension / (self.mass * self.length)))

    @cached_property
    def mass_matrix(self) -> Array:
        """Mass matrix of the coordinates of all hinges [kg], shape (2 (n - 1), 2 (n - 1))."""
        inner = self.count - 1
        matrix = self.mass / 6 * (4 * np.eye(inner) + np.eye(inner, k=1) + np.eye(inner, k=-1))
        return np.asarray(np.kron(matrix, np.eye(2)), float)

    @cached_property
    def inverse_mass(self) -> Array:
        """Inverse of `mass_matrix` [1/kg]."""
        return np.linalg.inv(self.mass_matrix)

    def list_nodes(self, hinges: Array) -> Array:
        """Return the places of first end, hinges and last end, shape (n + 1, 2)."""
        return np.concatenate([[[0.0, 0.0]], hinges, [[self.span, 0.0]]])

    def compute_links(self, hinges: Array) -> Array:
        """Return the vectors along the links [m], shape (n, 2)."""
        return np.diff(self.list_nodes(hinges), axis=0)

    def compute_stretch_rows(self, links: Array) -> Array:
        """Return the rows whose products with the velocities are zero, shape (n, 2 (n - 1)).

        Args:
            links: vectors along the links, shape (n, 2).
        """
        rows = np.zeros((self.count, self.count + 1, 2))
        index = np.arange(self.count)
        rows[index, index] = -links
        rows[index, index + 1] = links
        return rows[:, 1:-1].reshape(self.count, -1)

    def compute_response(self, rows: Array) -> Array:
        """Return the change of the velocities per impulse of links that keep their length.

        Args:
            rows: of `compute_stretch_rows`.
        """
        across = rows @ self.inverse_mass
        return np.asarray(self.inverse_mass - across.T @ np.linalg.solve(across @ rows.T, across))

    def fall_freely(self, velocity: Array, response: Array, seconds: float) -> Array:
        """Return velocities after a time [s] without forces but gravity and damping.

        Args:
            velocity: shape (n - 1, 2).
            response: of `compute_response`.
            seconds: time [s].
        """
        momentum = self.mass_matrix @ velocity.ravel() / (1 + seconds * self.damping)
        momentum[1::2] -= seconds * self.gravity * self.mass
        return np.asarray(response @ momentum)

    def restore_lengths(self, hinges: Array, rows: Array) -> Array:
        """Return places at which the links have their length, moved by forces along them.

        Args:
            hinges: shape (n - 1, 2).
            rows: of `compute_stretch_rows` at the place before.
        """
        spread = self.inverse_mass @ rows.T
        out = hinges
        for _ in range(LENGTH_ROUNDS):
            links = self.compute_links(out)
            error = 0.5 * ((links**2).sum(1) - self.length**2)
            if np.abs(error).max() < LENGTH_ERROR * self.length:
                break
            pull = np.linalg.solve(self.compute_stretch_rows(links) @ spread, error)
            out = out - (spread @ pull).reshape(-1, 2)
        return out

    def compute_energy(self, hinges: Array, velocity: Array) -> float:
        """Return the kinetic and potential energy [J]."""
        flat = velocity.ravel()
        height = self.mass * self.gravity * hinges[:, 1].sum()
        return float(0.5 * flat @ self.mass_matrix @ flat + height)
