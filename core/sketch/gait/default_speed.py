"""The speed that a body chooses by itself."""

from __future__ import annotations

from ...character.character import Character
from ...character.humanoid import is_humanoid
from .gait_body import build_gait_body
from .gait_law import FroudeGaitLaw


def compute_default_speed(character: Character) -> float:
    """Speed that a body of another build than people's goes at of itself on earth, m/s; 0 for
    people, whose styles tell.
    """
    return (
        0.0 if is_humanoid(character) else FroudeGaitLaw(build_gait_body(character)).default_speed
    )
