"""The test whether a body is built like a human."""

from __future__ import annotations

from .character import Character, Limb

# Longest foot that can roll from heel to toe [leg length]: for a longer foot the leg cannot raise
# the heel far enough
MAX_FOOT_LENGTH_RATIO = 0.8


def is_humanoid(character: Character) -> bool:
    """Return whether a body has two human legs of thigh, shin and foot with a sole.

    Styles apply to such bodies only.
    """
    return len(character.legs) == 2 and all(_is_human_leg(character, leg) for leg in character.legs)


def _is_human_leg(character: Character, leg: Limb) -> bool:
    """Return whether a knee folds backward and the foot has a sole that can roll."""
    if len(leg.links) != 3 or leg.foot is None or leg.foot.is_point:
        return False
    hip, knee = (character.links[k].joint for k in leg.links[:2])
    if hip.kind != "ball" or not knee.ranges or knee.ranges[0][1] < -knee.ranges[0][0]:
        return False
    return float(leg.foot.tip[0] - leg.foot.heel[0]) < MAX_FOOT_LENGTH_RATIO * character.leg_length
