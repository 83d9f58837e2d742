"""Plan of a character, stored in the action that it was baked into.

An action of Footfall has a plan as a custom property: the task, the motion and its placement on the
rig. The plan is saved in the .blend file, undone and redone with the action, copied with it and
deleted with it.
"""

from __future__ import annotations

import hashlib
import io
import json
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
from ..temp_folders import open_temp_folder
from .motion_placement import MotionPlacement
from .options import DEFAULT_OPTIONS, BakeOptions

PLAN_KEY = "footfall_plan"
SIZE_KEY = "footfall_plan_bytes"
STAMP_KEY = "footfall_plan_stamp"
FORMAT_VERSION = 1  # version of the plans that this Footfall writes, and the newest that it reads
# Number of unpacked plans, and of solved bakes, in memory, of some megabytes each; others are
# unpacked or solved again.
MAX_CACHED_PLANS = 8
COMPRESSION_LEVEL = 1  # higher levels take three times as long and save a tenth of the size
PLAN_FILES = ("task.toml", "style.toml", "motion.npz", "report.json", "place.json")


@dataclass(frozen=True)
class StoredPlan:
    """A task and its motion on a rig.

    Args:
        task: the task.
        motion: the motion.
        placement: transform from the armature to the motion (4, 4), with uniform scale.
        first_frame: frame of the scene at which the motion begins.
        rig_options: how the motion was baked onto the rig.
        style: style of the task if an action shows it, so that no name and no file stands for it.
        options: options of the bake.
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
        return MotionPlacement(self.placement, self.first_frame, self.rig_options, self.task.ground)

    def frame_at(self, time: float) -> float:
        """Return the frame of the scene at a time of the motion [s]."""
        return self.first_frame + time * self.motion.fps

    def time_at(self, frame: float) -> float:
        """Return the time of the motion [s] at a frame of the scene."""
        return (frame - self.first_frame) / self.motion.fps


_plan_cache: dict[str, StoredPlan] = {}  # by stamp


def pack_plan(stored_plan: StoredPlan) -> bytes:
    """Return a plan as packed files; the mesh of the ground is only in the task.

    Raises:
        FootfallError: the temporary folder cannot be used.
    """
    with open_temp_folder("plan") as folder:
        save_task(stored_plan.task, folder / "task.toml")
        if stored_plan.style is not None:
            save_style(stored_plan.style, folder / "style.toml")
        save_motion(
            replace(stored_plan.motion, terrain_vertices=None, terrain_triangles=None),
            folder,
            compressed=False,
        )
        placement_data = {
            "version": FORMAT_VERSION,
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
    return stream.getvalue()


def attach_plan(action: bpy.types.Action, raw: bytes, slot: str = "") -> None:
    """Store a packed plan in its action, in place of an earlier one.

    Args:
        slot: handle of the slot that has the plan; "" if the whole action is Footfall's.
    """
    for key in (PLAN_KEY, SIZE_KEY, STAMP_KEY):
        if action.get(key + slot) is not None:
            del action[key + slot]  # Blender cannot change the length of an existing array
    action[PLAN_KEY + slot] = np.frombuffer(raw + bytes(-len(raw) % 4), np.int32)
    action[SIZE_KEY + slot] = len(raw)
    action[STAMP_KEY + slot] = hashlib.blake2b(raw, digest_size=16).hexdigest()


def drop_plan(action: bpy.types.Action, slot: str) -> None:
    """Delete the plan of a slot that was removed."""
    for key in (PLAN_KEY, SIZE_KEY, STAMP_KEY):
        if action.get(key + slot) is not None:
            del action[key + slot]


def read_played_plan(armature: bpy.types.Object | None) -> StoredPlan | None:
    """Return the plan of the action that an armature plays; None if it has none.

    Raises:
        FootfallError: the plan cannot be read, for example because it is of a newer Footfall.
    """
    data = None if armature is None else armature.animation_data
    action = None if data is None else data.action
    return None if action is None else read_action_plan(action, get_slot_handle(armature))


def has_plan(armature: bpy.types.Object | None) -> bool:
    """Return whether the action that an armature plays has a plan, without reading it."""
    return bool(get_played_stamp(armature))


def replace_played_plan(armature: bpy.types.Object, raw: bytes) -> None:
    """Replace the plan of the action, or of its slot, that an armature plays by a packed one."""
    action = armature.animation_data.action
    slot = get_slot_handle(armature)
    attach_plan(action, raw, slot if action.get(STAMP_KEY + slot) else "")


def get_played_stamp(armature: bpy.types.Object | None) -> str:
    """Return the stamp of the plan that an armature plays, without reading it; "" without a
    plan.
    """
    data = None if armature is None else armature.animation_data
    return (
        ""
        if data is None or data.action is None
        else get_plan_stamp(data.action, get_slot_handle(armature))
    )


def get_slot_handle(armature: bpy.types.Object | None) -> str:
    """Return the handle of the slot that an armature plays, as text; "" without one, as in Blender
    4.3.
    """
    slot = getattr(None if armature is None else armature.animation_data, "action_slot", None)
    return "" if slot is None else str(slot.handle)


def get_plan_stamp(action: bpy.types.Action, slot: str = "") -> str:
    """Return the stamp that identifies the plan of a slot or of the whole action; "" without a
    plan.
    """
    return str(action.get(STAMP_KEY + slot, "") or action.get(STAMP_KEY, ""))


def read_action_plan(action: bpy.types.Action, slot: str = "") -> StoredPlan | None:
    """Return the plan of a slot or of the whole action; None without one.

    Raises:
        FootfallError: the plan cannot be read, for example because it is of a newer Footfall.
    """
    stamp = get_plan_stamp(action, slot)
    if not stamp:
        return None
    if not action.get(STAMP_KEY + slot):
        slot = ""
    if stamp in _plan_cache:
        return _plan_cache[stamp]
    raw = _read_bytes(action, slot)
    if hashlib.blake2b(raw, digest_size=16).hexdigest() != stamp:
        raise FootfallError(
            f"The plan of the action {action.name!r} is damaged. The keys are not affected; "
            "generate the motion again for its footsteps and physics."
        )
    with open_temp_folder("plan") as folder:
        try:
            stored_plan = _unpack(raw, folder)
        except OSError:  # of the folder
            raise
        except Exception as error:  # whatever another version wrote
            raise FootfallError(
                f"The plan of the action {action.name!r} cannot be read, perhaps because it is of "
                f"another version of Footfall ({error}). The keys are not affected; update "
                "Footfall or generate the motion again."
            ) from error
    while len(_plan_cache) >= MAX_CACHED_PLANS:
        del _plan_cache[next(iter(_plan_cache))]
    _plan_cache[stamp] = stored_plan
    return stored_plan


def _read_bytes(action: bpy.types.Action, slot: str) -> bytes:
    """Return the packed plan of an action; nothing if its properties are not those of a plan."""
    try:
        words = np.array(action[PLAN_KEY + slot], np.int32)
        return words.tobytes()[: int(action[SIZE_KEY + slot])]
    except (KeyError, TypeError, ValueError, OverflowError):
        return b""


def _unpack(raw: bytes, folder: Path) -> StoredPlan:
    """Return a plan from its packed files, which are written into a folder.

    Raises:
        FootfallError: the plan is of a newer version, or one of its files is.
        Exception: the files are not those of a plan.
    """
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
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
        placement_data = json.loads(archive.read("place.json"))
        version = placement_data.get("version", FORMAT_VERSION)
        if version > FORMAT_VERSION:
            raise FootfallError(
                f"it is of version {version} and this Footfall reads up to {FORMAT_VERSION}"
            )
        return StoredPlan(
            load_task(folder / "task.toml"),
            load_motion(folder / "motion.npz"),
            np.array(placement_data["placement"], float).reshape(4, 4),
            first_frame=int(placement_data["first_frame"]),
            rig_options=RigOptions(bool(placement_data["by_feet"]), str(placement_data["root"])),
            style=style,
            options=BakeOptions.from_json(placement_data.get("options", {})),
        )
