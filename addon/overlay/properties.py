"""Settings of the overlay in the .blend file."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

OVERLAY_AREAS = ("VIEW_3D", "DOPESHEET_EDITOR")


def redraw_overlay() -> None:
    """Redraw all editors that show the overlay."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type in OVERLAY_AREAS:
                    area.tag_redraw()


def _on_changed(_: bpy.types.PropertyGroup, __: bpy.types.Context) -> None:
    redraw_overlay()


class FootfallOverlay(bpy.types.PropertyGroup):
    """Visible parts of the physics of a planned motion."""

    show: BoolProperty(
        name="Physics",
        update=_on_changed,
        description=("Show the physics of the planned motion: center of mass, support, forces"),
    )
    whose: EnumProperty(
        name="Characters",
        update=_on_changed,
        description="Characters whose physics are shown",
        items=[
            ("ACTIVE", "Active", "Show the active character"),
            ("ALL", "All", "Show all visible characters"),
        ],
    )
    com: BoolProperty(
        name="Center of Mass",
        default=True,
        update=_on_changed,
        description=(
            "Show the trajectory of the center of mass, with constraint violations in other "
            "colors, and its projection onto the ground"
        ),
    )
    support: BoolProperty(
        name="Support Polygon",
        default=True,
        update=_on_changed,
        description=("Show the area between the ground contacts of the current frame"),
    )
    footprints: BoolProperty(
        name="Footprints", default=True, update=_on_changed, description="Show where the feet stand"
    )
    forces: BoolProperty(
        name="Forces",
        default=True,
        update=_on_changed,
        description="Show the contact force on each limb as an arrow",
    )
    pushes: BoolProperty(
        name="Pushes",
        default=True,
        update=_on_changed,
        description="Show pushes on the body as arrows",
    )
    force_length: FloatProperty(
        name="Length",
        default=0.6,
        min=0.05,
        soft_max=2.0,
        step=5,
        update=_on_changed,
        description=(
            "Length of the arrow for one body weight, relative to the height of the center of mass"
        ),
    )
    in_front: BoolProperty(
        name="In Front",
        default=True,
        update=_on_changed,
        description="Draw the overlay in front of the character and the scene",
    )
    graph: BoolProperty(
        name="Force Graph",
        default=True,
        update=_on_changed,
        description=("Draw the vertical forces over time at the lower edge of the 3D view"),
    )
    contacts: BoolProperty(
        name="Contacts",
        default=True,
        update=_on_changed,
        description=(
            "Draw the contacts of each limb over time at the lower edge of the 3D view, balls of "
            "the feet above heels"
        ),
    )
    timeline: BoolProperty(
        name="Contacts in Timeline",
        default=False,
        update=_on_changed,
        description=("Draw the contacts also in timelines and dope sheets that are high enough"),
    )
