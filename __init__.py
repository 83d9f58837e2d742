"""Footfall: physically valid locomotion for any rig. A Blender extension, and a package that works without Blender."""


def register() -> None:
    """Add Footfall's operators, panels and properties to Blender."""
    from .addon import registration
    registration.register()


def unregister() -> None:
    """Take them away again."""
    from .addon import registration
    registration.unregister()
