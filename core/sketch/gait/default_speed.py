"""The speed that a body chooses by itself."""
from __future__ import annotations

from ...character.character import Character
from ...character.humanoid import stands_like_people
from .gait_body import gait_body
from .gait_law import RhythmLaw


def gait_speed(character: Character) -> float:
    """Speed that a body of another build than people's goes at of itself on earth, m/s; 0 for people, whose styles tell."""
    return 0.0 if stands_like_people(character) else RhythmLaw(gait_body(character)).default_speed
