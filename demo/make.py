"""The main job on a real rig: Rigify's human metarig walks along a curve over hills.

Leaves in the folder that is given (`out/demo` unless told): footfall-demo.blend, motion.npz with its report.json, and the
pictures walk.png, strip.png and plot.png.
"""
from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

import bpy
import footfall
import landscape
import mannequin
import numpy as np
import pictures
from footfall.core import so3
from footfall.core.cli import main as command
from footfall.core.motion import load_motion

FPS, SECONDS, SEED = 30, 10, 3


def main(out: Path) -> None:
    """Build the scene, press the buttons, look at the result."""
    out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = FPS, 1, 1 + FPS * SECONDS
    field = landscape.hills(np.random.default_rng(SEED))
    ground, path = landscape.add_ground(field), landscape.add_path(field)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    armature = bpy.context.object
    body = mannequin.add_mannequin(armature)
    bpy.context.view_layer.objects.active = armature

    print("Detect")
    bpy.ops.footfall.detect_character()
    scene.footfall.path, scene.footfall.terrain = path, ground
    print("Generate")
    bpy.ops.footfall.generate(keep=str(out))
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "footfall-demo.blend"))

    print("Pictures")
    motion = load_motion(out / "motion.npz")
    frames = [1 + round(k * (motion.frames - 1) / 10.5) for k in range(11)]
    pictures.hero(body, out / "walk.png", frames, centre=(5.3, 0.0, 0.75), away=(0.9, -13.4, 4.0))
    middle = motion.frames // 2
    strip = [middle + k * 4 for k in range(10)]
    headings = so3.yaw_of(so3.quat_to_matrix(motion.link_orientation[strip, 0])).tolist()
    pictures.strip(armature, out / "strip.png", [k + 1 for k in strip], headings, motion.com[strip] + [0, 0, -0.05])
    command(["plot", str(out / "motion.npz"), "-o", str(out / "plot.png")])
    print(f"Open {out / 'footfall-demo.blend'} in Blender, or look at {out / 'walk.png'}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/demo").resolve())
