"""The user's networks of the engine Fast, and controllers of the engine Adaptive, by body."""

from __future__ import annotations

from pathlib import Path

from .folders import get_user_folder


def networks_folder() -> Path:
    """Return the folder of the user's networks, whether it exists or not."""
    return get_user_folder("networks")


def controllers_folder() -> Path:
    """Return the folder of the user's controllers, whether it exists or not."""
    return get_user_folder("controllers")
