"""Demo on a real rig: Rigify's human metarig walks along a curve over hills.

Leaves in the folder that is given (`out/demo` if none is): footfall-demo.blend, motion.npz with its
report.json, the moving picture walk.webp, and the pictures walk.png, strip.png and plot.png.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

import bpy
import footfall
import landscape
import mannequin
import movie
import numpy as np
import pictures
import trail
from footfall.core.cli import main as command
from footfall.core.motion import load_motion
from footfall.core.motion.course_camera import build_course_camera, estimate_stride_time

FPS = 30
SECONDS = 10
SEED = 3
BODIES = 7  # in the picture of the whole path
STRIP = 8  # frames of the strip, over one stride
BEGUN = time.monotonic()


def main(out: Path) -> None:
    """Build the scene, generate the motion and render the pictures."""
    out.mkdir(parents=True, exist_ok=True)
    say("Build hills, a path and a character")
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start = 1
    scene.frame_end = 1 + FPS * SECONDS
    field = landscape.hills(np.random.default_rng(SEED))
    ground = landscape.add_ground(field)
    path = landscape.add_path(field)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    armature = bpy.context.object
    body = mannequin.add_mannequin(armature)
    bpy.context.view_layer.objects.active = armature

    say("Detect")
    bpy.ops.footfall.detect_character()
    scene.footfall.path = path
    scene.footfall.terrain = ground
    say("Generate")
    bpy.ops.footfall.generate(keep=str(out))
    motion = load_motion(out / "motion.npz")
    scene.frame_set(1)
    ribbon = trail.Ribbon(motion.path, field)
    ribbon.show(1.0)
    prints = trail.add_footprints(motion, field)
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "footfall-demo.blend"))

    say("Draw plot.png")
    command(["plot", str(out / "motion.npz"), "-o", str(out / "plot.png")])
    say("Render strip.png")
    middle = motion.frames // 2
    frames = np.round(
        middle + np.linspace(0.0, 1.0, STRIP) * estimate_stride_time(motion) * motion.fps
    ).astype(int)
    pictures.strip(
        out / "strip.png", frames, build_course_camera(motion, field.sample_heights, frames)
    )
    say("Render walk.webp")
    movie.film(out / "walk.webp", ribbon, prints)
    say("Render walk.png")
    shown = [1 + round(k * (motion.frames - 1) / (BODIES - 0.5)) for k in range(BODIES)]
    pictures.hero(body, out / "walk.png", shown, center=(5.3, 0.0, 0.75), away=(0.9, -13.4, 4.0))
    say(f"Open {out / 'footfall-demo.blend'} in Blender, or look at {out / 'walk.webp'}")


def say(what: str) -> None:
    """Print the next step and the time since the start [s]."""
    print(f"{time.monotonic() - BEGUN:5.0f} s  {what}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo").resolve())
