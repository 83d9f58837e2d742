"""What is made of places that were clicked on: a curve, or markers; all of it can be taken back.

The settings are asked for anew each time, since references to them do not outlive an undo.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, pi

import bpy
from mathutils import Vector

from ..settings.motion import MotionSettings
from .curve import create_path_curve, extend_spline

CONE_SIZE = 0.25  # leg lengths that a marker's cone is wide


class ClickedCurve:
    """A curve through the places, in place of the one that there was.

    Args:
        lift: that it lies above the ground, in the scene's units.
    """

    def __init__(self, settings: MotionSettings, lift: float) -> None:
        self._lift = lift
        self._previous_path: bpy.types.Object | None = settings.path
        self._curve: bpy.types.Object | None = None

    @property
    def has_path(self) -> bool:
        """Whether there is anything to go along."""
        return self._curve is not None

    def show(self, settings: MotionSettings, places: Sequence[Vector]) -> None:
        """Lead it through the places, of which there may be fewer or more than before."""
        if self._curve is not None and len(places) >= len(
            self._curve.data.splines[0].bezier_points
        ):
            extend_spline(self._curve.data.splines[0], places, self._lift)
            return
        self.remove(settings)
        if len(places) > 1:
            self._curve = create_path_curve(settings.id_data, places, self._lift)
            settings.path = self._curve

    def remove(self, settings: MotionSettings) -> None:
        """Leave everything as it was."""
        if self._curve is not None:
            curve_data = self._curve.data
            bpy.data.objects.remove(self._curve)
            bpy.data.curves.remove(curve_data)
            self._curve = None
        settings.path = self._previous_path


class ClickedMarkers:
    """Empties at the places, in place of those that were in the list; they point along the way.

    Args:
        leg_length: length of the character's legs, in the scene's units.
    """

    def __init__(self, settings: MotionSettings, leg_length: float) -> None:
        self._leg_length = leg_length
        self._previous_entries = [(marker.thing, marker.faces) for marker in settings.markers]
        self._previous_index = settings.marker_index
        self._markers: list[bpy.types.Object] = []

    @property
    def has_path(self) -> bool:
        """Whether there is anything to go along."""
        return bool(self._markers)

    def show(self, settings: MotionSettings, places: Sequence[Vector]) -> None:
        """Put one at each of the places, of which there may be fewer or more than before."""
        places = places if len(places) > 1 else []
        while len(self._markers) > len(places):
            bpy.data.objects.remove(self._markers.pop())
        while len(self._markers) < len(places):
            self._markers.append(_add_marker(settings.id_data, CONE_SIZE * self._leg_length))
        for k, (obj, place) in enumerate(zip(self._markers, places, strict=True)):
            ahead = places[min(k + 1, len(places) - 1)] - places[max(k - 1, 0)]
            obj.location, obj.rotation_euler = place, (0.0, 0.0, atan2(ahead.y, ahead.x) - 0.5 * pi)
        self._fill_list(
            settings,
            [(obj, False) for obj in self._markers] if self._markers else self._previous_entries,
        )

    def remove(self, settings: MotionSettings) -> None:
        """Leave everything as it was."""
        while self._markers:
            bpy.data.objects.remove(self._markers.pop())
        self._fill_list(settings, self._previous_entries)
        settings.marker_index = self._previous_index

    def _fill_list(
        self, settings: MotionSettings, entries: Sequence[tuple[bpy.types.Object | None, bool]]
    ) -> None:
        settings.markers.clear()
        for obj, sets_facing in entries:
            marker = settings.markers.add()
            marker.thing = obj
            marker.faces = sets_facing
        settings.marker_index = max(len(entries) - 1, 0)


def _add_marker(scene: bpy.types.Scene, size: float) -> bpy.types.Object:
    """A cone that points along its Y axis."""
    obj = bpy.data.objects.new("Marker", None)
    obj.empty_display_type = "CONE"
    obj.empty_display_size = size
    scene.collection.objects.link(obj)
    return obj
