"""A moving picture: a path appears over hills, a character walks along it and leaves prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from PIL import Image
from studio import add_camera, aim_camera, photograph, use_workbench
from trail import Print, Ribbon

SIZE = (800, 450)  # [pixels]
RATE = 18  # pictures a second
DRAWING = 1.2  # [s] in which the path is drawn
SECONDS = 6.0
LENS = 50.0  # [mm]
LARGEST = 3_000_000  # Largest size of the file, so that pages with it open quickly [byte]
QUALITIES = (90, 82, 74, 66, 58, 50, 40)  # the first one with a small enough file is used


@dataclass(frozen=True)
class Shot:
    """A position of the camera.

    Args:
        target: point in the middle of the picture [m].
        away: offset from there to the camera [m].
    """

    target: Vector
    away: Vector

    def toward(self, other: Shot, share: float) -> Shot:
        """Return the shot at a share, 0 to 1, from this one to another."""
        return Shot(self.target.lerp(other.target, share), self.away.lerp(other.away, share))


WHOLE_PATH = Shot(Vector((5.8, 0.1, 0.3)), Vector((0.0, -19.2, 7.4)))
WALK_BEGINS = Shot(Vector((1.7, -1.4, 0.80)), Vector((3.0, -7.6, 2.1)))
WALK_ENDS = Shot(Vector((5.0, -0.2, 0.85)), Vector((3.0, -7.6, 2.1)))
APPROACH = (0.9, 2.5)  # Begin and end of the move of the camera to the character [s]


def film(path: Path, ribbon: Ribbon, prints: list[Print]) -> None:
    """Render the moving picture into a WebP file that repeats endlessly."""
    scene = bpy.context.scene
    use_workbench()
    camera = add_camera(LENS)
    pictures = []
    count = round(SECONDS * RATE)
    for k in range(count):
        time = k / RATE
        walked = max(time - DRAWING, 0.0)
        ribbon.show(_smoothstep(min(time / DRAWING, 1.0)))
        for mark in prints:
            mark.thing.hide_render = mark.strike > walked
        frame = scene.frame_start + walked * scene.render.fps
        scene.frame_set(int(frame), subframe=frame % 1.0)
        shot = shot_at(time)
        aim_camera(camera, shot.target, shot.away)
        pictures.append(photograph(SIZE))
        if k % RATE == 0:
            print(f"  {time:.0f} s of {SECONDS:.0f}", flush=True)
    for mark in prints:
        mark.thing.hide_render = False
    bpy.data.objects.remove(camera)
    save_movie(pictures, path)


def save_movie(pictures: list[Image.Image], path: Path) -> None:
    """Save pictures as a WebP file of at most LARGEST bytes, in the best possible quality."""
    # a whole number of milliseconds each, and the sum right
    times = np.diff(np.round(np.arange(len(pictures) + 1) * 1000 / RATE).astype(int)).tolist()
    for quality in QUALITIES:
        pictures[0].save(
            path,
            save_all=True,
            append_images=pictures[1:],
            duration=times,
            loop=0,
            quality=quality,
            method=4,
        )
        if path.stat().st_size <= LARGEST:
            return


def shot_at(time: float) -> Shot:
    """Return the position of the camera at a time of the film [s]."""
    follows = WALK_BEGINS.toward(WALK_ENDS, max(time - DRAWING, 0.0) / (SECONDS - DRAWING))
    begin, end = APPROACH
    return WHOLE_PATH.toward(
        follows, _smoothstep(float(np.clip((time - begin) / (end - begin), 0.0, 1.0)))
    )


def _smoothstep(share: float) -> float:
    """Return the share with smooth ends (smoothstep)."""
    return share * share * (3.0 - 2.0 * share)
