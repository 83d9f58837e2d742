"""What is made of places that were clicked on: a curve, or markers; all of it can be taken back.

The settings are asked for anew each time, since references to them do not outlive an undo.
"""
from __future__ import annotations

from collections.abc import Sequence
from math import atan2, pi

import bpy
from mathutils import Vector

from ..settings.motion import Wish
from .curve import new_path, put_places

SIZE = 0.25           # leg lengths that a marker's cone is wide


class ClickedCurve:
    """A curve through the places, in place of the one that there was.

    Args:
        lift: that it lies above the ground, in the scene's units.
    """

    def __init__(self, wish: Wish, lift: float) -> None:
        self._lift = lift
        self._before: bpy.types.Object | None = wish.path
        self._curve: bpy.types.Object | None = None

    @property
    def made(self) -> bool:
        """Whether there is anything to go along."""
        return self._curve is not None

    def show(self, wish: Wish, places: Sequence[Vector]) -> None:
        """Lead it through the places, of which there may be fewer or more than before."""
        if self._curve is not None and len(places) >= len(self._curve.data.splines[0].bezier_points):
            put_places(self._curve.data.splines[0], places, self._lift)
            return
        self.remove(wish)
        if len(places) > 1:
            self._curve = new_path(wish.id_data, places, self._lift)
            wish.path = self._curve

    def remove(self, wish: Wish) -> None:
        """Leave everything as it was."""
        if self._curve is not None:
            data = self._curve.data
            bpy.data.objects.remove(self._curve)
            bpy.data.curves.remove(data)
            self._curve = None
        wish.path = self._before


class ClickedMarkers:
    """Empties at the places, in place of those that were in the list; they point along the way.

    Args:
        leg: length of the character's legs, in the scene's units.
    """

    def __init__(self, wish: Wish, leg: float) -> None:
        self._leg = leg
        self._before = [(marker.thing, marker.faces) for marker in wish.markers]
        self._active = wish.marker_index
        self._made: list[bpy.types.Object] = []

    @property
    def made(self) -> bool:
        """Whether there is anything to go along."""
        return bool(self._made)

    def show(self, wish: Wish, places: Sequence[Vector]) -> None:
        """Put one at each of the places, of which there may be fewer or more than before."""
        places = places if len(places) > 1 else []
        while len(self._made) > len(places):
            bpy.data.objects.remove(self._made.pop())
        while len(self._made) < len(places):
            self._made.append(_new_marker(wish.id_data, SIZE * self._leg))
        for k, (thing, place) in enumerate(zip(self._made, places, strict=True)):
            ahead = places[min(k + 1, len(places) - 1)] - places[max(k - 1, 0)]
            thing.location, thing.rotation_euler = place, (0.0, 0.0, atan2(ahead.y, ahead.x) - 0.5 * pi)
        self._list(wish, [(thing, False) for thing in self._made] if self._made else self._before)

    def remove(self, wish: Wish) -> None:
        """Leave everything as it was."""
        while self._made:
            bpy.data.objects.remove(self._made.pop())
        self._list(wish, self._before)
        wish.marker_index = self._active

    def _list(self, wish: Wish, entries: Sequence[tuple[bpy.types.Object | None, bool]]) -> None:
        wish.markers.clear()
        for thing, faces in entries:
            marker = wish.markers.add()
            marker.thing, marker.faces = thing, faces
        wish.marker_index = max(len(entries) - 1, 0)


def _new_marker(scene: bpy.types.Scene, size: float) -> bpy.types.Object:
    """A cone that points along its Y axis."""
    thing = bpy.data.objects.new("Marker", None)
    thing.empty_display_type, thing.empty_display_size = "CONE", size
    scene.collection.objects.link(thing)
    return thing
