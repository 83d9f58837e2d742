"""Contacts of the feet of a simulated body, from the forces on their soles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....geometry.spans import find_spans
from ....simulate.model import TouchPoint

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactLoadParameters:
    """Which loads are contacts. Loads are vertical forces in body weights [1]."""

    # Load above which points of a sole are loaded [1]. Numerical: above the rounding of contact
    # forces.
    min_point_load: float = 0.002
    # Load above which a foot is in contact [1], ten times that of a point, of which a sole has
    # six.
    min_contact_load: float = 0.02
    # Duration below which a contact is no footstep, and a gap between contacts no swing [s]; the
    # shortest human contacts, of sprinters, are 0.08 s.
    min_contact_time: float = 0.05
    # Mean load below which a foot has only brushed the ground [1].
    # guarded by: test_passing.py
    min_mean_load: float = 0.1


CONTACTS = ContactLoadParameters()


@dataclass(frozen=True)
class SoleContact:
    """One contact of a foot.

    Attributes:
        leg: number of the foot.
        strike, flat, heel_off, lift: instants at which its first and its second part (heel, or ball
            and toes) come down and leave.
        middle: instant midway through the contact.
    """

    leg: int
    strike: int
    flat: int
    heel_off: int
    lift: int
    middle: int


@dataclass(frozen=True)
class _Interval:
    """Instants from `begin` up to, but without, `end`."""

    begin: int
    end: int


@dataclass(frozen=True)
class _Strike:
    """Instants at which a contact begins."""

    strike: int
    flat: int


@dataclass
class ContactDetector:
    """Detects contacts that last long enough for a footstep.

    Args:
        soles: contact points of each foot.
        dt: time between instants [s].
        weight: weight of the body [N].
    """

    soles: tuple[tuple[TouchPoint, ...], ...]
    dt: float
    weight: float
    # Beginnings, by leg, of current contacts whose first instants were dropped.
    _ongoing: dict[int, _Strike] = field(default_factory=dict)

    def find_contacts(self, forces: Array, begin: int) -> list[SoleContact]:
        """Return the contacts among consecutive instants.

        Args:
            forces: (instants, points) vertical forces on the contact points of all soles [N].
            begin: first of these instants.
        """
        contacts = []
        first = 0
        loads = forces / self.weight
        for leg, sole in enumerate(self.soles):
            sole_loads = loads[:, first : first + len(sole)]
            first += len(sole)
            contacts += [
                self._make_contact(leg, sole_loads, interval, begin)
                for interval in self._find_intervals(sole_loads.sum(1) > CONTACTS.min_contact_load)
                if sole_loads[interval.begin : interval.end].sum()
                >= CONTACTS.min_mean_load * (interval.end - interval.begin)
            ]
        return contacts

    def forget(self, forces: Array, begin: int, drop: int) -> None:
        """Store when the current contacts began, before their first instants are dropped.

        Args:
            forces: (instants, points) vertical forces on the contact points of all soles [N].
            begin: first of these instants.
            drop: number of instants that are dropped.
        """
        now = begin + drop
        self._ongoing = {
            contact.leg: _Strike(contact.strike, contact.flat)
            for contact in self.find_contacts(forces, begin)
            if contact.strike < now < contact.lift
        }

    def _make_contact(
        self, leg: int, sole_loads: Array, interval: _Interval, begin: int
    ) -> SoleContact:
        """Return the contact of a foot in an interval.

        Args:
            sole_loads: (instants, points of this sole) loads [body weights].
            interval: relative to the first of these instants.
            begin: first of these instants.
        """
        loads = sole_loads[interval.begin : interval.end]
        offset = begin + interval.begin
        is_heel = np.array(["heel" in point.name for point in self.soles[leg]])
        loaded_indices = []
        for is_part in (is_heel, ~is_heel):
            is_loaded = loads[:, is_part].sum(1) > CONTACTS.min_point_load
            loaded_indices.append(
                np.flatnonzero(is_loaded) if is_loaded.any() else np.array([0, len(loads) - 1])
            )
        strike, flat = sorted(offset + int(part[0]) for part in loaded_indices)
        heel_off, lift = sorted(offset + int(part[-1]) + 1 for part in loaded_indices)
        if leg in self._ongoing and interval.begin * self.dt < CONTACTS.min_contact_time:
            strike = self._ongoing[leg].strike
            flat = self._ongoing[leg].flat
        return SoleContact(
            leg, strike, flat, heel_off, lift, middle=begin + (interval.begin + interval.end) // 2
        )

    def _find_intervals(self, is_down: NDArray[np.bool_]) -> list[_Interval]:
        """Return when a foot is in contact; short gaps are closed, short contacts left out.

        Args:
            is_down: (instants,) whether the foot is loaded.
        """
        intervals: list[_Interval] = []
        for span in find_spans(is_down):
            if intervals and (span.start - intervals[-1].end) * self.dt < CONTACTS.min_contact_time:
                intervals[-1] = _Interval(intervals[-1].begin, span.stop)
            else:
                intervals.append(_Interval(span.start, span.stop))
        return [i for i in intervals if (i.end - i.begin) * self.dt >= CONTACTS.min_contact_time]
