"""When the feet of a simulated body were on the ground, from the forces on their soles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....simulate.model import TouchPoint

Array = NDArray[np.float64]

MIN_POINT_LOAD = 0.002  # body weights on points of a sole that bear
MIN_CONTACT_LOAD = 0.02  # body weights under a foot that is down
MIN_CONTACT_TIME = 0.05  # s: shorter contacts are no footsteps, and gaps no swings
# body weights in the mean, below which a foot has brushed the ground but not stepped on it
MIN_MEAN_LOAD = 0.1


@dataclass(frozen=True)
class SoleContact:
    """One of a foot: the instants of strike, flat, heel-off and lift, and one in its middle."""

    leg: int
    instants: tuple[int, int, int, int]
    middle: int


@dataclass
class ContactDetector:
    """Finds contacts that last.

    Args:
        soles: the points of each foot.
        dt: s between instants.
        weight: N, of the body.
    """

    soles: tuple[tuple[TouchPoint, ...], ...]
    dt: float
    weight: float
    # leg: strike and flat, forgotten by now, of its contact
    _ongoing: dict[int, tuple[int, int]] = field(default_factory=dict)

    def find_contacts(self, upward: Array, begin: int) -> list[SoleContact]:
        """Contacts among instants from `begin` on.

        Args:
            upward: (instants, points) N, forces on the points of all soles.
        """
        out = []
        first = 0
        loads = upward / self.weight
        for leg, sole in enumerate(self.soles):
            sole_loads = loads[:, first : first + len(sole)]
            first += len(sole)
            is_heel = np.array(["heel" in point.name for point in sole])
            is_part_loaded = [
                sole_loads[:, is_part].sum(1) > MIN_POINT_LOAD for is_part in (is_heel, ~is_heel)
            ]
            for a, b in self._find_intervals(sole_loads.sum(1) > MIN_CONTACT_LOAD):
                if sole_loads[a:b].sum() < MIN_MEAN_LOAD * (b - a):
                    continue
                loaded_indices = [
                    np.flatnonzero(part[a:b]) if part[a:b].any() else np.array([0, b - a - 1])
                    for part in is_part_loaded
                ]
                strike, flat = sorted(begin + a + int(part[0]) for part in loaded_indices)
                if leg in self._ongoing and a * self.dt < MIN_CONTACT_TIME:
                    strike, flat = self._ongoing[leg]
                heel_off, lift = sorted(begin + a + int(part[-1]) + 1 for part in loaded_indices)
                out.append(SoleContact(leg, (strike, flat, heel_off, lift), begin + (a + b) // 2))
        return out

    def forget(self, upward: Array, begin: int, drop: int) -> None:
        """Remember of contacts that are going on after `drop` instants when they began;
        arguments as `find_contacts`.
        """
        now = begin + drop
        ongoing = [
            c for c in self.find_contacts(upward, begin) if c.instants[0] < now < c.instants[3]
        ]
        self._ongoing = {c.leg: c.instants[:2] for c in ongoing}

    def _find_intervals(self, is_down: NDArray[np.bool_]) -> list[tuple[int, int]]:
        """Instants from and to which a foot is down."""
        edges = np.flatnonzero(np.diff(np.concatenate([[0], is_down.astype(np.int8), [0]])))
        pairs: list[tuple[int, int]] = []
        for a, b in zip(edges[::2], edges[1::2], strict=True):
            if pairs and (a - pairs[-1][1]) * self.dt < MIN_CONTACT_TIME:
                pairs[-1] = (pairs[-1][0], int(b))
            else:
                pairs.append((int(a), int(b)))
        return [(a, b) for a, b in pairs if (b - a) * self.dt >= MIN_CONTACT_TIME]
