"""A body driven by torques in a physics engine, and the controller that finds them (Mordatch, de Lasa, Hertzmann 2010)."""
from .body import Body
from .controller import Controller, Torques
from .mujoco_physics import MujocoPhysics
from .physics import FootLoad, Physics, State
from .reading import Reading
from .reference import Reference, SwingTarget

__all__ = ["Body", "Controller", "FootLoad", "MujocoPhysics", "Physics", "Reading", "Reference", "State", "SwingTarget", "Torques"]
