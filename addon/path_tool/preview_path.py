"""Curve or markers at clicked points, which can be removed again.

The settings are passed to every call, because references to them do not survive an undo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, pi

import bpy
from mathutils import Vector

from ..settings.motion import MotionSettings
from .curve import create_path_curve, extend_spline

CONE_SIZE = 0.25  # display size of a marker [leg lengths]


@dataclass(frozen=True)
class _MarkerEntry:
    """Entry of the list of markers."""

    obj: bpy.types.Object | None
    sets_facing: bool  # whether the character turns to the direction of the marker


class ClickedCurve:
    """A curve through the points, which replaces the previous path in the settings.

    Args:
        settings: settings of the character.
        lift: height of the curve above the ground [scene units].
    """

    def __init__(self, settings: MotionSettings, lift: float) -> None:
        self._lift = lift
        self._previous_path: bpy.types.Object | None = settings.path
        self._curve: bpy.types.Object | None = None

    @property
    def has_path(self) -> bool:
        """Whether there are enough points for a path."""
        return self._curve is not None

    def show(self, settings: MotionSettings, places: Sequence[Vector]) -> None:
        """Update the curve.

        Args:
            settings: settings of the character.
            places: all points; there may be more or fewer than before.
        """
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
        """Remove the new path and restore the previous one."""
        if self._curve is not None:
            curve_data = self._curve.data
            bpy.data.objects.remove(self._curve)
            bpy.data.curves.remove(curve_data)
            self._curve = None
        settings.path = self._previous_path


class ClickedMarkers:
    """Empties at the points, which replace the list of markers and point along the path.

    Args:
        settings: settings of the character.
        leg_length: leg length of the character [scene units].
    """

    def __init__(self, settings: MotionSettings, leg_length: float) -> None:
        self._leg_length = leg_length
        self._previous_entries = [
            _MarkerEntry(marker.thing, marker.faces) for marker in settings.markers
        ]
        self._previous_index = settings.marker_index
        self._markers: list[bpy.types.Object] = []

    @property
    def has_path(self) -> bool:
        """Whether there are enough points for a path."""
        return bool(self._markers)

    def show(self, settings: MotionSettings, places: Sequence[Vector]) -> None:
        """Update the markers.

        Args:
            settings: settings of the character.
            places: all points; there may be more or fewer than before.
        """
        places = places if len(places) > 1 else []
        while len(self._markers) > len(places):
            bpy.data.objects.remove(self._markers.pop())
        while len(self._markers) < len(places):
            self._markers.append(_add_marker(settings.id_data, CONE_SIZE * self._leg_length))
        for k, (obj, place) in enumerate(zip(self._markers, places, strict=True)):
            ahead = places[min(k + 1, len(places) - 1)] - places[max(k - 1, 0)]
            obj.location = place
            obj.rotation_euler = (0.0, 0.0, atan2(ahead.y, ahead.x) - 0.5 * pi)
        self._fill_list(
            settings,
            [_MarkerEntry(obj, False) for obj in self._markers] or self._previous_entries,
        )

    def remove(self, settings: MotionSettings) -> None:
        """Remove the new path and restore the previous one."""
        while self._markers:
            bpy.data.objects.remove(self._markers.pop())
        self._fill_list(settings, self._previous_entries)
        settings.marker_index = self._previous_index

    def _fill_list(self, settings: MotionSettings, entries: Sequence[_MarkerEntry]) -> None:
        settings.markers.clear()
        for entry in entries:
            marker = settings.markers.add()
            marker.thing = entry.obj
            marker.faces = entry.sets_facing
        settings.marker_index = max(len(entries) - 1, 0)


def _add_marker(scene: bpy.types.Scene, size: float) -> bpy.types.Object:
    """Return a new empty, displayed as a cone along its Y axis."""
    obj = bpy.data.objects.new("Marker", None)
    obj.empty_display_type = "CONE"
    obj.empty_display_size = size
    scene.collection.objects.link(obj)
    return obj
