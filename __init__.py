"""Footfall: physically valid locomotion for any rig.

A Blender extension, and a package that works without Blender. Names for scripts are imported when
they are first used, so that Blender starts as fast as without them.
"""

from importlib import import_module

_PUBLIC = {
    "core.character.character": ("Character",),
    "core.character.load": ("load_character",),
    "core.clip": ("Style", "find_style"),
    "core.engine": ("generate",),
    "core.engine.base": ("DriveCommand",),
    "core.engine.centroidal.session": ("Session",),
    "core.engine.preview.session": ("PreviewSession",),
    "core.errors": ("FootfallError",),
    "core.motion": ("Motion", "load_motion", "save_motion"),
    "core.motion.measures": ("Measures",),
    "core.scripting": ("measure",),
    "core.task": (
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
        "load_task",
        "save_task",
    ),
}
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> object:
    """Import a public name from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    """Return the names of the module and all public names."""
    return sorted({*globals(), *_MODULES})


def register() -> None:
    """Add Footfall's operators, panels and properties to Blender."""
    from . import registration

    registration.register()


def unregister() -> None:
    """Remove everything that `register` has added."""
    from . import registration

    registration.unregister()
