"""A drive: hands, the process that plans, the rig that shows it, and what becomes of it in the end."""
from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.engine.shared.disturbances import parts_of
from ...core.errors import CharacterError, FootfallError
from ...core.motion import Motion
from ...core.motion.splice import first_frames, joined_parts
from ...core.task import Path, Push, SpeedProfile
from ..bake.bake import Baked
from ..bake.history import bake_onto
from ..bake.options import PLAIN
from ..bake.stored_plan import Planned
from ..rigs.known_rigs import target_of
from ..scene.drive_task import ToDrive
from ..units import unit_scale
from ..worker.drive_process import Driving, Meant
from .input import Hands, over_ground
from .playback import Reel
from .pose_preview import Shown

Array = NDArray[np.float64]

LASTS = 0.2           # s that a push lasts
PER_PIXEL = 0.035     # m/s^2 that a pixel of dragging pushes with
HARDEST = 7.0         # m/s^2 at most; more than that no steps catch
EVERY = 0.25          # s between the points of the way that is kept with a plan


class Live:
    """One drive on one rig. `end` may be called at any time and as often as one likes; it leaves all as it was."""

    def __init__(self, armature: bpy.types.Object, to_drive: ToDrive) -> None:
        asked = to_drive.asked
        self.asked = asked
        self.hands = Hands(to_drive.slow, to_drive.own, to_drive.fast)
        self.meant: Meant | None = None
        self.failed = ""                      # why it cannot go on
        self._pushes: tuple[Push, ...] = ()   # that no part which is shown has felt yet
        self._driving = Driving(asked.task, asked.style)
        self.reel = Reel(self._driving, asked.task.fps)
        self._begins = 0                      # frame that the part which is shown begins at
        try:
            by_controls = target_of(armature, asked.rig.binding) is not None
            self._shown = None if by_controls else Shown(armature, asked.rig.binding, asked.placement)
        except BaseException:
            self._driving.stop()
            raise

    @property
    def pid(self) -> int:
        """Number of the planning process."""
        return self._driving.pid

    @property
    def ready(self) -> bool:
        """Whether the process waits for hands."""
        return self._driving.ready

    def tick(self, now: float, view: Array) -> bool:
        """Go on to a time in s; whether another frame is shown.

        Args:
            view: (3, 3) rotation of the view in the world.

        Raises:
            FootfallError: it cannot go on, and nothing was driven yet.
        """
        if self.failed:
            return False
        meant = self.hands.meant(view, self.meant)
        self.meant = None if meant is None else replace(meant, pushes=self._pushes)
        before = self.reel.frame
        try:
            if self.meant is None:
                self._driving.poll()
                return False
            begun = self.reel.tick(now, self.meant)
        except FootfallError as error:
            if not self.reel.parts:
                raise
            self.failed = str(error)
            self._driving.stop()
            return False
        if begun is not None:
            self._begin(begun)
        if self.reel.frame == before:
            return False
        if self._shown is not None:
            self._shown.show(self.reel.frame - self._begins)
        return True

    def _begin(self, part: Motion) -> None:
        """A part is shown from now on; what it felt is over."""
        self._begins = self.reel.frames - part.frames
        felt = self.reel.obeyed.pushes if self.reel.obeyed is not None else ()
        self._pushes = tuple(push for push in self._pushes if push not in felt)
        if self._shown is not None:
            self._shown.add(part)

    def push(self, place: str, drag: Array, view: Array) -> None:
        """Push the character as soon as it can be, along a way on the screen."""
        force = self.force_of(drag)
        if force > 0:
            along = force * over_ground(view, drag / np.linalg.norm(drag))
            self._pushes = (*self._pushes, Push(0.0, (float(along[0]), float(along[1]), 0.0), LASTS, place))

    def force_of(self, drag: Array) -> float:
        """Newtons that a drag of so many pixels (2,) pushes with."""
        return float(self.asked.rig.character.mass * min(PER_PIXEL * float(np.linalg.norm(drag)), HARDEST))

    def places(self, scene: bpy.types.Scene) -> dict[str, Array]:
        """Where the parts of the body that can be pushed are now, in the scene's units."""
        if not self.reel.parts:
            return {}
        part = self.reel.parts[-1]
        at = part.link_position[min(self.reel.frame - self._begins, part.frames - 1)] / unit_scale(scene)
        return {name: at[link] for name, link in parts_of(self.asked.rig.character).items()}

    def figure(self, scene: bpy.types.Scene) -> Array:
        """Lines from joint to joint for a rig that cannot be shown itself, in the scene's units. (k, 2, 3)."""
        if self._shown is not None or not self.reel.parts:
            return np.zeros((0, 2, 3))
        part = self.reel.parts[-1]
        frame = min(self.reel.frame - self._begins, part.frames - 1)
        joint, centre, links = part.link_origin[frame], part.link_position[frame], self.asked.rig.character.links
        hung = {link.parent for link in links}
        lines = [(joint[link.parent], joint[k]) for k, link in enumerate(links) if link.parent >= 0]
        lines += [(joint[k], 2 * centre[k] - joint[k]) for k in range(len(links)) if k not in hung]       # head, hands and feet
        return np.array(lines) / unit_scale(scene)

    def position(self, scene: bpy.types.Scene) -> Array | None:
        """Where the body is, in the scene's units. (3,)."""
        if not self.reel.parts:
            return None
        part = self.reel.parts[-1]
        return np.asarray(part.link_origin[min(self.reel.frame - self._begins, part.frames - 1), 0] / unit_scale(scene))

    def motion(self) -> Motion:
        """All that was shown.

        Raises:
            MotionError: nothing was.
        """
        return first_frames(joined_parts(self.reel.parts), self.reel.frame + 1)

    def off_ground(self, motion: Motion) -> float:
        """For how many seconds of a motion a foot stands where there is no ground."""
        off = np.isnan(self.asked.task.ground.height(motion.contact_position[..., :2])) & motion.contact_active
        return float(off.any(1).sum() / motion.fps)

    def record(self, scene: bpy.types.Scene) -> tuple[Baked, Motion]:
        """End, and bake what was driven into a new action, which carries it as its plan.

        Raises:
            FootfallError: nothing was driven, or the character is gone or has changed.
        """
        motion, asked = self.motion(), self.asked
        self.end()
        armature = scene.objects.get(asked.armature)
        if armature is None or armature.type != "ARMATURE":
            raise CharacterError(f"The armature {asked.armature!r} is no longer in the scene, so there was nothing to bake onto.")
        bpy.context.view_layer.update()
        task = replace(asked.task, seconds=max(motion.report.clip_seconds, 0.1), **_trace(motion))
        planned = Planned(task, motion, asked.placement, asked.first_frame, asked.way, asked.style)
        baked, _ = bake_onto(armature, planned, asked.rig.binding, PLAIN, again=False)
        return baked, motion

    def end(self) -> None:
        """End the process and have the rig as it was; harmless when it was done before."""
        self._driving.stop()
        if self._shown is not None:
            self._shown.restore()
            self._shown = None


def _trace(motion: Motion) -> dict[str, Path | SpeedProfile]:
    """The way and the speeds that were driven, where it went anywhere."""
    picked = np.unique(np.append(np.arange(0, motion.frames, max(int(EVERY * motion.fps), 1)), motion.frames - 1))
    points, times = motion.com[picked, :2], picked / motion.fps
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if len(picked) < 2 or steps.max() < 0.01:
        return {}
    return {"path": Path(points), "speed": SpeedProfile(steps / np.diff(times), times[:-1])}

