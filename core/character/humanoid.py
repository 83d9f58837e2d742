"""Whether a body is built like people."""

from __future__ import annotations

from .character import Character, Limb

# of a leg's length that a foot is long at most to be rolled over: the leg must lift all of its heel
MAX_FOOT_LENGTH_RATIO = 0.8


def is_humanoid(character: Character) -> bool:
    """Whether a body walks on two legs of thigh, shin and foot with soles,
    so that styles can tell how.
    """
    return len(character.legs) == 2 and all(_is_human_leg(character, leg) for leg in character.legs)


def _is_human_leg(character: Character, leg: Limb) -> bool:
    """Whether a leg's knee folds backward, and it has a sole that it can roll over."""
    if len(leg.links) != 3 or leg.foot is None or leg.foot.is_point:
        return False
    hip, knee = (character.links[k].joint for k in leg.links[:2])
    if hip.kind != "ball" or not knee.ranges or knee.ranges[0][1] < -knee.ranges[0][0]:
        return False
    return float(leg.foot.tip[0] - leg.foot.heel[0]) < MAX_FOOT_LENGTH_RATIO * character.leg_length
