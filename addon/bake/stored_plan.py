"""What was planned for a character, kept with the action that it was baked into.

An action of Footfall's carries its plan as a property of its own: the task, the motion and how they
lie on the rig. So the plan is saved in the .blend, undone and redone with the action, copied with
it, and gone with it.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.clip import (
    QuadrupedStyle,
    Style,
    find_quadruped_style,
    is_quadruped_file,
    load_style,
    save_style,
)
from ...core.errors import FootfallError
from ...core.motion import Motion, load_motion, save_motion
from ...core.task import Task, load_task, save_task
from ..rigs.options import RigOptions
from .motion_placement import MotionPlacement
from .options import DEFAULT_OPTIONS, BakeOptions

PLAN_KEY = "footfall_plan"
SIZE_KEY = "footfall_plan_bytes"
STAMP_KEY = "footfall_plan_stamp"
MAX_CACHED_PLANS = 8  # plans that need not be unpacked again
COMPRESSION_LEVEL = 1  # effort of packing: more of it takes thrice as long and saves a tenth
PLAN_FILES = ("task.toml", "style.toml", "motion.npz", "report.json", "place.json")


@dataclass(frozen=True)
class StoredPlan:
    """A task and what became of it on a rig.

    Args:
        style: that the task goes by, where no name and no file tells it, but an action.
        placement: (4, 4) from the armature's space to the motion's, of one scale.
        first_frame: of the scene, at which the motion's first frame lies.
        rig_options: how it was baked.
        options: what was asked of the bake.
    """

    task: Task
    motion: Motion
    placement: NDArray[np.float64]
    first_frame: int
    rig_options: RigOptions
    style: Style | QuadrupedStyle | None = None
    options: BakeOptions = DEFAULT_OPTIONS

    @property
    def motion_placement(self) -> MotionPlacement:
        """How the motion lies on the rig."""
        return MotionPlacement(self.placement, self.first_frame, self.rig_options)

    def frame_at(self, time: float) -> float:
        """The scene's frame at a time of the motion in s."""
        return self.first_frame + time * self.motion.fps

    def time_at(self, frame: float) -> float:
        """The motion's time in s at a frame of the scene."""
        return (frame - self.first_frame) / self.motion.fps


_plan_cache: dict[str, StoredPlan] = {}  # by stamp


def store_plan(action: bpy.types.Action, stored_plan: StoredPlan, slot: str = "") -> None:
    """Keep a plan with its action, in place of one that it had.
    The ground's mesh is kept once, with the task.

    Args:
        slot: handle of the slot that alone goes by the plan;
            empty where the action is Footfall's as a whole.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as name:
        folder = Path(name)
        save_task(stored_plan.task, folder / "task.toml")
        if stored_plan.style is not None:
            save_style(stored_plan.style, folder / "style.toml")
        save_motion(
            replace(stored_plan.motion, terrain_vertices=None, terrain_triangles=None),
            folder,
            compressed=False,
        )
        placement_data = {
            "placement": stored_plan.placement.tolist(),
            "first_frame": stored_plan.first_frame,
            "by_feet": stored_plan.rig_options.use_leg_ik,
            "root": stored_plan.rig_options.root_motion,
            "options": stored_plan.options.json_data,
        }
        (folder / "place.json").write_text(json.dumps(placement_data), encoding="utf-8")
        stream = io.BytesIO()
        with zipfile.ZipFile(
            stream, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL
        ) as archive:
            for file_name in PLAN_FILES:
                if (folder / file_name).exists():
                    archive.write(folder / file_name, file_name)
    raw = stream.getvalue()
    for key in (PLAN_KEY, SIZE_KEY, STAMP_KEY):
        if action.get(key + slot) is not None:
            del action[key + slot]  # Blender does not give an array that is there another length
    action[PLAN_KEY + slot] = np.frombuffer(raw + bytes(-len(raw) % 4), np.int32)
    action[SIZE_KEY + slot], action[STAMP_KEY + slot] = (
        len(raw),
        hashlib.blake2b(raw, digest_size=16).hexdigest(),
    )


def drop_plan(action: bpy.types.Action, slot: str) -> None:
    """Forget the plan of a slot that is gone."""
    for key in (PLAN_KEY, SIZE_KEY, STAMP_KEY):
        if action.get(key + slot) is not None:
            del action[key + slot]


def read_played_plan(armature: bpy.types.Object | None) -> StoredPlan | None:
    """The plan of the action that an armature plays; None where that is none of Footfall's.

    Raises:
        FootfallError: it is there but cannot be read, as of a newer Footfall.
    """
    data = None if armature is None else armature.animation_data
    action = None if data is None else data.action
    return None if action is None else read_action_plan(action, get_slot_handle(armature))


def has_plan(armature: bpy.types.Object | None) -> bool:
    """Whether the action that an armature plays is one of Footfall's; at no cost."""
    return bool(get_played_stamp(armature))


