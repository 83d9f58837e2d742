"""How long writing keys takes: 60 bones, 600 frames, in each kind of rotation mode."""
from __future__ import annotations

import os
import tempfile
import time

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="footfall-blender-"))

import bpy
import numpy as np
from footfall.addon.keys import NewAction
from footfall.addon.rotations import channel_name, channels
from footfall.core import so3

BONES, FRAMES = 60, 600


def main() -> None:
    """Time each mode once; print a line each."""
    bpy.ops.wm.read_homefile(use_empty=True)
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.update()
    turned = so3.exp(np.cumsum(np.random.default_rng(0).normal(scale=0.02, size=(BONES, FRAMES, 3)), 1))
    print(f"{'seconds to bake 60 bones x 600 frames':42}{'total':>10}")
    for mode in ("QUATERNION", "XYZ", "AXIS_ANGLE"):
        begin = time.perf_counter()
        action = NewAction(armature, "bench")
        for k in range(BONES):
            action.add(f'pose.bones["{k}"].{channel_name(mode)}', f"{k}", np.arange(float(FRAMES)), channels(turned[k], mode))
        action.assign()
        print(f"{mode.lower():42}{time.perf_counter() - begin:10.3f}")


if __name__ == "__main__":
    main()
