"""What was asked: who walks, on what, along which path, how fast and in what style."""
from .file import load_task, save_task
from .jump import Jump
from .path import Path
from .profile import Profile
from .push import Push
from .speed import SpeedProfile
from .task import Task

__all__ = ["Jump", "Path", "Profile", "Push", "SpeedProfile", "Task", "load_task", "save_task"]
