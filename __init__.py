"""Footfall: physically valid locomotion for any rig. A Blender extension, and a package that works without Blender."""


def register() -> None:
    """Add Footfall's operators, panels and properties to Blender."""
    from . import registration
    registration.register()


def unregister() -> None:
    """Take them away again."""
    from . import registration
    registration.unregister()
