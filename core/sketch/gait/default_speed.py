"""The default speed of a body."""

from __future__ import annotations

from ...character.character import Character
from ...character.humanoid import is_humanoid
from .gait_body import build_gait_body
from .gait_law import FroudeGaitLaw


def compute_default_speed(character: Character) -> float:
    """Return the default speed on Earth of a body that is not a humanoid [m/s].

    The result is 0 for a humanoid, whose styles define the speed.
    """
    return (
        0.0 if is_humanoid(character) else FroudeGaitLaw(build_gait_body(character)).default_speed
    )
