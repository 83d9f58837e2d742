"""Tasks: which character moves along which path, how fast, on what ground and in what style."""

from .bars import MonkeyBars
from .facing import PathFacing
from .file import load_task, save_task
from .forbidden import ForbiddenArea
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import KeyPose
from .look import GazeTarget
from .pace import Pace, Wait
from .path import Path, smooth_through
from .pinned_step import PinnedStep
from .profile import FacingOffset, Profile, SpeedProfile
from .projectile import Projectile
from .push import Push
from .standing_pose import StandingPose
from .stones import SteppingStones
from .task import HOP_GAITS, Task, list_changed_fields

__all__ = [
    "HOP_GAITS",
    "FacingOffset",
    "ForbiddenArea",
    "GazeTarget",
    "Hurdle",
    "Jump",
    "KeyPose",
    "MonkeyBars",
    "Pace",
    "Path",
    "PathFacing",
    "PinnedStep",
    "Profile",
    "Projectile",
    "Push",
    "SpeedProfile",
    "StandingPose",
    "SteppingStones",
    "Task",
    "Wait",
    "list_changed_fields",
    "load_task",
    "save_task",
    "smooth_through",
]
