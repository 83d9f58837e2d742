"""Motions: the result of an engine, its file, its measures and its pictures."""

from .file import load_motion, save_motion
from .footstep import Footstep
from .motion import Motion, Report
from .violations import ConstraintViolation

__all__ = ["ConstraintViolation", "Footstep", "Motion", "Report", "load_motion", "save_motion"]
