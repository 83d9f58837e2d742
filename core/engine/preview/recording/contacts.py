"""When the feet of a simulated body were on the ground, from the forces on their soles."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....simulate.model import TouchPoint

Array = NDArray[np.float64]

BEARS = 0.002         # body weights on points of a sole that bear
CONTACT = 0.02        # body weights under a foot that is down
SHORT = 0.05          # s: shorter contacts are no footsteps, and gaps no swings
SCUFF = 0.1           # body weights in the mean, below which a foot has brushed the ground but not stepped on it


@dataclass(frozen=True)
class Contact:
    """One of a foot: the instants of strike, flat, heel-off and lift, and one in its middle."""

    leg: int
    instants: tuple[int, int, int, int]
    middle: int


@dataclass
class Contacts:
    """Finds contacts that last.

    Args:
        soles: the points of each foot.
        step: s between instants.
        weight: N, of the body.
    """

    soles: tuple[tuple[TouchPoint, ...], ...]
    step: float
    weight: float
    _since: dict[int, tuple[int, int]] = field(default_factory=dict)      # leg: strike and flat, forgotten by now, of its contact

    def lasting(self, upward: Array, begin: int) -> list[Contact]:
        """Contacts among instants from `begin` on.

        Args:
            upward: (instants, points) N, forces on the points of all soles.
        """
        out, first = [], 0
        share = upward / self.weight
        for leg, sole in enumerate(self.soles):
            own = share[:, first:first + len(sole)]
            first += len(sole)
            is_heel = np.array(["heel" in point.name for point in sole])
            parts = [own[:, which].sum(1) > BEARS for which in (is_heel, ~is_heel)]
            for a, b in self._stretches(own.sum(1) > CONTACT):
                if own[a:b].sum() < SCUFF * (b - a):
                    continue
                down = [np.flatnonzero(part[a:b]) if part[a:b].any() else np.array([0, b - a - 1]) for part in parts]
                strike, flat = sorted(begin + a + int(part[0]) for part in down)
                if leg in self._since and a * self.step < SHORT:
                    strike, flat = self._since[leg]
                heel_off, lift = sorted(begin + a + int(part[-1]) + 1 for part in down)
                out.append(Contact(leg, (strike, flat, heel_off, lift), begin + (a + b) // 2))
        return out

    def forget(self, upward: Array, begin: int, drop: int) -> None:
        """Remember of contacts that are going on after `drop` instants when they began; arguments as `lasting`."""
        now = begin + drop
        going = [c for c in self.lasting(upward, begin) if c.instants[0] < now < c.instants[3]]
        self._since = {c.leg: c.instants[:2] for c in going}

    def _stretches(self, down: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Instants from and to which a foot is down."""
        edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(np.int8), [0]])))
        pairs: list[tuple[int, int]] = []
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            if pairs and (a - pairs[-1][1]) * self.step < SHORT:
                pairs[-1] = (pairs[-1][0], int(b))
            else:
                pairs.append((int(a), int(b)))
        return [(a, b) for a, b in pairs if (b - a) * self.step >= SHORT]
