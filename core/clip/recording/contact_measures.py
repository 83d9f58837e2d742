"""Measurements of one contact of a foot relative to the body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...geometry import so3
from .actor import FPS
from .contacts import Feet, FootContact
from .strides import Stride

Array = NDArray[np.float64]

# Pitch of a foot, relative to its pitch in contact, from which on its heel rises [rad].
HEEL_RISE_ANGLE = np.radians(3)
# Difference of the contact after a stride from the first one of the same foot from which on it
# belongs to another gait, such as a stop, as a share of the latter.
MAX_CONTACT_CHANGE = 0.25


@dataclass(frozen=True)
class ContactMeasures:
    """Measurements of one contact.

    Args:
        contact: the contact.
        strike_pitch: pitch of the foot at its strike, toes up [rad].
        lift_pitch: pitch of the foot at its lift, toes up [rad].
        heel_rise_time: time at which the heel starts to rise [s].
        toe_out: turn of the foot to the left of the heading [rad].
        foot_offset: distance of the sole behind the center of mass in the middle of the
            contact [m].
        lateral_offset: distance of the sole to the left of the path of the body [m].
        lateral_sway: distance of the center of mass to the left of that path [m].
    """

    contact: FootContact
    strike_pitch: float
    lift_pitch: float
    heel_rise_time: float
    toe_out: float
    foot_offset: float
    lateral_offset: float
    lateral_sway: float

    @property
    def contact_time(self) -> float:
        """Duration of the contact [s]."""
        return self.contact.lift - self.contact.strike

    @property
    def heel_off_share(self) -> float:
        """Time at which the heel starts to rise, as a share of the contact."""
        return (self.heel_rise_time - self.contact.strike) / self.contact_time

    @property
    def flat_share(self) -> float:
        """Time at which the ball comes down, as a share of the contact."""
        return (self.contact.flat - self.contact.strike) / self.contact_time

    @staticmethod
    def from_contact(
        feet: Feet, com: Array, contact: FootContact, stride: Stride
    ) -> ContactMeasures:
        """Return the measurements of a contact.

        The path of the body is the line from the first to the last center of mass of the stride.

        Args:
            com: (n, 3) center of mass over time [m].
        """
        strike, flat, heel_off, lift = (
            min(round(t * FPS), len(com) - 1)
            for t in (contact.strike, contact.flat, contact.heel_off, contact.lift)
        )
        stance = slice(min(flat, heel_off), max(flat, heel_off) + 1)
        pitch = feet.pitch[:, contact.side]
        heading = float(stride.heading.mean())
        rise_frame = heel_off
        rise_pitch = float(np.median(pitch[stance])) - HEEL_RISE_ANGLE
        while rise_frame > flat and pitch[rise_frame - 1] < rise_pitch:
            rise_frame -= 1
        sole_position = 0.5 * (feet.heels + feet.balls)[stance, contact.side].mean(0)
        middle_frame = min(round(contact.time * FPS), len(com) - 1)
        a = stride.begin
        b = stride.end
        path_position = com[a] + (com[b] - com[a]) * (middle_frame - a) / (b - a)
        left_direction = np.array([-np.sin(heading), np.cos(heading)])
        return ContactMeasures(
            contact,
            float(pitch[strike]),
            float(pitch[lift]),
            heel_rise_time=rise_frame / FPS,
            toe_out=float(
                so3.wrap_angle(float(feet.heading[stance, contact.side].mean()) - heading)
            ),
            foot_offset=float(
                (com[middle_frame] - sole_position)[:2] @ [np.cos(heading), np.sin(heading)]
            ),
            lateral_offset=float((sole_position - path_position)[:2] @ left_direction),
            lateral_sway=float((com[middle_frame] - path_position)[:2] @ left_direction),
        )


def drop_unlike_contacts(
    contacts: Sequence[ContactMeasures], stride: Stride
) -> tuple[ContactMeasures, ...]:
    """Return contacts without one after the stride that is unlike the first one of its foot."""
    first = next((m for m in contacts if abs(m.contact.strike * FPS - stride.begin) < 2), None)
    return tuple(
        m
        for m in contacts
        if first is None
        or abs(m.contact.strike * FPS - stride.end) >= 2
        or abs(m.contact_time / first.contact_time - 1) < MAX_CONTACT_CHANGE
        or not (m.contact.is_complete and first.contact.is_complete)
    )