def replace_played_plan(armature: bpy.types.Object, stored_plan: StoredPlan) -> None:
    """Give the action that an armature plays, or its slot,
    another plan in place of the one that it has.
    """
    action = armature.animation_data.action
    slot = get_slot_handle(armature)
    store_plan(action, stored_plan, slot if action.get(STAMP_KEY + slot) else "")


def get_played_stamp(armature: bpy.types.Object | None) -> str:
    """The stamp of the plan that an armature plays, at no cost; empty where it plays none."""
    data = None if armature is None else armature.animation_data
    return (
        ""
        if data is None or data.action is None
        else get_plan_stamp(data.action, get_slot_handle(armature))
    )


def get_slot_handle(armature: bpy.types.Object | None) -> str:
    """The slot of its action that an armature plays, by its handle as text; empty where there is
    none, as up to Blender 4.3.
    """
    slot = getattr(None if armature is None else armature.animation_data, "action_slot", None)
    return "" if slot is None else str(slot.handle)


def get_plan_stamp(action: bpy.types.Action, slot: str = "") -> str:
    """What tells one plan from another, at no cost; empty where neither the slot nor the
    action as a whole has one.
    """
    return str(action.get(STAMP_KEY + slot, "") or action.get(STAMP_KEY, ""))


def read_action_plan(action: bpy.types.Action, slot: str = "") -> StoredPlan | None:
    """The plan that an action carries, or a slot of it; None where it carries none.

    Raises:
        FootfallError: it cannot be read, as of a newer Footfall.
    """
    stamp = get_plan_stamp(action, slot)
    if not stamp:
        return None
    if not action.get(STAMP_KEY + slot):
        slot = ""
    if stamp in _plan_cache:
        return _plan_cache[stamp]
    try:
        stored_plan = _unpack(
            np.array(action[PLAN_KEY + slot], np.int32).tobytes()[: int(action[SIZE_KEY + slot])]
        )
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise FootfallError(
            f"The plan that the action {action.name!r} carries cannot be read ({error}); generate "
            "the motion again."
        ) from error
    while len(_plan_cache) >= MAX_CACHED_PLANS:
        del _plan_cache[next(iter(_plan_cache))]
    _plan_cache[stamp] = stored_plan
    return stored_plan


def _unpack(raw: bytes) -> StoredPlan:
    with (
        tempfile.TemporaryDirectory(prefix="footfall-") as name,
        zipfile.ZipFile(io.BytesIO(raw)) as archive,
    ):
        folder = Path(name)
        for file_name in PLAN_FILES:
            if file_name in archive.namelist():
                (folder / file_name).write_bytes(archive.read(file_name))
        style_path = folder / "style.toml"
        style: Style | QuadrupedStyle | None = None
        if style_path.exists():
            style = (
                find_quadruped_style(str(style_path))
                if is_quadruped_file(style_path)
                else load_style(style_path)
            )
        placement_data = json.loads((folder / "place.json").read_text(encoding="utf-8"))
        return StoredPlan(
            load_task(folder / "task.toml"),
            load_motion(folder / "motion.npz"),
            np.array(placement_data["placement"], float),
            first_frame=int(placement_data["first_frame"]),
            rig_options=RigOptions(bool(placement_data["by_feet"]), str(placement_data["root"])),
            style=style,
            options=BakeOptions.from_json(placement_data.get("options", {})),
        )
