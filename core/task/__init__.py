"""What was asked: who walks, on what, along which path, how fast and in what style."""
from .bars import Bars
from .facing import Facing
from .facing_offset import Turned
from .file import load_task, save_task
from .forbidden import Forbidden
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import StruckPose
from .look import Look
from .pace import Pace, Wait
from .path import Path
from .pinned_step import KeptStep
from .profile import Profile
from .projectile import Projectile
from .push import Push
from .smooth_path import smooth_through
from .speed import SpeedProfile
from .standing_pose import StandingPose
from .stones import Stones
from .task import HOPS, Task

__all__ = ["HOPS", "Bars", "Facing", "Forbidden", "Hurdle", "Jump", "KeptStep", "Look", "Pace", "Path", "Profile", "Projectile",
           "Push", "SpeedProfile", "StandingPose", "Stones", "StruckPose", "Task", "Turned", "Wait", "load_task",
           "save_task", "smooth_through"]
