"""Names of the controllers that a body needs for what it does.

Blender reads this module when it starts, so it must not import what simulates.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from pathlib import Path

import numpy as np

from ...geometry import so3
from ...task import Task

TURN_NAME = "stand-turn"  # of the controller by which a body turns where it stands
CONTROLLERS_FOLDER = Path(__file__).with_name("controllers")
# Environment variable with the folder of the user's controllers
USER_FOLDER_VARIABLE = "FOOTFALL_CONTROLLERS"


@cache
def list_shipped_names() -> frozenset[str]:
    """Return the names of the movements and transitions whose controllers Footfall ships."""
    return frozenset(path.stem for path in CONTROLLERS_FOLDER.glob("*.json"))


def find_drive_problem(names: Container[str]) -> str:
    """Return why bodies cannot be driven with some controllers, or "".

    Args:
        names: of the movements and transitions that there are controllers for.
    """
    if can_change(names, "stand", "forward"):
        return ""
    return (
        "The engine 'adaptive' has no controllers to stand and to begin to walk, so its bodies "
        "cannot be driven. Choose another engine"
    )


def can_change(names: Container[str], before: str, after: str) -> bool:
    """Return whether there are controllers for the change from one movement to another.

    Two movements that are not standing have the body stand between them.

    Args:
        names: of the movements and transitions that there are controllers for.
        before, after: names of the movements.
    """
    if before != "stand" and after != "stand":
        return can_change(names, before, "stand") and can_change(names, "stand", after)
    if find_gait_name(before) not in names or find_gait_name(after) not in names:
        return False
    return find_gait_name(f"{before}-{after}") in names


def can_turn(names: Container[str], movement: str) -> bool:
    """Return whether a body that does a movement can stop, turn where it stands and go on.

    Args:
        names: of the movements and transitions that there are controllers for.
        movement: its name.
    """
    if TURN_NAME not in names:
        return False
    return movement == "stand" or (
        can_change(names, movement, "stand") and can_change(names, "stand", movement)
    )


def find_movement_after(transition: str) -> str:
    """Return the name of the movement after a transition."""
    before, after = transition.split("-")
    return before if after == "turn" else after


def find_gait_name(movement: str) -> str:
    """Return the name of the controller of a movement or transition; right mirrors left."""
    return movement.replace("right", "left")


def find_moving_gait(offset: float) -> str:
    """Return the movement of a body that faces at an angle to the left of its path [rad]."""
    quarter = round(float(so3.wrap_angle(offset)) / (0.5 * np.pi)) % 4
    return ("forward", "right", "backward", "left")[quarter]


def find_facing_offset(task: Task, distance: float, time: float) -> float:
    """Return the angle of the body to the left of its path [rad]."""
    if task.facing is not None:
        return float(task.facing.yaw_offset_at(task.path, distance))
    return float(np.radians(task.facing_offset.value_at(time)))
