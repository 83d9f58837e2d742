"""What the overlay shows, kept in the .blend file."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty

OVERLAY_AREAS = ("VIEW_3D", "DOPESHEET_EDITOR")


def redraw_overlay() -> None:
    """Have all editors that show the overlay drawn anew."""
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type in OVERLAY_AREAS:
                    area.tag_redraw()


def _on_changed(_: bpy.types.PropertyGroup, __: bpy.types.Context) -> None:
    redraw_overlay()


class FootfallOverlay(bpy.types.PropertyGroup):
    """What is to be seen of the physics that a motion was planned by."""

    show: BoolProperty(
        name="Physics",
        update=_on_changed,
        description=(
            "Show the physics that the motion was planned by: center of mass, support, forces"
        ),
    )
    whose: EnumProperty(
        name="Characters",
        update=_on_changed,
        description="Whose physics are shown",
        items=[
            ("ACTIVE", "Active", "Those of the active character"),
            ("ALL", "All", "Those of all characters that are visible"),
        ],
    )
    com: BoolProperty(
        name="Center of Mass",
        default=True,
        update=_on_changed,
        description=(
            "Where the center of mass goes, in other colors where something had to give way, and "
            "its place on the ground"
        ),
    )
    support: BoolProperty(
        name="Support Polygon",
        default=True,
        update=_on_changed,
        description=(
            "What the contacts of the frame span on the ground: an area of several feet, a line "
            "of one"
        ),
    )
    footprints: BoolProperty(
        name="Footprints", default=True, update=_on_changed, description="Where the feet stand"
    )
    forces: BoolProperty(
        name="Forces",
        default=True,
        update=_on_changed,
        description="What the ground or a hold does to each limb, as an arrow",
    )
    pushes: BoolProperty(
        name="Pushes",
        default=True,
        update=_on_changed,
        description="What pushes the body, as an arrow",
    )
    force_length: FloatProperty(
        name="Length",
        default=0.6,
        min=0.05,
        soft_max=2.0,
        step=5,
        update=_on_changed,
        description="How long the arrow of one body weight is, in heights of the center of mass",
    )
    in_front: BoolProperty(
        name="In Front",
        default=True,
        update=_on_changed,
        description="Show it through the character and the scene",
    )
    graph: BoolProperty(
        name="Force Graph",
        default=True,
        update=_on_changed,
        description=(
            "Draw the forces that hold the body up over time, at the lower edge of the 3D view"
        ),
    )
    contacts: BoolProperty(
        name="Contacts",
        default=True,
        update=_on_changed,
        description=(
            "Draw when each limb is on the ground or holds, at the lower edge of the 3D view: "
            "balls of feet above heels"
        ),
    )
    timeline: BoolProperty(
        name="Contacts in Timeline",
        default=False,
        update=_on_changed,
        description=(
            "Draw the contacts in timelines and dope sheets too, along their frames, where those "
            "are high enough"
        ),
    )
