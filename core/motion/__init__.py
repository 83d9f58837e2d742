"""The result: what moved where, its file, its measures and its pictures."""

from .easing import ConstraintViolation
from .file import load_motion, save_motion
from .footstep import Footstep
from .motion import Motion, Report

__all__ = ["ConstraintViolation", "Footstep", "Motion", "Report", "load_motion", "save_motion"]
