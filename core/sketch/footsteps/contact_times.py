"""Times at which a foot strikes, comes down flat, raises its heel and lifts off."""

from __future__ import annotations

from dataclasses import dataclass

from ..course.course import ROLL_SHARES
from ..gait.gait import Gait


@dataclass(frozen=True)
class RollTiming:
    """Shares of a contact in which the foot lands and pushes off."""

    # Least share at either end, for a foot that does not roll.
    min_share: float = 0.05
    # Share by whose end the heel is down at the latest, if the foot lands on its toes.
    max_heel_lowering_share: float = 0.25


ROLL_TIMING = RollTiming()


@dataclass(frozen=True)
class ContactTimes:
    """Times of one contact.

    Args:
        strike: time at which the foot comes down [s].
        flat: time at which the whole sole is down [s].
        heel_off: time at which the foot begins to push off [s].
        lift: time at which it leaves the ground [s].
    """

    strike: float
    flat: float
    heel_off: float
    lift: float


def compute_contact_times(
    gait: Gait, time: float, facing_cosine: float, is_forefoot: bool
) -> ContactTimes:
    """Return the times of a contact.

    A foot that moves backward lands on its toes, and one that moves sideways rolls less.

    Args:
        time: middle of the contact [s].
        facing_cosine: cosine of the angle between the direction of travel and the facing.
        is_forefoot: whether the foot stands on ball and toes alone.
    """
    contact_time = gait.contact_time
    cycle = gait.cycle
    strike = time - 0.5 * contact_time
    landing_share, push_off_share = (
        (cycle.flat, 1 - cycle.heel_off)
        if facing_cosine > 0
        else (min(1 - cycle.heel_off, ROLL_TIMING.max_heel_lowering_share), cycle.flat)
    )
    roll_share = ROLL_SHARES.sideways + (1 - ROLL_SHARES.sideways) * facing_cosine**2
    return ContactTimes(
        strike,
        strike
        if is_forefoot
        else strike + max(roll_share * landing_share, ROLL_TIMING.min_share) * contact_time,
        strike + min(1 - roll_share * push_off_share, 1 - ROLL_TIMING.min_share) * contact_time,
        strike + contact_time,
    )
