"""What was planned for a character, kept with the action that it was baked into.

An action of Footfall's carries its plan as a property of its own: the task, the motion and how they lie on the rig. So the plan
is saved in the .blend, undone and redone with the action, copied with it, and gone with it.
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

from ...core.clip import QuadrupedStyle, Style, find_quadruped_style, load_style, save_style, tells_quadruped
from ...core.errors import FootfallError
from ...core.motion import Motion, load_motion, save_motion
from ...core.task import Task, load_task, save_task
from ..rigs.options import Way
from .options import PLAIN, Options

KEY, BYTES, STAMP = "footfall_plan", "footfall_plan_bytes", "footfall_plan_stamp"
REMEMBERED = 8            # plans that need not be unpacked again
QUICK = 1                 # effort of packing: more of it takes thrice as long and saves a tenth
PARTS = ("task.toml", "style.toml", "motion.npz", "report.json", "place.json")


@dataclass(frozen=True)
class Planned:
    """A task and what became of it on a rig.

    Args:
        style: that the task goes by, where no name and no file tells it, but an action.
        placement: (4, 4) from the armature's space to the motion's, of one scale.
        first_frame: of the scene, at which the motion's first frame lies.
        way: how it was baked.
        options: what was asked of the bake.
    """

    task: Task
    motion: Motion
    placement: NDArray[np.float64]
    first_frame: int
    way: Way
    style: Style | QuadrupedStyle | None = None
    options: Options = PLAIN

    def frame_at(self, time: float) -> float:
        """The scene's frame at a time of the motion in s."""
        return self.first_frame + time * self.motion.fps

    def time_at(self, frame: float) -> float:
        """The motion's time in s at a frame of the scene."""
        return (frame - self.first_frame) / self.motion.fps


_unpacked: dict[str, Planned] = {}          # by stamp


def keep_plan(action: bpy.types.Action, planned: Planned, slot: str = "") -> None:
    """Keep a plan with its action, in place of one that it had. The ground's mesh is kept once, with the task.

    Args:
        slot: handle of the slot that alone goes by the plan; empty where the action is Footfall's as a whole.
    """
    with tempfile.TemporaryDirectory(prefix="footfall-") as name:
        folder = Path(name)
        save_task(planned.task, folder / "task.toml")
        if planned.style is not None:
            save_style(planned.style, folder / "style.toml")
        save_motion(replace(planned.motion, terrain_vertices=None, terrain_triangles=None), folder, packed=False)
        place = {"placement": planned.placement.tolist(), "first_frame": planned.first_frame, "by_feet": planned.way.by_feet,
                 "root": planned.way.root, "options": planned.options.told}
        (folder / "place.json").write_text(json.dumps(place), encoding="utf-8")
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICK) as packed:
            for part in PARTS:
                if (folder / part).exists():
                    packed.write(folder / part, part)
    raw = stream.getvalue()
    for key in (KEY, BYTES, STAMP):
        if action.get(key + slot) is not None:
            del action[key + slot]                 # Blender does not give an array that is there another length
    action[KEY + slot] = np.frombuffer(raw + bytes(-len(raw) % 4), np.int32)
    action[BYTES + slot], action[STAMP + slot] = len(raw), hashlib.blake2b(raw, digest_size=16).hexdigest()


def drop_plan(action: bpy.types.Action, slot: str) -> None:
    """Forget the plan of a slot that is gone."""
    for key in (KEY, BYTES, STAMP):
        if action.get(key + slot) is not None:
            del action[key + slot]


def planned_of(armature: bpy.types.Object | None) -> Planned | None:
    """The plan of the action that an armature plays; None where that is none of Footfall's.

    Raises:
        FootfallError: it is there but cannot be read, as of a newer Footfall.
    """
    data = None if armature is None else armature.animation_data
    action = None if data is None else data.action
    return None if action is None else plan_of(action, slot_of(armature))


def has_plan(armature: bpy.types.Object | None) -> bool:
    """Whether the action that an armature plays is one of Footfall's; at no cost."""
    return bool(stamp_played(armature))


def replan(armature: bpy.types.Object, planned: Planned) -> None:
    """Give the action that an armature plays, or its slot, another plan in place of the one that it has."""
    action, slot = armature.animation_data.action, slot_of(armature)
    keep_plan(action, planned, slot if action.get(STAMP + slot) else "")


def stamp_played(armature: bpy.types.Object | None) -> str:
    """The stamp of the plan that an armature plays, at no cost; empty where it plays none."""
    data = None if armature is None else armature.animation_data
    return "" if data is None or data.action is None else stamp_of(data.action, slot_of(armature))


def slot_of(armature: bpy.types.Object | None) -> str:
    """The slot of its action that an armature plays, by its handle as text; empty where there is none, as up to Blender 4.3."""
    slot = getattr(None if armature is None else armature.animation_data, "action_slot", None)
    return "" if slot is None else str(slot.handle)


def stamp_of(action: bpy.types.Action, slot: str = "") -> str:
    """What tells one plan from another, at no cost; empty where neither the slot nor the action as a whole has one."""
    return str(action.get(STAMP + slot, "") or action.get(STAMP, ""))


def plan_of(action: bpy.types.Action, slot: str = "") -> Planned | None:
    """The plan that an action carries, or a slot of it; None where it carries none.

    Raises:
        FootfallError: it cannot be read, as of a newer Footfall.
    """
    stamp = stamp_of(action, slot)
    if not stamp:
        return None
    if not action.get(STAMP + slot):
        slot = ""
    if stamp in _unpacked:
        return _unpacked[stamp]
    try:
        planned = _unpack(np.array(action[KEY + slot], np.int32).tobytes()[:int(action[BYTES + slot])])
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise FootfallError(f"The plan that the action {action.name!r} carries cannot be read ({error}); generate the motion "
                            "again.") from error
    while len(_unpacked) >= REMEMBERED:
        del _unpacked[next(iter(_unpacked))]
    _unpacked[stamp] = planned
    return planned


def _unpack(raw: bytes) -> Planned:
    with tempfile.TemporaryDirectory(prefix="footfall-") as name, zipfile.ZipFile(io.BytesIO(raw)) as packed:
        folder = Path(name)
        for part in PARTS:
            if part in packed.namelist():
                (folder / part).write_bytes(packed.read(part))
        file = folder / "style.toml"
        style: Style | QuadrupedStyle | None = None
        if file.exists():
            style = find_quadruped_style(str(file)) if tells_quadruped(file) else load_style(file)
        place = json.loads((folder / "place.json").read_text(encoding="utf-8"))
        return Planned(load_task(folder / "task.toml"), load_motion(folder / "motion.npz"), np.array(place["placement"], float),
                       int(place["first_frame"]), Way(bool(place["by_feet"]), str(place["root"])),
                       style, Options.from_told(place.get("options", {})))
