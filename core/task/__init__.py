"""What was asked: who walks, on what, along which path, how fast and in what style."""
from .bars import Bars
from .facing import Facing
from .file import load_task, save_task
from .forbidden import Forbidden
from .hurdle import Hurdle
from .jump import Jump
from .kept_step import KeptStep
from .look import Look
from .pace import Pace, Wait
from .path import Path
from .profile import Profile
from .projectile import Projectile
from .push import Push
from .speed import SpeedProfile
from .standing_pose import StandingPose
from .stones import Stones
from .struck_pose import StruckPose
from .task import HOPS, Task
from .through import smooth_through
from .turned import Turned

__all__ = ["HOPS", "Bars", "Facing", "Forbidden", "Hurdle", "Jump", "KeptStep", "Look", "Pace", "Path", "Profile", "Projectile",
           "Push", "SpeedProfile", "StandingPose", "Stones", "StruckPose", "Task", "Turned", "Wait", "load_task",
           "save_task", "smooth_through"]
